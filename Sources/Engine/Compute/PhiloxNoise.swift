import Glibc

/// Noise of PyTorch's CUDA generator, which web interfaces of Stable Diffusion use on any device.
///
/// Philox 4×32 with ten rounds (Salmon et al. 2011): the value with index i of the n-th tensor is drawn from the
/// counter (n, 0, i, 0) with the seed as key.
package struct PhiloxNoise: NoiseSource, Sendable {
  private let seed: UInt64
  private var drawn: UInt32 = 0

  /// Seeds the generator.
  package init(seed: UInt64) { self.seed = seed }

  /// Draws values as one call of `torch.randn` on a CUDA device does.
  package mutating func draw(_ count: Int) -> [Float] {
    let tensor = drawn
    drawn &+= 1
    return (0..<max(0, count)).map { index in
      let words = Self.words(counter: (tensor, 0, UInt32(truncatingIfNeeded: index), 0), seed: seed)
      return Self.normal(words.0, words.1)
    }
  }

  /// Returns four words of uniform bits.
  static func words(
    counter: (UInt32, UInt32, UInt32, UInt32), seed: UInt64
  ) -> (UInt32, UInt32, UInt32, UInt32) {
    var word = counter
    var key = (UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32))
    for round in 0..<10 {
      if round > 0 { key = (key.0 &+ 0x9E37_79B9, key.1 &+ 0xBB67_AE85) }
      let first = word.0.multipliedFullWidth(by: 0xD251_1F53)
      let second = word.2.multipliedFullWidth(by: 0xCD9E_8D57)
      word = (second.high ^ word.1 ^ key.0, second.low, first.high ^ word.3 ^ key.1, first.low)
    }
    return word
  }

  /// 2π rounded to nearest; Swift's own constant is rounded down.
  private static let turn = Float(2 * Double.pi)

  private static func normal(_ first: UInt32, _ second: UInt32) -> Float {
    let unit = Float(first) * 0x1p-32 + 0x1p-33
    let angle = Float(second) * (0x1p-32 * turn) + 0x1p-33 * turn
    return (-2 * log(unit)).squareRoot() * sin(angle)
  }
}
