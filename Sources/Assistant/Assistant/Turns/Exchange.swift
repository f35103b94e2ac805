/// One question and its answer, as they are given to the model again.
package struct Exchange: Sendable, Equatable {
  /// The user's words; empty for a summary of earlier turns.
  package var question: String
  /// The answer, or the summary.
  package var answer: String
  /// The model's input and output, where a model answered.
  package var transcript: Transcript?
  /// Indicates whether the answer is a summary that stands for earlier turns.
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
  /// Exchanges that are given to a model again: those since the last summary, and the summary itself.
  var exchanges: [Exchange] {
    let summary = last { $0.kind == .summary }
    let later = filter { $0.kind == .exchange && $0.id > summary?.covers ?? 0 && !$0.answer.isEmpty }
    return ((summary.map { [$0] } ?? []) + later).map {
      Exchange(
        question: $0.question, answer: $0.answer, transcript: $0.transcript, isSummary: $0.kind == .summary)
    }
  }
}
