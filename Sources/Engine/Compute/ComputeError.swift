import Platform

/// Errors of loading weights and computing with them.
package enum ComputeError: Error, Equatable, Sendable {
  /// A system call on a file failed with an errno.
  case system(path: String, call: String, code: Int32)
  /// A mapped file shrank or could not be read after it was opened; results computed from it are invalid.
  case fileChanged(path: String)
  /// The rows of a matrix do not divide into blocks, or its size overflows.
  case badShape(type: TensorType, rows: Int, columns: Int)
  /// There are fewer bytes than the shape needs.
  case tooFewBytes(needed: Int, available: Int)
  /// Matrices of this storage type cannot be multiplied.
  case notMultipliable(TensorType)
  /// The system refused memory.
  case outOfMemory(byteCount: Int)
  /// Values cannot be quantized to this type.
  case notQuantizable(TensorType)
}

extension ComputeError {
  /// Reason for a sentence that names the file: the text of the errno, or a description of the case.
  package var reason: String {
    if case .system(_, _, let code) = self { SystemMessage.of(code) } else { "\(self)" }
  }
}
