import Compute

/// Random blocks of a type with scales of a sensible size, as a matrix.
final class RandomWeights {
  let matrix: QuantizedMatrix
  private let stored: AlignedBuffer<UInt8>

  init(_ type: TensorType, rows: Int, columns: Int, seed: UInt64) throws {
    let count = type.byteCount(rows: rows, columns: columns)!
    let bytes = try AlignedBuffer<UInt8>(count: count)
    var random = RandomSource(seed: seed)
    for i in 0..<count { bytes[i] = UInt8(truncatingIfNeeded: random.nextWord()) }
    // Halves (and floats) of random bits would hold infinities: those that scale a block get one of 1/64 to 1/4.
    for block in 0..<count / type.bytesPerBlock {
      for offset in RandomWeights.halfOffsets(type) {
        let at = block * type.bytesPerBlock + offset
        let bits = type == .bf16 ? 0x3c00 | random.nextWord() & 0x81ff : 0x2400 | random.nextWord() & 0x8fff
        bytes[at] = UInt8(truncatingIfNeeded: bits)
        bytes[at + 1] = UInt8(truncatingIfNeeded: bits >> 8)
      }
      if type == .mxfp4 { bytes[block * type.bytesPerBlock] = 120 + UInt8(random.nextWord() % 6) }
      if type == .iq1_M {
        bytes[block * type.bytesPerBlock + 55] = 0x20 | bytes[block * type.bytesPerBlock + 55] & 15
      }
      if type == .f32 {
        let value = Float(random.nextUnit() - 0.5)
        withUnsafeBytes(of: value) { for (i, byte) in $0.enumerated() { bytes[block * 4 + i] = byte } }
      }
    }
    stored = bytes
    matrix = try QuantizedMatrix(
      type: type, rows: rows, columns: columns, bytes: UnsafeRawBufferPointer(bytes.buffer), owner: bytes)
  }

  /// The blocks as a file stores them.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(stored) { try body(UnsafeRawBufferPointer(stored.buffer)) }
  }

  /// Offsets of a block's half-precision scales.
  static func halfOffsets(_ type: TensorType) -> [Int] {
    switch type {
    case .f16, .bf16, .q4_0, .q5_0, .q8_0, .iq4_NL, .iq4_XS, .iq2_XXS, .iq2_XS, .iq2_S, .iq3_XXS, .iq3_S, .iq1_S:
      [0]
    case .q4_1, .q5_1, .q4_K, .q5_K: [0, 2]
    case .q2_K: [80, 82]
    case .q3_K: [108]
    case .q6_K: [208]
    case .tq1_0: [52]
    case .tq2_0: [64]
    default: []
    }
  }

  /// The same numbers at a fixed place.
  static func buffer(_ count: Int, seed: UInt64) throws -> AlignedBuffer<Float> {
    let buffer = try AlignedBuffer<Float>(count: count)
    for (index, value) in values(count, seed: seed).enumerated() { buffer[index] = value }
    return buffer
  }

  static func values(_ count: Int, seed: UInt64) -> [Float] {
    var random = RandomSource(seed: seed)
    return (0..<count).map { _ in Float(random.nextUnit() + random.nextUnit() + random.nextUnit() - 1.5) }
  }
}
