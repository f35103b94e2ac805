/// Words too common to tell one passage from another.
public enum StopWords {
  /// Whether a folded word is one in the language.
  public static func contains(_ word: String, in language: Language = .english) -> Bool {
    StopWordsTable.words[language]?.contains(word) ?? false
  }

  /// Whether a folded word only carries the form of a question or request ("what", "tell", "please"), not its subject.
  public static func isQuestionWord(_ word: String) -> Bool { StopWordsTable.questionWords.contains(word) }
}
