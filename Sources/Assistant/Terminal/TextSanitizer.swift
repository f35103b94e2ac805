/// Makes text from documents and models safe to write to a terminal.
///
/// Every control character but newline and tab becomes visible, C1 and ESC included, and so do bidirectional
/// embeddings, overrides and isolates, line and paragraph separators, invisible tags outside a flag, and
/// noncharacters. Joiners, which scripts and emoji need, stay. Text may arrive in pieces cut anywhere between
/// scalars: the result does not depend on the cuts.
package struct TextSanitizer: Sendable {
  /// Indicates whether newlines and tabs are shown as symbols too, for file names and titles.
  package let isSingleLine: Bool
  private var hasPendingReturn = false
  private var isInTagSequence = false

  /// Makes a sanitizer at the beginning of a text.
  package init(isSingleLine: Bool = false) { self.isSingleLine = isSingleLine }

  /// Returns a whole text made safe; its newlines and tabs stay.
  package static func text(_ text: String) -> String {
    var sanitizer = TextSanitizer()
    return sanitizer.clean(text) + sanitizer.finish()
  }

  /// Returns a file name, title or other single line made safe: newlines and tabs are shown as symbols.
  package static func line(_ text: String) -> String {
    var sanitizer = TextSanitizer(isSingleLine: true)
    return sanitizer.clean(text) + sanitizer.finish()
  }

  /// Returns the safe form of the next piece.
  package mutating func clean(_ piece: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in piece.unicodeScalars { append(scalar, to: &result) }
    return String(result)
  }

  /// Returns the text held back, once the source has ended; the sanitizer is then ready for another text.
  package mutating func finish() -> String {
    defer {
      hasPendingReturn = false
      isInTagSequence = false
    }
    return hasPendingReturn ? "\u{240D}" : ""
  }

  /// Indicates whether a terminal might obey this scalar, or a reader be misled by it.
  ///
  /// Newline and tab count as unsafe here: callers that allow them say so.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 }
    switch value {
    case 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x206F, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF: return true
    case 0xFDD0...0xFDEF: return true
    default: return value & 0xFFFE == 0xFFFE
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
    if hasPendingReturn {
      hasPendingReturn = false
      if scalar != "\n" { result.append("\u{240D}") }
    }
    if scalar.value == 0x1F3F4 {
      isInTagSequence = true
      result.append(scalar)
      return
    }
    if isInTagSequence {
      isInTagSequence = (0xE0020...0xE007E).contains(scalar.value)
      if isInTagSequence || scalar.value == 0xE007F {
        result.append(scalar)
        return
      }
    }
    switch scalar {
    case "\r" where !isSingleLine: hasPendingReturn = true
    case "\n" where !isSingleLine, "\t" where !isSingleLine: result.append(scalar)
    default: result.append(Self.isUnsafe(scalar) ? Self.visible(scalar) : scalar)
    }
  }

  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x0A: "\u{2424}"
    case 0x00..<0x20: Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    default: "\u{FFFD}"
    }
  }
}
