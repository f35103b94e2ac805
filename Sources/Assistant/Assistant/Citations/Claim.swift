import Foundation
import Linguistics

/// A number or a name in an answer: something that a reader would look up.
struct Claim {
  enum Kind {
    case number, name
    /// A capitalised word that opens a sentence: a name, unless it is an ordinary word.
    case opener
    /// The number of a page or of a line.
    case page, line
  }
  var kind: Kind
  var range: Range<String.Index>
  /// Form that is looked for in the quotes.
  var folded: String
  /// The number written out, where a word such as "million" follows.
  var scaled: String?

  /// Numbers and names of a sentence, in order. Citations in brackets are no claims, nor are the numbers of a list.
  static func all(in sentence: String) -> [Claim] {
    var claims: [Claim] = []
    let words = ClaimWord.all(in: sentence)
    for (place, word) in words.enumerated() {
      let folded = folded(word.text)
      if word.text.contains(where: \.isNumber) {
        if isListNumber(word, in: sentence) { continue }
        // A single 一 is a part of many words.
        if word.text.count == 1, word.text.allSatisfy(ClaimWord.isHanNumeral) { continue }
        var claim = Claim(kind: .number, range: word.range, folded: folded)
        if place > 0 { claim.kind = kind(behind: words[place - 1], last: claims.last, claim, in: sentence) }
        if place + 1 < words.count {
          claim.scaled = NumberForm.scaled(folded, by: Self.folded(words[place + 1].text))
        }
        claims.append(claim)
        continue
      }
      guard let first = word.text.first, first.isUppercase, word.text.count > 1 else { continue }
      // The first word of a sentence is capitalised anyway.
      let isFirst = place == 0 || word.opensSentence
      let nextIsName =
        place + 1 < words.count && !words[place + 1].opensSentence
        && words[place + 1].text.first?.isUppercase == true
      if !isFirst || nextIsName && !CommonWordsTable.opens(folded) {
        claims.append(Claim(kind: .name, range: word.range, folded: folded))
      } else if !nextIsName, !CommonWordsTable.isOrdinary(folded) {
        claims.append(Claim(kind: .opener, range: word.range, folded: folded))
      }
    }
    return claims
  }

  /// `1.` or `2)` at the beginning of a line.
  private static func isListNumber(_ word: ClaimWord, in sentence: String) -> Bool {
    guard word.text.count <= 3, word.text.allSatisfy(\.isNumber), word.range.upperBound < sentence.endIndex,
      ".)".contains(sentence[word.range.upperBound])
    else { return false }
    let next = sentence.index(after: word.range.upperBound)
    guard next < sentence.endIndex, sentence[next].isWhitespace else { return false }
    let before = sentence[..<word.range.lowerBound].reversed().drop { " \t*#>(".contains($0) }
    return before.first?.isNewline ?? true
  }

  /// Indicates whether a number is that of a page, of a line, or one of its own.
  private static func kind(behind word: ClaimWord, last: Claim?, _ claim: Claim, in sentence: String) -> Kind {
    switch folded(word.text) {
    case "page", "pages", "p", "pp", "pg", "seite", "seiten": return .page
    case "line", "lines", "zeile", "zeilen": return .line
    default: break
    }
    // "pages 3–5", "lines 3 and 4"
    guard let last, last.kind == .page || last.kind == .line else { return .number }
    let between = sentence[last.range.upperBound..<claim.range.lowerBound].trimmingCharacters(in: .whitespaces)
    return ["-", "–", "—", "to", "and", "&", ",", "bis", "und"].contains(between) ? last.kind : .number
  }

  /// Form in which an answer's word and a quote's word are compared: compatibility letters, case and diacritics
  /// folded, a number's grouping removed.
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

/// A word as the checker sees it: letters and digits, with the marks that hold numbers and names together. In a script
/// that writes no spaces, or writes endings onto numbers, digits and numerals are words of their own: 128 in
/// 血圧は上が128です.
struct ClaimWord {
  var text: Substring
  var range: Range<String.Index>
  /// Indicates whether a sentence ends just before it.
  var opensSentence: Bool

  static func all(in text: String) -> [ClaimWord] {
    var words: [ClaimWord] = []
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
        let parts = continues && next < text.endIndex && script(of: text[next]) != script(of: text[index])
        // Inside a word or number: 1,234.5  3:30  o'clock  AT&T; never at its end.
        let joins =
          ".,:'’&/\u{ad}".contains(text[index]) && next < text.endIndex
          && (text[next].isNumber || text[next].isLetter)
          && !(",.:/".contains(text[index]) && !text[next].isNumber)
        guard continues || joins else { break }
        index = next
        if parts { break }
      }
      words.append(ClaimWord(text: text[start..<index], range: start..<index, opensSentence: opens))
      opens = false
    }
    return words
  }

  /// Kinds of script that separate words where they meet.
  private enum Script { case spaced, unspaced, numeral }

  private static func script(of character: Character) -> Script {
    guard let scalar = character.unicodeScalars.first, scalar.value >= 0x1100,
      character.isLetter || character.isNumber
    else { return .spaced }
    if isHanNumeral(character) { return .numeral }
    switch scalar.value {
    // Hangul, kana, bopomofo and Han; full-width digits and letters belong to none of them.
    case 0x1100...0x11ff, 0x3005...0x312f, 0x3130...0x318f, 0x3400...0x9fff, 0xac00...0xd7ff, 0xf900...0xfaff,
      0x20000...0x3ffff:
      return .unspaced
    default: return .spaced
    }
  }

  static func isHanNumeral(_ character: Character) -> Bool { "〇零一二三四五六七八九十百千万萬億亿两兩".contains(character) }
}
