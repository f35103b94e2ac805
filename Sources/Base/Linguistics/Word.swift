/// One word of a text, or a piece of one, as it is compared and indexed.
package struct Word: Sendable, Hashable {
  /// Where it stands in the text, in UTF-8 offsets.
  package var range: Range<Int>
  /// The folded form: lower case, no diacritics, compatibility forms resolved, numbers without group separators.
  package var text: String
  /// What it is.
  package var kind: WordKind

  /// Makes a word.
  package init(range: Range<Int>, text: String, kind: WordKind) {
    self.range = range
    self.text = text
    self.kind = kind
  }
}

/// What a word is, and whether it is one of the words in sequence or an additional reading of them.
package enum WordKind: Sendable, Hashable {
  /// A word of letters, or of letters and digits.
  case word
  /// A number; its text has no group separators and a point before the decimals.
  case number
  /// Neighbouring characters of a script written without spaces (two of Chinese, Japanese, Korean; three of Thai, Lao, Khmer, Burmese).
  case gram
  /// Additional: a compound written as one ("stateoftheart" for "state-of-the-art").
  case joined
  /// Additional: a piece of a name in camel case ("user" of "getUserName").
  case part
  /// Additional: a shorter gram, so that a query of one character (or two) finds it.
  case shortGram

  /// Whether the word repeats text that others in sequence already cover.
  package var isAdditional: Bool {
    switch self {
    case .word, .number, .gram: false
    case .joined, .part, .shortGram: true
    }
  }
}
