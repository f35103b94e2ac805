/// The words that ask.
package enum QuestionWords {
  /// Those of English, folded.
  package static let english: Set<String> = [
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how",
  ]
}
