/// Question words.
package enum QuestionWords {
  /// English question words, folded.
  package static let english: Set<String> = [
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how",
  ]
}
