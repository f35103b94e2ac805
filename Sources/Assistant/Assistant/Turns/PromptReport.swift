/// Parts of a prompt.
package struct PromptReport: Sendable, Equatable {
  /// The user's message as the model reads it, with its passages.
  package var prompted: String
  /// Indices, among the passages offered, of those in the prompt, in the order of their numbers.
  package var read: [Int]
  /// Parts that did not fit.
  package var leftOut: [LeftOut]
  /// End of the prompt: some templates open the model's thoughts there.
  package var opening: String

  /// Makes a report.
  package init(prompted: String, read: [Int] = [], leftOut: [LeftOut] = [], opening: String = "") {
    self.prompted = prompted
    self.read = read
    self.leftOut = leftOut
    self.opening = opening
  }
}

/// A part that did not fit into the model's context window; it is reported before the prompt is evaluated.
package enum LeftOut: Sendable, Hashable, Codable {
  /// The passages of this number of earlier answers.
  case passagesOfTurns(Int)
  /// This number of the oldest turns.
  case turns(Int)
  /// This number of passages that were meant to be read.
  case passages(Int)
  /// This number of tokens at the beginning of the question.
  case beginning(tokens: Int, of: Int)
}
