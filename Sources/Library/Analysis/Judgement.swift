/// Features of the best sentences that speak for or against their being an answer. The names are the rows of
/// ``JudgementTable``.
enum JudgementFeature: Int, CaseIterable {
  case coverage, missingName, missingNumber, denied, opposite, denial, noFit
}

/// Decision whether the best sentences are close enough to a question to be shown as its answer.
struct Judgement {
  /// Probability that the sentences answer the question, from 0 to 1.
  let confidence: Double
  /// Reason not to answer; nil where one may.
  let refusal: RuleBasedAnswer.Refusal?

  init(question: Question, ranking: Ranking, isFar: Bool = false) {
    guard !ranking.units.isEmpty, !ranking.meter.matcher.terms.isEmpty else {
      confidence = 0
      refusal = .far
      return
    }
    let features = Self.features(question: question, ranking: ranking)
    let logit = zip(features, JudgementTable.weights).reduce(JudgementTable.bias) { $0 + $1.0 * $1.1 }
    confidence = 1 / (1 + Logarithm.exponential(-logit))
    let best = ranking.units[0].measured
    // "Owner: Mireille Oduya" answers "Who owns the project?" though no line names the project; so does a row.
    let isKeyed = (best.isKeyed || best.isRow) && (best.span != nil || question.expects == .clause)
    let coverage = ranking.units.prefix(5).map(\.measured.passageCoverage).max() ?? 0
    let missing = ranking.missingTerms
    let unknown = missing.reduce(0) { $0 + $1.weight } / max(ranking.meter.matcher.totalWeight, 1e-9)
    let mostUnknown =
      isKeyed
      ? 1 - JudgementTable.leastKeyedCoverage
      : missing.contains(where: \.isName) ? JudgementTable.mostUnknownName : JudgementTable.mostUnknown
    if coverage < (isKeyed ? JudgementTable.leastKeyedCoverage : JudgementTable.leastCoverage)
      || unknown > mostUnknown || isFar && !isKeyed
    {
      refusal = missing.isEmpty ? .far : .wordsMissing(missing.map(\.written))
    } else {
      refusal = confidence < JudgementTable.leastConfidence ? .far : nil
    }
  }

  /// Computes the features, in the order of ``JudgementFeature``.
  static func features(question: Question, ranking: Ranking) -> [Double] {
    var features = [Double](repeating: 0, count: JudgementFeature.allCases.count)
    func set(_ feature: JudgementFeature, _ value: Double) { features[feature.rawValue] = value }
    guard let best = ranking.units.first else { return features }
    let second = ranking.units.dropFirst().first { best.score - $0.score < 2 }
    func of(_ feature: SentenceFeature) -> Double { best.measured.features[feature.rawValue] }
    set(.coverage, best.measured.coverage)
    set(.missingName, of(.missingName))
    set(.missingNumber, of(.missingNumber))
    set(.noFit, of(.noFit))
    // Negations and opposites: the words match, but the statement is the contrary.
    let words = [best, second].compactMap(\.self).reduce(into: Set<String>()) { words, ranked in
      let passage = ranking.meter.passages[ranked.passage]
      words.formUnion(passage.tokens[passage.units[ranked.unit].tokens].lazy.map(\.folded))
    }
    let isDenial =
      question.kind != .yesNo && question.words.contains { Polarity.denials.contains($0.folded) }
    set(.denial, isDenial ? 1 : 0)
    set(.denied, isDenial && words.isDisjoint(with: Polarity.negations) ? 1 : 0)
    let opposites = question.words.filter {
      !words.contains($0.folded) && Polarity.isOpposite($0.folded, of: words)
    }
    set(.opposite, question.kind == .yesNo ? 0 : Double(min(opposites.count, 2)))
    return features
  }
}

extension Ranking {
  /// Terms that no passage, heading or title holds.
  var missingTerms: [TermMatcher.Term] {
    zip(meter.matcher.terms, met).filter { $0.1 == 0 }.map(\.0)
  }
}
