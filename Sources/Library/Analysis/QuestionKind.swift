/// Kind of task that a question sets.
package enum QuestionKind: String, Sendable, CaseIterable, Codable {
  /// Fact of a type: who, when, where, how much, which.
  case fact
  /// Statement to confirm or deny.
  case yesNo = "yes-no"
  /// Definition of a thing or a word.
  case definition
  case reason
  case manner
  /// Several items.
  case list
  /// Number of items.
  case count
  case compare
  case summary
  /// Request to tell, explain or describe, or words without a question.
  case about
}
