import Foundation

/// Statuses of a turn.
package enum TurnStatus: String, Sendable, Codable {
  /// The question is stored and the answer is on its way; after a crash this is what remains.
  case open
  case complete
  /// The user stopped it; the answer so far is kept.
  case stopped
  case failed
  /// Taken back by `/undo` or replaced by `/regenerate`.
  case undone
}

/// One question and its answer.
package struct Turn: Sendable, Equatable, Codable {
  /// Its number over all sessions.
  package let id: Int
  /// Date of the question.
  package let asked: Date
  /// The question.
  package let question: String
  /// The answer so far.
  package var answer: String
  /// Its status.
  package var status: TurnStatus
  /// Author of the answer: `analysis`, or the model's name.
  package var author: String
  /// Sources of the answer, in the order of their numbers.
  package var sources: [Source]
  /// Indicates whether it is a question with its answer, or a summary of the turns before.
  package var kind = TurnKind.exchange
  /// The model's input and output, where one answered.
  package var transcript: Transcript?
  /// The last turn that a summary stands for; 0 for anything else.
  package var covers = 0
}

/// Kinds of turns.
package enum TurnKind: String, Sendable, Codable {
  /// A question and its answer.
  case exchange
  /// A summary that stands for all turns before it when a model continues the conversation.
  case summary
}
