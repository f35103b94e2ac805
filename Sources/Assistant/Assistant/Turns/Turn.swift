import Foundation

/// How far a turn has come.
package enum TurnStatus: String, Sendable, Codable {
  /// The question is stored and the answer is on its way; after a crash this is what remains.
  case open
  case complete
  /// The user stopped it; what had been said is kept.
  case stopped
  case failed
  /// Taken back by `/undo` or replaced by `/regenerate`.
  case undone
}

/// One question and its answer.
package struct Turn: Sendable, Equatable, Codable {
  /// Its number over all sessions.
  package let id: Int
  /// When it was asked.
  package let asked: Date
  /// What the user said.
  package let question: String
  /// What was answered so far.
  package var answer: String
  /// How far it has come.
  package var status: TurnStatus
  /// Who answered: `analysis`, or the model's name.
  package var author: String
  /// What the answer cites, in the order of its numbers.
  package var sources: [Source]
  /// Whether it is a question with its answer, or a summary of the turns before.
  package var kind = TurnKind.exchange
  /// What the model read and said, where one answered.
  package var transcript: Transcript?
  /// The last turn that a summary stands for; 0 for anything else.
  package var covers = 0
}

/// What a turn is.
package enum TurnKind: String, Sendable, Codable {
  /// A question and its answer.
  case exchange
  /// A summary that stands for all turns before it when a model is reminded of them.
  case summary
}
