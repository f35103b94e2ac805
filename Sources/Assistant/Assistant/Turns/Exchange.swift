/// One question and its answer, as the model is reminded of them.
package struct Exchange: Sendable, Equatable {
  /// What the user said; empty for a summary of what came before.
  package var question: String
  /// What was answered, or the summary.
  package var answer: String
  /// What the model read and said, where a model answered.
  package var transcript: Transcript?
  /// Whether the answer is a summary that stands for earlier turns.
  package var isSummary = false

  /// Makes an exchange.
  package init(question: String, answer: String, transcript: Transcript? = nil, isSummary: Bool = false) {
    self.question = question
    self.answer = answer
    self.transcript = transcript
    self.isSummary = isSummary
  }
}

extension [Turn] {
  /// The exchanges that a model is reminded of: those since the last summary, and the summary itself.
  var exchanges: [Exchange] {
    let summary = last { $0.kind == .summary }
    let later = filter { $0.kind == .exchange && $0.id > summary?.covers ?? 0 && !$0.answer.isEmpty }
    return ((summary.map { [$0] } ?? []) + later).map {
      Exchange(
        question: $0.question, answer: $0.answer, transcript: $0.transcript, isSummary: $0.kind == .summary)
    }
  }
}
