import Linguistics

/// Turns text into indexed terms.
///
/// A term is a folded word's stem in the language of its document. Terms never hold a space, so that they can be
/// joined by spaces.
enum TextAnalyzer {
  /// Version of the analysis, raised whenever the same text would give other terms: the index is then rebuilt from
  /// the passages.
  static let version = 3

  /// Terms of one text: those in sequence, and additional readings (compounds as one, parts of names, short grams,
  /// dates in one form).
  struct Terms {
    var sequence: [String] = []
    var compounds: [String] = []
  }

  static func terms(of text: String, in language: Language, stems: inout StemCache) -> Terms {
    var terms = Terms()
    terms.sequence.reserveCapacity(text.utf8.count / 6)
    var reader = ValueReader()
    var copy = text
    copy.withUTF8 { bytes in
      Words.forEach(in: text) { word in
        let term = term(for: word, in: language, stems: &stems)
        if word.kind.isAdditional {
          terms.compounds.append(term)
          return
        }
        terms.sequence.append(term)
        for value in reader.take(word, of: bytes) {
          terms.compounds.append(value.term)
          terms.compounds += value.wider
        }
      }
    }
    return terms
  }

  static func term(for word: Word, in language: Language) -> String {
    switch word.kind {
    case .word, .joined, .part:
      language == .english ? Stemmer.stem(word.text) : LightStemmer.stem(word.text, in: language)
    case .number, .gram, .shortGram: word.text
    }
  }

  /// Returns the term of a word, with a cache for the words of one document: most repeat.
  static func term(for word: Word, in language: Language, stems: inout StemCache) -> String {
    guard language != .other, word.kind != .number else { return word.text }
    if let known = stems.known[language]?[word.text] { return known }
    let term = term(for: word, in: language)
    stems.known[language, default: [:]][word.text] = term
    return term
  }

  /// Returns the language of a document, by its first passages.
  static func language(of texts: some Sequence<String>) -> Language {
    var words: [String] = []
    for text in texts {
      Words.forEach(in: text) { word in
        if word.kind == .word || word.kind == .gram { words.append(word.text) }
      }
      if words.count > 3_000 { break }
    }
    return Language.guess(from: words)
  }
}

/// Cache of the stems of words seen while one document is stored or one search runs.
struct StemCache {
  fileprivate var known: [Language: [String: String]] = [:]
}
