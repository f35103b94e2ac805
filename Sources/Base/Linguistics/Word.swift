/// Word of a text, or a piece of one, as it is compared and indexed.
package struct Word: Sendable, Hashable {
  /// Range in the text, in UTF-8 offsets.
  package var range: Range<Int>
  /// Folded form: lower case, no diacritics, compatibility forms resolved, numbers without group separators.
  package var text: String
  /// Kind of word.
  package var kind: WordKind

  /// Makes a word.
  package init(range: Range<Int>, text: String, kind: WordKind) {
    self.range = range
    self.text = text
    self.kind = kind
  }
}

/// Kind of a word: one in sequence, or an additional reading of others.
package enum WordKind: Sendable, Hashable {
  /// Word of letters, or of letters and digits.
  case word
  /// Number; its text has no group separators and a point before the decimals.
  case number
  /// N-gram of a script written without spaces (bigrams of Chinese, Japanese, Korean; trigrams of Thai, Lao, Khmer,
  /// Burmese).
  case gram
  /// Additional reading: a compound written as one ("stateoftheart" for "state-of-the-art").
  case joined
  /// Additional reading: a piece of a name in camel case ("user" of "getUserName").
  case part
  /// Additional reading: a shorter n-gram, so that a query of one character (or two) finds it.
  case shortGram

  /// Indicates whether the word repeats text that others in sequence already cover.
  package var isAdditional: Bool {
    switch self {
    case .word, .number, .gram: false
    case .joined, .part, .shortGram: true
    }
  }
}
