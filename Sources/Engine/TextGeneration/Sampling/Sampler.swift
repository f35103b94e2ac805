import Compute
import Foundation
import Tokenization

/// Draws tokens: one chain of steps, one stream of random numbers and what was said so far.
///
/// A copy draws what the original would have drawn.
package struct Sampler {
  private let settings: SamplingSettings
  private let breakers: DryBreakers
  private var source: RandomSource
  /// The bound of Mirostat.
  private var surpriseBound: Float
  private var candidates = Candidates()
  /// Tokens that the penalties look back at.
  private var history: [TokenID]

  /// - Parameter history: the tokens before the first that is drawn.
  package init(_ settings: SamplingSettings, history: [TokenID] = [], breakers: DryBreakers = DryBreakers()) {
    self.settings = settings
    self.breakers = breakers
    self.history = history
    source = RandomSource(seed: settings.seed)
    surpriseBound = 2 * (settings.mirostat?.tau ?? 0)
  }

  /// Notes a token that was said.
  package mutating func accept(_ token: TokenID) { history.append(token) }

  /// Draws the next token.
  /// - Parameters:
  ///   - logits: `(count,)`, changed.
  ///   - mask: the tokens allowed; nil for all.
  /// - Returns: nil where no token is possible.
  package mutating func draw(
    _ logits: UnsafeMutablePointer<Float>, count: Int, mask: TokenMask? = nil
  ) -> TokenID? {
    weigh(logits, count)
    return choose(logits, count: count, mask: mask)
  }

  /// Draws from logits that were weighed before.
  mutating func choose(_ logits: Floats, count: Int, mask: TokenMask?) -> TokenID? {
    if takesBest { return Self.best(logits, count: count, mask: mask) }
    fill(logits, count, mask)
    cut()
    guard let (token, likelihood) = pick(candidates.likelihoods()) else { return nil }
    if let mirostat = settings.mirostat {
      surpriseBound -= mirostat.eta * (Float(-log2(likelihood)) - mirostat.tau)
    }
    return token
  }

  /// The tokens that ``draw(_:count:mask:)`` would draw from, and how likely each is.
  package mutating func distribution(
    _ logits: UnsafeMutablePointer<Float>, count: Int
  ) -> [(token: TokenID, likelihood: Double)] {
    weigh(logits, count)
    fill(logits, count, nil)
    cut()
    return zip(candidates.items, candidates.likelihoods()).map { ($0.token, $1) }.filter { $0.likelihood > 0 }
  }

  /// Biases and penalties.
  func weigh(_ logits: MutableFloats, _ count: Int) {
    for (token, bias) in settings.logitBias where token >= 0 && Int(token) < count { logits[Int(token)] += bias }
    guard settings.mirostat == nil else { return }
    Repetition.penalise(logits, count: count, history: history, settings)
    guard let dry = settings.dry else { return }
    Repetition.discourage(logits, count: count, history: history, dry, breakers: breakers)
  }

  /// Indicates whether the chain can only end with the token of the best score.
  private var takesBest: Bool {
    settings.temperature <= 0 && settings.temperatureRange <= 0 && settings.typicalP >= 1
      && settings.xtcProbability <= 0 && settings.mirostat == nil
  }

  /// Fills the candidates, with no more than top-k keeps where it comes first: sorting whole vocabularies takes long.
  private mutating func fill(_ logits: Floats, _ count: Int, _ mask: TokenMask?) {
    if settings.mirostat == nil, settings.topNSigma <= 0, settings.topK > 0 {
      candidates.fill(logits, count: count, mask: mask, likeliest: settings.topK)
    } else {
      candidates.fill(logits, count: count, mask: mask)
    }
  }

  /// The steps that leave fewer candidates, and the temperature.
  private mutating func cut() {
    guard settings.mirostat == nil else {
      candidates.heat(settings.temperature, range: 0, exponent: 1)
      return candidates.keepSurprises(upTo: surpriseBound)
    }
    candidates.keepTopNSigma(settings.topNSigma)
    candidates.keepTopK(settings.topK)
    candidates.keepTypical(settings.typicalP)
    candidates.keepTopP(settings.topP)
    candidates.keepMinP(settings.minP)
    if settings.xtcProbability > 0, settings.xtcThreshold <= 0.5, candidates.count > 1,
      Float(source.nextUnit()) <= settings.xtcProbability
    {
      candidates.excludeTopChoices(threshold: settings.xtcThreshold)
    }
    candidates.heat(
      settings.temperature, range: settings.temperatureRange, exponent: settings.temperatureExponent)
  }

  private mutating func pick(_ likelihoods: [Double]) -> (token: TokenID, likelihood: Double)? {
    var rest = source.nextUnit()
    var last: Int?
    for (place, likelihood) in likelihoods.enumerated() where likelihood > 0 {
      last = place
      rest -= likelihood
      if rest < 0 { break }
    }
    // Rounding may leave a rest after the last that is possible.
    return last.map { (candidates.items[$0].token, likelihoods[$0]) }
  }

  private static func best(_ logits: Floats, count: Int, mask: TokenMask?) -> TokenID? {
    var (best, largest) = (-1, -Float.infinity)
    func look(_ token: Int) { if logits[token] > largest { (best, largest) = (token, logits[token]) } }
    if let mask {
      mask.forEach(below: count, look)
    } else {
      for token in 0..<count { look(token) }
    }
    return best < 0 ? nil : TokenID(best)
  }
}
