/// Text of one stored line: without line breaks, otherwise unchanged.
enum LineText {
  /// Replaces every line break by a space and NUL by U+FFFD; everything else, other control characters too, stays.
  static func clean(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) else { return text }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r": kept.append(" ")
      case "\0": kept.append("\u{FFFD}")
      default: kept.append(scalar)
      }
    }
    return String(kept)
  }

  /// Collapses every run of white space to one space, and removes it at the ends.
  static func collapsed(_ text: some StringProtocol) -> String {
    var kept = String.UnicodeScalarView()
    var isPending = false
    for scalar in text.unicodeScalars {
      if isSpace(scalar) {
        isPending = !kept.isEmpty
      } else {
        if isPending { kept.append(" ") }
        isPending = false
        kept.append(scalar)
      }
    }
    return String(kept)
  }

  /// Indicates whether the character is white space that separates words; a no-break space belongs to the text.
  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20, 0x09...0x0D, 0x85, 0x2028, 0x2029: true
    default: false
    }
  }

  /// Indicates whether nothing of the text is visible.
  static func isBlank(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint || $0.value == 0xFFFC
    }
  }
}

extension StringProtocol {
  /// Text without white space at its ends.
  var trimmed: String {
    let bytes = Substring(self).utf8
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let first = bytes.firstIndex(where: { !isSpace($0) }),
      let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(Substring(bytes[first..<bytes.index(after: last)]))
  }
}
