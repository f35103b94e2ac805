/// Stop words: too common to tell one passage from another.
package enum StopWords {
  /// Indicates whether a folded word is a stop word of the language.
  package static func contains(_ word: String, in language: Language = .english) -> Bool {
    StopWordsTable.words[language]?.contains(word) ?? false
  }
}
