/// The words of a line typed at the prompt, with quotes and backslashes as the shell has them.
enum PromptWords {
  struct Word: Equatable {
    /// The word without its quotes.
    var text = ""
    /// Indicates whether a part of it was quoted or escaped.
    var isQuoted = false
    /// The line from this word's beginning to its end, as typed.
    var rest = ""
  }

  /// Splits a line; an open quote is an error.
  static func split(_ line: String) throws(UsageError) -> [Word] {
    let (words, openQuote) = scan(line)
    if let openQuote { throw UsageError(message: "a quote (\(openQuote)) is open at the end of the line") }
    return words
  }

  /// Splits a line that may end within quotes; with the quote that is open at its end.
  static func scan(_ line: String) -> (words: [Word], openQuote: Character?) {
    var words: [Word] = []
    var word: Word?
    var quote: Character?
    var isEscaped = false
    for index in line.indices {
      let character = line[index]
      if word == nil, !character.isWhitespace { word = Word(rest: String(line[index...])) }
      if isEscaped {
        word?.text.append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        isEscaped = true
        word?.isQuoted = true
      } else if let open = quote {
        if character == open { quote = nil } else { word?.text.append(character) }
      } else if isOpeningQuote(character, after: word) {
        quote = character
        word?.isQuoted = true
      } else if character.isWhitespace {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word?.text.append(character)
      }
    }
    if isEscaped { word?.text.append("\\") }
    if let word { words.append(word) }
    return (words, quote)
  }

  /// An apostrophe within a word, as in `don't`, opens nothing.
  private static func isOpeningQuote(_ character: Character, after word: Word?) -> Bool {
    character == "\"" || (character == "'" && (word?.text.isEmpty ?? true))
  }

  /// A word as it must be typed to mean itself.
  static func quoted(_ word: String) -> String {
    let isPlain = !word.isEmpty && !word.contains { $0.isWhitespace || "\"'\\".contains($0) }
    if isPlain { return word }
    return "\"" + word.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "\""
  }
}
