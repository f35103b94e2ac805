/// Search as a user types it: words, "quoted phrases", -excluded words and in:filename. No text is malformed.
package struct SearchQuery: Sendable, Hashable {
  /// Text as typed.
  package var text: String
  /// Text outside quotes and operators.
  package var words = ""
  /// Phrases that a passage must hold word by word.
  package var phrases: [String] = []
  /// Words and phrases that a passage must not hold.
  package var excluded: [String] = []
  /// Names of files, or parts of them, one of which the document must have.
  package var files: [String] = []

  /// Text to embed: the words and the phrases, without operators.
  package var plainText: String {
    ([words] + phrases).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Indicates whether there is text to embed. A number alone has no meaning: it is found as a keyword.
  package var hasMeaning: Bool { plainText.contains(where: \.isLetter) }

  /// Parses a query.
  package init(_ text: String) {
    self.text = text
    let characters = Array(text)
    var place = 0
    var startsWord = true
    while place < characters.count {
      let character = characters[place]
      if let (phrase, end) = SearchQuery.quoted(characters, at: place) {
        phrases.append(phrase)
        place = end
        startsWord = true
        continue
      }
      if startsWord, character == "-", let (term, end) = SearchQuery.term(characters, at: place + 1) {
        excluded.append(term)
        place = end
        continue
      }
      if startsWord, place + 3 <= characters.count, String(characters[place..<place + 3]).lowercased() == "in:",
        let (name, end) = SearchQuery.name(characters, at: place + 3)
      {
        files.append(name)
        place = end
        continue
      }
      words.append(character)
      startsWord = character.isWhitespace
      place += 1
    }
  }

  private static let closers: [Character: Character] = [
    "\"": "\"", "\u{201c}": "\u{201d}", "\u{201e}": "\u{201c}", "«": "»", "「": "」", "『": "』",
  ]

  /// Parses a quoted phrase with at least one letter or digit; a quote that is never closed is only punctuation.
  private static func quoted(_ characters: [Character], at place: Int) -> (String, Int)? {
    guard place < characters.count, let closer = closers[characters[place]] else { return nil }
    guard let end = characters[(place + 1)...].firstIndex(of: closer) else { return nil }
    let phrase = String(characters[place + 1..<end])
    guard phrase.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return (phrase, end + 1)
  }

  /// Parses an exclusion: a phrase, or a word that begins with a letter ("-5" is a number, "--help" an option).
  private static func term(_ characters: [Character], at place: Int) -> (String, Int)? {
    if let phrase = quoted(characters, at: place) { return phrase }
    guard place < characters.count, characters[place].isLetter else { return nil }
    let end = characters[place...].firstIndex(where: \.isWhitespace) ?? characters.count
    return (String(characters[place..<end]), end)
  }

  private static func name(_ characters: [Character], at place: Int) -> (String, Int)? {
    if let name = quoted(characters, at: place) { return name }
    guard place < characters.count, !characters[place].isWhitespace else { return nil }
    let end = characters[place...].firstIndex(where: \.isWhitespace) ?? characters.count
    return (String(characters[place..<end]), end)
  }
}
