import Entitlements

/// A model on this machine that can answer: a language model, or in the tests a script.
///
/// Every run goes through ``Session``, which reserves a ticket before it and settles it after; a backend knows nothing
/// of tickets.
package protocol LocalBackend: Sendable {
  /// The engine, as tickets name it.
  var kind: LocalModelBackend { get }
  /// The model's name, for badges.
  var name: String { get }
  /// Indicates whether it may call tools.
  var toolUse: ToolUse { get }
  /// Indicates whether the model puts questions into other words for the search.
  var rewordsQuestions: Bool { get }
  /// Indicates whether the conversation takes so much of the context window that it is summed up before the next
  /// question.
  func needsSummary(_ history: [Exchange]) -> Bool
  /// Cuts the passages of a document into parts, each of which one prompt holds.
  func parts(of passages: [PromptPassage]) -> [Range<Int>]
  /// Answers, piece by piece. Dropping the stream stops the run before its next token.
  func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error>
}

extension LocalBackend {
  /// A backend calls no tools unless it says so.
  package var toolUse: ToolUse { .off }
  /// A backend leaves questions as they are unless it says otherwise.
  package var rewordsQuestions: Bool { false }
  /// A backend without a context window of its own needs no summaries.
  package func needsSummary(_ history: [Exchange]) -> Bool { false }
  /// A backend without a context window of its own reads some passages at a time.
  package func parts(of passages: [PromptPassage]) -> [Range<Int>] {
    stride(from: 0, to: passages.count, by: 6).map { $0..<min($0 + 6, passages.count) }
  }
}

/// Output and progress of a backend while it runs.
package enum LocalOutput: Sendable, Equatable {
  /// The prompt as it was made, before any of it is evaluated.
  case prompted(PromptReport)
  /// Progress of prefill, in the prompt's new tokens.
  case prefill(done: Int, total: Int)
  /// The next piece of the model's output, with the marks of its thoughts and tool calls.
  case text(String)
  /// The run is over.
  case finished(AnswerMetrics)
}
