import Compute

/// Errors of quantizing a model.
package enum QuantizationError: Error, Sendable, Equatable {
  /// The new file would take the place of the one it is made from.
  case isSource(path: String)
  /// A file of that name is there, or something that is no file.
  case exists(path: String, isFile: Bool)
  /// The new file cannot be written; nothing of it is left.
  case unwritable(path: String, tensor: String?, reason: String)
  /// A tensor's values cannot be turned into another type.
  case unconvertible(tensor: String, from: TensorType, to: TensorType)
  /// The source changed or its disk failed while a tensor was read.
  case unreadable(path: String, tensor: String)
  /// The work was cancelled; nothing of the new file is left.
  case stopped
}
