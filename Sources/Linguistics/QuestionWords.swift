/// The words that ask.
public enum QuestionWords {
  /// Those of English, folded.
  public static let english: Set<String> = [
    "what", "which", "who", "whom", "whose", "when", "where", "why", "how",
  ]
}
