import CKernels

/// What an input is turned into before it is multiplied.
enum InputForm {
  /// Nothing: F32.
  case float
  /// 8-bit integers, with a scale for each 32.
  case int8
  /// 16-bit integers, with a scale for each 32.
  case int16
  case bf16

  /// The form that weights of a type are multiplied with.
  init(_ type: TensorType, _ precision: ComputeContext.Precision) {
    switch precision {
    case .usual: self = type.isQuantized ? .int8 : type == .bf16 ? .bf16 : .float
    case .fine: self = type.isQuantized ? .int16 : .float
    }
  }

  /// Bytes that one token takes.
  func byteCount(columns: Int) -> Int {
    let chunks = (columns + 255) / 256
    return switch self {
    case .float: 0
    case .int8: chunks * MemoryLayout<ck_activation_chunk>.stride
    case .int16: chunks * MemoryLayout<ck_fine_chunk>.stride
    case .bf16: Int(ck_bf16_bytes(Int64(columns)))
    }
  }

  /// Whether an input is multiplied as it came.
  static func isPlain(_ input: ck_activations) -> Bool {
    input.chunks == nil && input.fine == nil && input.bf16 == nil
  }

  /// Says where an input lies, or will lie, in this form.
  func place(_ input: inout ck_activations, at start: UnsafeMutableRawPointer) {
    switch self {
    case .float: break
    case .int8: input.chunks = start.assumingMemoryBound(to: ck_activation_chunk.self)
    case .int16: input.fine = start.assumingMemoryBound(to: ck_fine_chunk.self)
    case .bf16: input.bf16 = start.assumingMemoryBound(to: UInt8.self)
    }
  }
}
