import Linguistics

/// Acronym with its long form, as a text introduces it: "non-disclosure agreement (NDA)" or "NDA (non-disclosure
/// agreement)".
struct Acronym: Hashable {
  /// Term of the short form.
  var short: String
  /// Terms of the long form, joined by spaces.
  var long: String

  /// Finds the acronyms that a text introduces (Schwartz and Hearst, "A simple algorithm for identifying abbreviation
  /// definitions in biomedical text", PSB 2003).
  static func introduced(in text: String) -> Set<Acronym> {
    var found: Set<Acronym> = []
    guard text.utf8.contains(UInt8(ascii: "(")) else { return found }
    let characters = Array(text)
    for open in characters.indices where characters[open] == "(" {
      guard let close = characters[open...].prefix(120).firstIndex(of: ")"), close > open + 2 else { continue }
      let inside = characters[open + 1..<close]
      var before = characters[..<open]
      while let last = before.last, last == " " || last == "\n" { before.removeLast() }
      if isShort(inside) {
        let longest = min(inside.count + 5, inside.count * 2)
        if let long = longForm(of: Array(inside), in: lastWords(longest, of: before)) {
          insert(String(inside), long, into: &found)
        }
      } else {
        let joint = before.lastIndex { !$0.isLetter && !$0.isNumber && $0 != "&" && $0 != "-" && $0 != "." }
        let short = before[(joint.map { $0 + 1 } ?? before.startIndex)...]
        if isShort(short), let long = longForm(of: Array(short), in: Array(inside)), long.count == inside.count {
          insert(String(short), long, into: &found)
        }
      }
    }
    return found
  }

  private static func insert(_ short: String, _ long: [Character], into found: inout Set<Acronym>) {
    let shorts = terms(of: short)
    let longs = terms(of: String(long))
    guard shorts.count == 1, (2...8).contains(longs.count), !longs.contains(shorts[0]) else { return }
    found.insert(Acronym(short: shorts[0], long: longs.joined(separator: " ")))
  }

  /// Returns a text's terms in the form in which acronyms are looked up.
  static func terms(of text: String) -> [String] {
    Words.split(text).filter { !$0.kind.isAdditional }.map { TextAnalyzer.term(for: $0, in: .english) }
  }

  /// Indicates whether the characters are a short form: two to ten letters and digits without a space, two of them
  /// capitals.
  private static func isShort(_ characters: ArraySlice<Character>) -> Bool {
    guard (2...10).contains(characters.count), let first = characters.first, first.isLetter || first.isNumber
    else {
      return false
    }
    return characters.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "&" || $0 == "." }
      && characters.count { $0.isUppercase } >= 2
  }

  private static func lastWords(_ count: Int, of characters: ArraySlice<Character>) -> [Character] {
    var left = count
    var start = characters.endIndex
    while start > characters.startIndex {
      let character = characters[start - 1]
      if ".;:!?(".contains(character), start < characters.endIndex, characters[start] == " " { break }
      if character == " " || character == "\n" || character == "-" {
        left -= 1
        if left == 0 { break }
      }
      start -= 1
    }
    return Array(characters[start...])
  }

  /// Returns the shortest end of a text that has the short form's letters in order, the first of them at the
  /// beginning of a word.
  private static func longForm(of short: [Character], in text: [Character]) -> [Character]? {
    var place = text.count - 1
    for index in short.indices.reversed() {
      guard short[index].isLetter || short[index].isNumber else { continue }
      let sought = short[index].lowercased()
      while place >= 0 {
        let fits = text[place].lowercased() == sought
        let beginsWord = place == 0 || !(text[place - 1].isLetter || text[place - 1].isNumber)
        if fits, index > 0 || beginsWord { break }
        place -= 1
      }
      guard place >= 0 else { return nil }
      place -= 1
    }
    return Array(text[(place + 1)...])
  }
}
