/// What a prompt was made of.
package struct PromptReport: Sendable, Equatable {
  /// The user's message as the model reads it, with its passages.
  package var prompted: String
  /// The places, among the passages offered, of those in the prompt, in the order of their numbers.
  package var read: [Int]
  /// What did not fit.
  package var leftOut: [LeftOut]
  /// How the prompt ends: some templates open the model's thoughts.
  package var opening: String

  /// Makes a report.
  package init(prompted: String, read: [Int] = [], leftOut: [LeftOut] = [], opening: String = "") {
    self.prompted = prompted
    self.read = read
    self.leftOut = leftOut
    self.opening = opening
  }
}

/// Something that did not fit into the model's window; it is named before the prompt is evaluated.
package enum LeftOut: Sendable, Hashable, Codable {
  /// The passages of so many earlier answers.
  case passagesOfTurns(Int)
  /// So many of the oldest turns.
  case turns(Int)
  /// So many of the passages that were meant to be read.
  case passages(Int)
  /// The first so many tokens of the question.
  case beginning(tokens: Int, of: Int)
}
