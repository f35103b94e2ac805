import Foundation

// The steps of a sampler chain, each as the source named with it defines it. llama.cpp's `src/llama-sampling.cpp` has
// them all.
extension Candidates {
  /// Top-k (Fan et al. 2018): the k likeliest.
  mutating func keepTopK(_ k: Int) {
    guard k > 0 else { return }
    keepFirst(k)
  }

  /// Top-p, the nucleus (Holtzman et al. 2019): the likeliest until their likelihoods reach p.
  mutating func keepTopP(_ p: Float) {
    guard p < 1, let top = best()?.logit else { return }
    let total = total(top: top)
    var sum = 0.0
    for place in 0..<count {
      sort(upTo: place + 1)
      sum += exp(Double(items[place].logit) - Double(top)) / total
      guard sum >= Double(p) else { continue }
      keepFirst(place + 1)
      return
    }
  }

  /// Min-p (Nguyen et al. 2024): those at least p times as likely as the likeliest.
  mutating func keepMinP(_ p: Float) {
    guard p > 0, let top = best()?.logit else { return }
    keep(from: top + logf(p))
  }

  /// Top-n-sigma (Tang et al. 2024): those within n standard deviations of the best score.
  mutating func keepTopNSigma(_ n: Float) {
    guard n > 0, let top = best()?.logit, count > 1 else { return }
    let mean = items.reduce(0.0) { $0 + Double($1.logit) } / Double(count)
    let variance = items.reduce(0.0) { $0 + pow(Double($1.logit) - mean, 2) } / Double(count)
    keep(from: Float(Double(top) - Double(n) * variance.squareRoot()))
  }

  /// Locally typical sampling (Meister et al. 2022): those whose surprise is closest to the entropy, until their
  /// likelihoods reach p.
  mutating func keepTypical(_ p: Float) {
    guard p < 1 else { return }
    let likelihoods = likelihoods()
    let entropy = Self.entropy(likelihoods)
    // Likelihoods of zero have no surprise to compare.
    let distances = likelihoods.map { $0 > 0 ? abs(-log($0) - entropy) : .infinity }
    let tokens = items.map(\.token)
    let order = tokens.indices.sorted { (distances[$0], tokens[$0]) < (distances[$1], tokens[$1]) }
    var sum = 0.0
    var kept = 0
    for place in order {
      sum += likelihoods[place]
      kept += 1
      if sum > Double(p) { break }
    }
    select(order.prefix(kept))
  }

  /// XTC, "exclude top choices" (p-e-w, text-generation-webui pull request 6335): of the tokens with at least the
  /// threshold's likelihood all go but the least likely.
  mutating func excludeTopChoices(threshold: Float) {
    guard let top = best()?.logit else { return }
    let total = total(top: top)
    var above = 0
    while above < count {
      sort(upTo: above + 1)
      guard exp(Double(items[above].logit) - Double(top)) / total >= Double(threshold) else { break }
      above += 1
    }
    if above > 1 { dropFirst(above - 1) }
  }

  /// Temperature; with a range it follows the entropy of the candidates (Zhu et al. 2023, as llama.cpp's
  /// `llama_sampler_init_temp_ext` has it): from `temperature - range` where all is certain to `temperature + range`
  /// where all are alike.
  /// - Parameter exponent: the power of the entropy's share of its maximum.
  mutating func heat(_ temperature: Float, range: Float, exponent: Float) {
    guard range > 0, count > 1 else {
      cool(to: temperature)
      return
    }
    let (low, high) = (max(0, temperature - range), temperature + range)
    let share = Self.entropy(likelihoods()) / log(Double(count))
    cool(to: low + (high - low) * Float(pow(max(0, share), Double(exponent))))
  }

  /// A temperature of zero leaves the best alone.
  private mutating func cool(to temperature: Float) {
    if temperature > 0 { heat(temperature) } else { keepFirst(1) }
  }

  /// Mirostat 2 cuts off what surprises more than `bound` bits; the likeliest stays.
  mutating func keepSurprises(upTo bound: Float) {
    guard let top = best()?.logit else { return }
    let total = total(top: top)
    var kept = 0
    while kept < count {
      sort(upTo: kept + 1)
      let likelihood = exp(Double(items[kept].logit) - Double(top)) / total
      guard -log2(likelihood) <= Double(bound) else { break }
      kept += 1
    }
    keepFirst(max(1, kept))
  }

  /// The entropy of likelihoods, in nats.
  static func entropy(_ likelihoods: [Double]) -> Double {
    likelihoods.reduce(0) { $1 > 0 ? $0 - $1 * log($1) : $0 }
  }
}
