/// Bullets and numbers that begin a list item.
enum ListMark {
  /// Indicates whether the text begins like a list item: a bullet, `1.`, `(a)`, `iv)`, followed by a space and text.
  static func begins(_ text: some StringProtocol) -> Bool {
    // Fast path: nearly every line fails here.
    let head = text.utf8.drop { $0 == 0x20 || $0 == 0x09 }.prefix(8)
    guard let byte = head.first,
      byte >= 0x80 || byte == 0x2A || byte == 0x2B || byte == 0x2D || head.contains(0x2E) || head.contains(0x29)
    else { return false }
    let scalars = text.unicodeScalars.drop { LineText.isSpace($0) }
    guard let first = scalars.first else { return false }
    if "•‣◦▪▫●○■□➢➤✓✔❖⁃∙·\u{F0B7}".unicodeScalars.contains(first) { return scalars.count > 1 }
    if "-–—*+".unicodeScalars.contains(first) {
      let rest = scalars.dropFirst()
      return rest.first == " " && rest.count > 2
    }
    let isParenthesised = first == "("
    let body = isParenthesised ? scalars.dropFirst() : scalars
    let mark = body.prefix { $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil) }
    let rest = body.dropFirst(mark.count)
    guard let close = rest.first, close == ")" || (close == "." && !isParenthesised), !mark.isEmpty else {
      return false
    }
    guard let space = rest.dropFirst().first, LineText.isSpace(space), rest.count > 2 else { return false }
    let isNumber = mark.count <= 3 && mark.allSatisfy { $0.properties.numericType != nil }
    // A single capital with a dot is more often an initial than a list mark.
    let isLetter = mark.count == 1 && (close == ")" || first.properties.isLowercase)
    let isRoman = mark.count <= 5 && mark.allSatisfy { "ivxl".unicodeScalars.contains($0) }
    return isNumber || isLetter || isRoman
  }

  /// Indicates whether the text begins with a bullet rather than a number.
  static func isBullet(_ text: String) -> Bool {
    guard let first = text.first else { return false }
    return begins(text) && !first.isNumber && !first.isLetter
  }
}
