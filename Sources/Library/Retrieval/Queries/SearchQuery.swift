/// A search as a user types it: words, "quoted phrases", -excluded words and in:filename. No text is malformed.
package struct SearchQuery: Sendable, Hashable {
  /// What was typed.
  package var text: String
  /// Everything outside quotes and operators.
  package var words = ""
  /// What must stand word by word in a passage.
  package var phrases: [String] = []
  /// Words and phrases that must not stand in a passage.
  package var excluded: [String] = []
  /// Names of files, or parts of them, of which a document must have one.
  package var files: [String] = []

  /// What is looked for by its meaning: the words and the phrases, without operators.
  package var plainText: String {
    ([words] + phrases).map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
      .filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether it has words to look for by their meaning. A number alone means nothing: it is found where it stands.
  package var hasMeaning: Bool { plainText.contains(where: \.isLetter) }

  /// Reads a query.
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

  /// A quoted phrase with at least one letter or digit; a quote that is never closed is only punctuation.
  private static func quoted(_ characters: [Character], at place: Int) -> (String, Int)? {
    guard place < characters.count, let closer = closers[characters[place]] else { return nil }
    guard let end = characters[(place + 1)...].firstIndex(of: closer) else { return nil }
    let phrase = String(characters[place + 1..<end])
    guard phrase.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return (phrase, end + 1)
  }

  /// What an exclusion names: a phrase or a word that begins with a letter ("-5" is a number, "--help" an option).
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
