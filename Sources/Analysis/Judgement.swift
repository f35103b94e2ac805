/// Whether the best sentences are near enough to a question to be shown as its answer.
struct Judgement {
  /// How likely the best sentence answers, from 0 to 1.
  let confidence: Double
  /// Why not to answer; nil where one may.
  let refusal: RuleBasedAnswer.Refusal?

  init(question: Question, ranking: Ranking) {
    guard let best = ranking.units.first, !ranking.meter.matcher.terms.isEmpty else {
      confidence = 0
      refusal = .far
      return
    }
    let coverage = best.measured.coverage
    let passageCoverage = ranking.units.prefix(5).map(\.measured.passageCoverage).max() ?? 0
    let missing = ranking.missingTerms
    let logit = -2 + 4 * coverage + 2 * passageCoverage
    confidence = 1 / (1 + Logarithm.exponential(-logit))
    // "Owner: Mireille Oduya" answers "Who owns the project?" though no line names the project.
    let isKeyed = best.measured.isKeyed && (best.measured.span != nil || question.expects == .clause)
    if passageCoverage < (isKeyed ? 0.2 : 0.35) {
      refusal = missing.isEmpty ? .far : .wordsMissing(missing.map(\.folded))
    } else {
      refusal = nil
    }
  }
}

extension Ranking {
  /// The terms that no passage, heading or title has.
  var missingTerms: [TermMatcher.Term] {
    meter.matcher.terms.filter { term in
      !meter.passages.contains { passage in
        passage.stems.contains(term.stem) || passage.headingStems.contains(term.stem)
          || !passage.stems.isDisjoint(with: term.synonyms)
          || passage.tokens.contains { meter.matcher.match(term, $0) > 0 }
      }
    }
  }

  /// The passages of the best sentences, each once.
  var nearestPassages: [Int] {
    var seen: Set<Int> = []
    return Array(units.map(\.passage).filter { seen.insert($0).inserted }.prefix(3))
  }
}
