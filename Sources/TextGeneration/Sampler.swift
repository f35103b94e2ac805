import Compute
import Foundation
import Tokenization

/// How the next token is drawn from the model's scores.
public enum Sampling: Sendable, Equatable {
  /// The likeliest token, the lower number where two are alike.
  case greedy
  /// By the likelihoods at a temperature; the same seed draws the same tokens.
  case temperature(Float, seed: UInt64)
}

/// Draws tokens.
struct Sampler {
  private let temperature: Float
  private var source: RandomSource

  init(_ sampling: Sampling) {
    switch sampling {
    case .greedy: (temperature, source) = (0, RandomSource(seed: 0))
    case .temperature(let temperature, let seed):
      (self.temperature, source) = (temperature, RandomSource(seed: seed))
    }
  }

  /// Draws from `(count,)` logits, which may be overwritten.
  mutating func draw(_ logits: MutableFloats, count: Int) -> TokenID {
    let best = likeliest(logits, count)
    guard temperature > 0 else { return TokenID(best) }
    let largest = logits[best]
    var total = 0.0
    for index in 0..<count {
      logits[index] = expf((logits[index] - largest) / temperature)
      total += Double(logits[index])
    }
    var rest = source.nextUnit() * total
    for index in 0..<count {
      rest -= Double(logits[index])
      if rest < 0 { return TokenID(index) }
    }
    return TokenID(best)
  }

  private func likeliest(_ logits: Floats, _ count: Int) -> Int {
    var best = 0
    for index in 1..<max(1, count) where logits[index] > logits[best] { best = index }
    return best
  }
}
