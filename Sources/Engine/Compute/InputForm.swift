import CKernels

/// What an input is turned into before it is multiplied.
enum InputForm {
  /// Lines of F32, unless there are so few tokens that they are multiplied as they are.
  case f32
  /// 8-bit integers, with a scale for each 32.
  case int8
  /// 16-bit integers, with a scale for each 32.
  case int16
  /// Lines rounded to BF16.
  case bf16

  /// The form that weights of a type are multiplied with.
  init(_ type: TensorType, _ precision: ComputeContext.Precision) {
    switch precision {
    case .usual: self = type.isQuantized ? .int8 : type == .bf16 ? .bf16 : .f32
    case .fine: self = type.isQuantized ? .int16 : .f32
    }
  }

  /// Bytes that some tokens take with the kernels of a set; 0 where nothing is made of them.
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

  /// Says where an input will lie in this form.
  func place(_ input: inout ck_activations, at start: UnsafeMutableRawPointer) {
    switch self {
    case .int8: input.chunks = start.assumingMemoryBound(to: ck_activation_chunk.self)
    case .int16: input.int16 = start.assumingMemoryBound(to: ck_int16_chunk.self)
    case .f32, .bf16:
      input.lines = start.assumingMemoryBound(to: Float.self)
      input.has_bf16_lines = self == .bf16 ? 1 : 0
    }
  }

  /// Whether an input is multiplied as it came.
  static func isPlain(_ input: ck_activations) -> Bool {
    input.chunks == nil && input.int16 == nil && input.lines == nil
  }
}
