import CKernels

/// Form of an input in which it is multiplied.
enum InputForm {
  /// Lines of F32; a small batch is multiplied as given.
  case f32
  /// 8-bit integers with a scale for each 32 values.
  case int8
  /// 16-bit integers with a scale for each 32 values.
  case int16
  /// Lines of BF16.
  case bf16

  /// Chooses the form for weights of a type.
  init(_ type: TensorType, _ precision: ComputeContext.Precision) {
    switch precision {
    case .usual: self = type.isQuantized ? .int8 : type == .bf16 ? .bf16 : .f32
    case .fine: self = type.isQuantized ? .int16 : .f32
    }
  }

  /// Returns the size of this form of `tokens` tokens for an instruction set, in bytes; 0 where the input is used as
  /// given.
  func byteCount(tokens: Int, columns: Int, _ set: InstructionSet) -> Int {
    let chunks = (columns + 255) / 256
    return switch self {
    case .f32 where tokens <= ck_small_batch_tokens: 0
    case .f32: tokens * Int(ck_line_bytes(set.rawValue, 0, Int64(columns)))
    case .bf16: tokens * Int(ck_line_bytes(set.rawValue, 1, Int64(columns)))
    case .int8: tokens * chunks * MemoryLayout<ck_activation_chunk>.stride
    case .int16: tokens * chunks * MemoryLayout<ck_int16_chunk>.stride
    }
  }

  /// Sets the memory of this form of an input.
  func place(_ input: inout ck_activations, at start: UnsafeMutableRawPointer) {
    switch self {
    case .int8: input.chunks = start.assumingMemoryBound(to: ck_activation_chunk.self)
    case .int16: input.int16 = start.assumingMemoryBound(to: ck_int16_chunk.self)
    case .f32, .bf16:
      input.lines = start.assumingMemoryBound(to: Float.self)
      input.has_bf16_lines = self == .bf16 ? 1 : 0
    }
  }

  /// Indicates whether an input is multiplied as given.
  static func isPlain(_ input: ck_activations) -> Bool {
    input.chunks == nil && input.int16 == nil && input.lines == nil
  }
}
