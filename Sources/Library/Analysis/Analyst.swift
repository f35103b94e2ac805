/// Answers questions from passages by rules alone, without a language model.
///
/// Everything is a pure function of its input: the same question and evidence give the same answer.
package struct Analyst: Sendable {
  /// Phrases that join quotes.
  let phrases: Phrases

  /// Makes an analyst with the phrases that join its quotes.
  package init(phrases: Phrases) { self.phrases = phrases }

  /// Answers a question from the passages found for it.
  /// - Parameters:
  ///   - evidence: the passages, best first; for counting and listing, all passages that may be read.
  ///   - coverage: the share of the material that the evidence is; stated in the answer where a complete one needs
  ///     all.
  ///   - sentenceLimit: largest number of sentences to quote for a question of fact; lists and comparisons take what
  ///     they need.
  ///   - isFar: whether the search judged that nothing found is close enough to be about the question.
  package func answer(
    _ question: Question, evidence: [Evidence], coverage: ReadingCoverage? = nil, sentenceLimit: Int = 2,
    isFar: Bool = false
  ) -> RuleBasedAnswer {
    guard !question.words.isEmpty else { return refuse(.emptyQuestion, phrases[.emptyQuestion]) }
    guard !evidence.isEmpty else { return refuse(.noPassages, phrases[.noPassages]) }
    if question.kind == .summary { return summary(of: evidence, sentences: max(sentenceLimit, 5)) }
    let ranking = Ranking(question: question, evidence: evidence)
    let judgement = Judgement(question: question, ranking: ranking, isFar: isFar)
    let composer = Composer(
      question: question, evidence: evidence, ranking: ranking, phrases: phrases,
      sentenceLimit: max(sentenceLimit, 1))
    if let refusal = judgement.refusal {
      var answer = refuse(refusal, sentence(for: refusal))
      answer.confidence = judgement.confidence
      answer.nearest = composer.nearest
      return answer
    }
    var parts: [RuleBasedAnswer.Part]
    switch question.kind {
    case .yesNo: parts = composer.yesNo()
    case .compare: parts = composer.comparison()
    case .list: parts = composer.list()
    default: parts = composer.fact()
    }
    if question.needsAllPassages, let coverage {
      let values = ["read": String(coverage.read), "total": String(coverage.total)]
      parts.append(.text("\n" + phrases[.readPart, values]))
    }
    return RuleBasedAnswer(parts: parts, confidence: judgement.confidence)
  }

  private func refuse(_ refusal: RuleBasedAnswer.Refusal, _ text: String) -> RuleBasedAnswer {
    RuleBasedAnswer(parts: [.text(text)], refusal: refusal, confidence: 0)
  }

  private func sentence(for refusal: RuleBasedAnswer.Refusal) -> String {
    switch refusal {
    case .emptyQuestion: phrases[.emptyQuestion]
    case .noPassages: phrases[.noPassages]
    case .far: phrases[.far]
    case .wordsMissing(let words):
      // A question about a long text has many.
      phrases[
        .wordsMissing,
        ["words": words.prefix(8).map { "“\($0)”" }.joined(separator: ", ") + (words.count > 8 ? " …" : "")]]
    }
  }
}
