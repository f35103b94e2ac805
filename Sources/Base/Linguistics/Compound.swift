/// Joins the pieces of a compound.
enum Compound {
  /// Articles and pronouns that French and Italian elide before the next word.
  private static let elisions: Set<String> = [
    "l", "d", "j", "m", "n", "s", "t", "c", "qu", "jusqu", "lorsqu", "puisqu", "quelqu", "dell", "all", "nell",
    "sull", "dall", "un", "quest", "gl",
  ]

  /// Drops "'s" and the like, separates elided articles, and joins every other apostrophe ("don't", "o'neill").
  static func settleApostrophes(_ pieces: inout [WordPiece]) {
    let apostrophe = UInt8(ascii: "'")
    guard pieces.contains(where: { $0.joint == apostrophe }) else { return }
    var settled: [WordPiece] = []
    for piece in pieces {
      guard piece.joint == apostrophe, let last = settled.last else {
        settled.append(piece)
        continue
      }
      switch piece.text {
      case "s", "ll", "ve", "re", "d", "m": break
      default:
        if elisions.contains(last.text), piece.text.utf8.count > 1 {
          settled.append(piece)
          continue
        }
        settled[settled.count - 1].text += piece.text
        settled[settled.count - 1].isNumber = last.isNumber && piece.isNumber
      }
      settled[settled.count - 1].range = last.range.lowerBound..<piece.range.upperBound
    }
    pieces = settled
  }

  /// Joins digits around separators into numbers: 1,200.50 and 1.200,50 are both 1200.50.
  static func settleNumbers(_ pieces: inout [WordPiece]) {
    let (comma, point) = (UInt8(ascii: ","), UInt8(ascii: "."))
    guard pieces.contains(where: { $0.joint == comma || $0.joint == point }) else { return }
    var settled: [WordPiece] = []
    var index = 0
    while index < pieces.count {
      var end = index + 1
      if pieces[index].isNumber {
        while end < pieces.count, pieces[end].isNumber, pieces[end].joint == comma || pieces[end].joint == point {
          end += 1
        }
      }
      if end - index > 1, let number = number(pieces[index..<end]) {
        settled.append(number)
      } else {
        settled.append(contentsOf: pieces[index..<end])
      }
      index = end
    }
    pieces = settled
  }

  /// Parses the number that digits and separators write; nil where they write several (an address, a version, a
  /// list).
  private static func number(_ pieces: ArraySlice<WordPiece>) -> WordPiece? {
    guard var result = pieces.first, let last = pieces.last else { return nil }
    let rest = pieces.dropFirst()
    let separators = rest.map(\.joint)
    let groups = Array(rest)
    let hasFraction: Bool
    if Set(separators).count == 2 {
      // A last separator that differs from those before it is the decimal point.
      guard separators.dropLast().allSatisfy({ $0 == separators.first }), separators.last != separators.first
      else { return nil }
      hasFraction = true
    } else if separators.count == 1 {
      if separators[0] == UInt8(ascii: ","), groups[0].text.utf8.count != 3 { return nil }
      hasFraction = separators[0] == UInt8(ascii: ".")
    } else {
      hasFraction = false
    }
    let whole = hasFraction ? groups.dropLast() : groups[...]
    guard whole.allSatisfy({ $0.text.utf8.count == 3 }) else { return nil }
    if !whole.isEmpty, result.text.utf8.count > 3 { return nil }
    result.text += whole.map(\.text).joined()
    if hasFraction { result.text += "." + last.text }
    result.range = result.range.lowerBound..<last.range.upperBound
    guard result.text.utf8.count <= Words.longestWord else { return nil }
    return result
  }

  /// Indicates whether the pieces are letters with points between them ("U.S.A").
  static func isDottedAcronym(_ pieces: [WordPiece]) -> Bool {
    pieces.count > 1 && pieces.count <= Words.mostPieces
      && pieces.allSatisfy {
        $0.text.unicodeScalars.count == 1 && !$0.isNumber && ($0.joint == 0 || $0.joint == UInt8(ascii: "."))
      }
  }

  /// Returns the compound written as one word, where it is one.
  static func joined(_ pieces: [WordPiece]) -> Word? {
    guard pieces.count > 1, pieces.count <= Words.mostPieces, let first = pieces.first, let last = pieces.last,
      !pieces.contains(where: { $0.joint == UInt8(ascii: "'") || $0.joint == UInt8(ascii: ",") })
    else { return nil }
    let isVersion = pieces.allSatisfy(\.isNumber)
    let text = pieces.map(\.text).joined(separator: isVersion ? "." : "")
    guard text.utf8.count <= Words.longestWord else { return nil }
    return Word(range: first.range.lowerBound..<last.range.upperBound, text: text, kind: .joined)
  }

  /// Returns the pieces of a name in camel case, each of two letters or more; empty where it is not one.
  static func camelParts(of bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) -> [Range<Int>] {
    func isUpper(_ place: Int) -> Bool { bytes[place] &- 0x41 < 26 }
    func isLower(_ place: Int) -> Bool { bytes[place] &- 0x61 < 26 }
    var starts: [Int] = []
    for place in range.dropFirst() where isUpper(place) {
      let follows = place + 1 < range.upperBound
      if isLower(place - 1) || (isUpper(place - 1) && follows && isLower(place + 1)) { starts.append(place) }
    }
    guard !starts.isEmpty, starts.count < Words.mostPieces else { return [] }
    let bounds = [range.lowerBound] + starts + [range.upperBound]
    let parts = zip(bounds, bounds.dropFirst()).map { $0..<$1 }
    return parts.allSatisfy { $0.count > 1 } ? parts : []
  }
}
