import Glibc

/// Noise of PyTorch's CPU generator: `torch.randn(…, generator=torch.Generator("cpu").manual_seed(seed))`.
///
/// Bits come from MT19937 (Matsumoto and Nishimura 1998). Sixteen values and more are drawn as ATen's `normal_fill`
/// draws them, by the Box-Muller transform in F32 and in groups of 16; fewer one by one in F64.
package struct TorchNoise: NoiseSource, Sendable {
  private var state: [UInt32]
  private var position = Self.size
  /// Second value of a pair, of which only the first was used.
  private var spare: Double?

  private static let size = 624
  private static let shift = 397

  /// Seeds the generator; like PyTorch's it takes the lower 32 bits.
  package init(seed: UInt64) {
    state = [UInt32](repeating: 0, count: Self.size)
    state[0] = UInt32(truncatingIfNeeded: seed)
    for index in 1..<Self.size {
      let previous = state[index - 1]
      state[index] = 1_812_433_253 &* (previous ^ previous >> 30) &+ UInt32(index)
    }
  }

  /// Returns 32 uniform bits.
  mutating func nextWord() -> UInt32 {
    if position == Self.size { twist() }
    var word = state[position]
    position += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C_5680
    word ^= word << 15 & 0xEFC6_0000
    return word ^ word >> 18
  }

  private mutating func twist() {
    for index in 0..<Self.size {
      let next = state[(index + 1) % Self.size]
      let mixed = state[index] & 0x8000_0000 | next & 0x7FFF_FFFF
      state[index] = state[(index + Self.shift) % Self.size] ^ mixed >> 1 ^ (next & 1 != 0 ? 0x9908_B0DF : 0)
    }
    position = 0
  }

  /// Draws values as one call of `torch.randn` does.
  package mutating func draw(_ count: Int) -> [Float] {
    guard count >= 16 else { return (0..<max(0, count)).map { _ in Float(nextNormal()) } }
    var values = (0..<count).map { _ in nextUnit() }
    for group in stride(from: 0, through: count - 16, by: 16) { Self.transform(&values, at: group) }
    if count % 16 != 0 {
      // As in ATen, the last 16 values are drawn again.
      for index in count - 16..<count { values[index] = nextUnit() }
      Self.transform(&values, at: count - 16)
    }
    return values
  }

  /// Returns a uniform value in `0..<1` of 24 bits.
  private mutating func nextUnit() -> Float { Float(nextWord() & 0xFF_FFFF) * 0x1p-24 }

  private mutating func nextDouble() -> Double {
    let high = UInt64(nextWord())
    let bits = high << 32 | UInt64(nextWord())
    return Double(bits & (1 << 53 - 1)) * 0x1p-53
  }

  /// 2π rounded to nearest; Swift's own constant is rounded down.
  private static let turn = Float(2 * Double.pi)

  private static func transform(_ values: inout [Float], at start: Int) {
    for index in start..<start + 8 {
      let radius = (-2 * log(1 - values[index])).squareRoot()
      let angle = turn * values[index + 8]
      values[index] = radius * cos(angle)
      values[index + 8] = radius * sin(angle)
    }
  }

  private mutating func nextNormal() -> Double {
    if let kept = spare {
      spare = nil
      return kept
    }
    let (first, second) = (nextDouble(), nextDouble())
    let radius = (-2 * log1p(-second)).squareRoot()
    spare = radius * sin(2 * Double.pi * first)
    return radius * cos(2 * Double.pi * first)
  }
}
