/// Language of a text, as far as search and analysis distinguish it.
package enum Language: String, Sendable, CaseIterable, Codable {
  case english = "en"
  case german = "de"
  case french = "fr"
  case spanish = "es"
  case italian = "it"
  case portuguese = "pt"
  case dutch = "nl"
  case russian = "ru"
  /// Any other language, or too little text to tell.
  case other = "-"

  /// Determines the language of a question: English where one of its words is of English alone, whatever foreign names
  /// it holds.
  /// - Parameter words: folded words.
  package static func ofQuestion(_ words: some Sequence<String>) -> Language {
    let isEnglish = words.contains {
      StopWordsTable.languages[$0] == [.english] || QuestionWords.english.contains($0)
    }
    return isEnglish ? .english : guess(from: words)
  }

  /// Determines the language by stop words, where there are enough to tell.
  ///
  /// A short text of ASCII words alone counts as English: file names and headings are mostly that; one in Cyrillic
  /// letters as Russian, since related languages share the endings.
  /// - Parameter words: folded words; the first few thousand are enough.
  package static func guess(from words: some Sequence<String>) -> Language {
    var counts: [Language: Int] = [:]
    var total = 0
    var (asciiCount, cyrillicCount) = (0, 0)
    for word in words {
      total += 1
      if word.utf8.allSatisfy({ $0 < 0x80 }) { asciiCount += 1 }
      if let first = word.unicodeScalars.first, (0x400...0x4ff).contains(first.value) { cyrillicCount += 1 }
      for language in StopWordsTable.languages[word] ?? [] { counts[language, default: 0] += 1 }
    }
    guard total > 0 else { return .other }
    let ranked = counts.sorted { ($1.value, $0.key.rawValue) < ($0.value, $1.key.rawValue) }
    if let best = ranked.first {
      // A tie goes to English: lists of names and tables hold few words of any language.
      let english = counts[.english] ?? 0
      let language = best.value == english ? .english : best.key
      let second = ranked.first { $0.key != language }?.value ?? 0
      if Double(best.value) >= 0.12 * Double(total), best.value >= second { return language }
      if language != .english, best.value >= 3, Double(best.value) >= 0.08 * Double(total) { return language }
    }
    if Double(cyrillicCount) >= 0.8 * Double(total) { return .russian }
    // Tables, code and lists have no stop words; their ASCII words are taken for English.
    return Double(asciiCount) >= 0.9 * Double(total) ? .english : .other
  }
}
