/// Words too common to tell one passage from another.
package enum StopWords {
  /// Whether a folded word is one in the language.
  package static func contains(_ word: String, in language: Language = .english) -> Bool {
    StopWordsTable.words[language]?.contains(word) ?? false
  }
}
