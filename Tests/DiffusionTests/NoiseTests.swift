import Compute
import Foundation
import TestSupport
import Testing

/// Noise as PyTorch's generators draw it.
struct NoiseTests {
  struct Cases: Decodable {
    struct Case: Decodable {
      let seed: UInt64
      let shape: [Int]
      let first: [Double]
      let last: [Double]
      let sum: Double
    }
    let cases: [Case]
  }

  /// The file gives seven digits; the sum may differ by as much as F32 adds.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func drawsWhatTorchDraws() throws {
    let cases = try JSONDecoder().decode(
      Cases.self, from: Data(contentsOf: SharedData.file("diffusion/noise.json"))
    ).cases
    #expect(!cases.isEmpty)
    for entry in cases {
      var source = TorchNoise(seed: entry.seed)
      let values = source.draw(entry.shape.reduce(1, *)).map(Double.init)
      for (value, expected) in zip(values, entry.first) { #expect(abs(value - expected) <= 6e-7) }
      for (value, expected) in zip(values.suffix(entry.last.count), entry.last) {
        #expect(abs(value - expected) <= 6e-7)
      }
      #expect(abs(values.reduce(0, +) - entry.sum) < 1e-6 * Double(values.count).squareRoot())
    }
  }

  /// Fewer than sixteen values are drawn one by one: `torch.randn(3)` with seed 0, from PyTorch's documentation.
  @Test func drawsFewValuesOneByOne() {
    var source = TorchNoise(seed: 0)
    let values = source.draw(3)
    for (value, expected) in zip(values, [1.5410, -0.2934, -2.1788] as [Float]) {
      #expect(abs(value - expected) < 1e-4)
    }
  }

  /// Seed 0 of `torch.randn(…, device="cuda")`.
  @Test func drawsWhatTorchDrawsOnADevice() {
    var source = PhiloxNoise(seed: 0)
    let values = source.draw(8)
    let expected: [Float] = [-0.9247, -0.4253, -2.6438, 0.1452, -0.1209, -0.5797, -0.6229, -0.3284]
    for (value, wanted) in zip(values, expected) { #expect(abs(value - wanted) < 1e-4) }
    #expect(source.draw(8) != values)
  }
}
