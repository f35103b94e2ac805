/// What a question asks one to do with the passages.
package enum QuestionKind: String, Sendable, CaseIterable, Codable {
  /// One fact of a type: who, when, where, how much, which.
  case fact
  /// Whether something is so.
  case yesNo = "yes-no"
  /// What something is, or what a word means.
  case definition
  case reason
  case manner
  /// Several items.
  case list
  /// How many there are.
  case count
  case compare
  case summary
  /// An order to tell, explain or describe, or words without a question.
  case about
}
