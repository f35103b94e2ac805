import Foundation

/// A number or a name in an answer: what a reader would look up.
struct Claim {
  enum Kind { case number, name }
  var kind: Kind
  var range: Range<String.Index>
  /// The form that is looked for in the quotes.
  var folded: String

  /// The numbers and names of a sentence, in order. Bracketed citations are no claims.
  static func all(in sentence: String) -> [Claim] {
    var claims: [Claim] = []
    let words = Word.all(in: sentence)
    for (place, word) in words.enumerated() {
      if word.text.contains(where: \.isNumber) {
        claims.append(Claim(kind: .number, range: word.range, folded: folded(word.text)))
        continue
      }
      guard let first = word.text.first, first.isUppercase, word.text.count > 1 else { continue }
      // The first word of a sentence is capitalised anyway; it is a name only where the next word is one too.
      let isFirst = place == 0 || word.opensSentence
      let nextIsName =
        place + 1 < words.count && !words[place + 1].opensSentence
        && words[place + 1].text.first?.isUppercase == true
      if !isFirst || (nextIsName && !commonOpeners.contains(folded(word.text))) {
        claims.append(Claim(kind: .name, range: word.range, folded: folded(word.text)))
      }
    }
    return claims
  }

  /// Words that open sentences without being part of the name behind them.
  private static let commonOpeners: Set<String> = [
    "the", "a", "an", "in", "on", "at", "by", "from", "for", "with", "and", "but", "or", "so", "if", "when",
    "where",
    "while", "after", "before", "since", "until", "both", "each", "all", "its", "his", "her", "their", "our", "my",
    "your", "this", "that", "these", "those", "according", "yes", "no", "as", "to", "of", "under", "over", "it",
    "is",
  ]

  /// The form in which an answer's word and a quote's word are compared: compatibility letters, case and
  /// diacritics folded, a number's grouping removed.
  static func folded(_ text: some StringProtocol) -> String {
    var plain = String(text).precomposedStringWithCompatibilityMapping
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    plain.removeAll { $0 == "\u{ad}" }
    for ending in ["'s", "’s"] where plain.hasSuffix(ending) { plain.removeLast(2) }
    guard plain.contains(where: \.isNumber) else { return plain }
    // 1,234 and 1'234 and 1 234 are the same number; 1.5 stays what it is.
    let characters = Array(plain)
    return String(
      characters.indices.compactMap { at -> Character? in
        guard ",'’\u{2009}\u{202f}\u{a0}".contains(characters[at]) else { return characters[at] }
        let digitsBehind = characters[(at + 1)...].prefix { $0.isNumber }.count
        return at > 0 && characters[at - 1].isNumber && digitsBehind == 3 ? nil : characters[at]
      })
  }
}

/// A word as the checker sees it: letters and digits, with the marks that hold numbers and names together.
struct Word {
  var text: Substring
  var range: Range<String.Index>
  /// Whether a sentence ends just before it.
  var opensSentence: Bool

  static func all(in text: String) -> [Word] {
    var words: [Word] = []
    var index = text.startIndex
    var opens = true
    while index < text.endIndex {
      let character = text[index]
      if character == "[", let close = text[index...].prefix(24).firstIndex(of: "]"),
        text[text.index(after: index)..<close].allSatisfy({ $0.isNumber || $0 == "," || $0 == " " })
      {
        index = text.index(after: close)
        continue
      }
      guard character.isLetter || character.isNumber else {
        if ".!?:\n•“\"".contains(character) { opens = true }
        index = text.index(after: index)
        continue
      }
      let start = index
      while index < text.endIndex {
        let next = text.index(after: index)
        let continues = text[index].isLetter || text[index].isNumber
        // Inside a word or number: 1,234.5  3:30  o'clock  AT&T; never at its end.
        let joins =
          ".,:'’&/\u{ad}".contains(text[index]) && next < text.endIndex
          && (text[next].isNumber || text[next].isLetter)
          && !(",.:/".contains(text[index]) && !text[next].isNumber)
        guard continues || joins else { break }
        index = next
      }
      words.append(Word(text: text[start..<index], range: start..<index, opensSentence: opens))
      opens = false
    }
    return words
  }
}

/// What the cited quotes contain.
struct QuotedWords {
  private let words: Set<String>
  private let joined: String

  init(_ quotes: [String]) {
    let text = quotes.joined(separator: "\n")
    // A word broken by a hyphen at a line's end counts as printed and as meant.
    let mended = text.replacing("-\n", with: "")
    let all = Word.all(in: text) + Word.all(in: mended)
    words = Set(all.map { Claim.folded($0.text) })
    joined = " " + Word.all(in: mended).map { Claim.folded($0.text) }.joined(separator: " ") + " "
  }

  func supports(_ claim: Claim) -> Bool {
    if words.contains(claim.folded) { return true }
    switch claim.kind {
    case .number:
      // "935 €" against "935€", "10th" against "10": the digits decide, but all of them.
      let digits = claim.folded.filter { $0.isNumber || $0 == "." }
      return !digits.isEmpty && words.contains { $0.filter { $0.isNumber || $0 == "." } == digits }
    case .name:
      return claim.folded.count > 3
        && joined.contains(" " + claim.folded.dropLast(claim.folded.hasSuffix("s") ? 1 : 0) + " ")
    }
  }
}
