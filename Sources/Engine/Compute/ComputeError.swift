import Platform

/// What can go wrong before and while computing.
package enum ComputeError: Error, Equatable, Sendable {
  /// The system refused a call on a file: its path, the call, its error number.
  case system(path: String, call: String, code: Int32)
  /// A mapped file shrank or could not be read after it was opened; what was computed from it is worthless.
  case fileChanged(path: String)
  /// A matrix whose rows do not divide into blocks, or whose size overflows.
  case badShape(type: TensorType, rows: Int, columns: Int)
  /// Fewer bytes than the shape needs.
  case tooFewBytes(needed: Int, available: Int)
  /// A storage type that holds no weights to multiply with.
  case notMultipliable(TensorType)
  /// The system granted no memory.
  case outOfMemory(byteCount: Int)
  /// Values a quantizer cannot write in this type.
  case notQuantizable(TensorType)
}

extension ComputeError {
  /// What happened, for a sentence that names the file: of what the system refused, its own words.
  package var reason: String {
    if case .system(_, _, let code) = self { SystemMessage.of(code) } else { "\(self)" }
  }
}
