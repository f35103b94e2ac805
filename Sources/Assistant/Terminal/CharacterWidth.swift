/// Width of text in the columns of a terminal.
package enum CharacterWidth {
  /// Returns the columns of one scalar: 0 for marks, format characters and controls, 2 for East Asian wide, else 1.
  package static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F..<0xA0).contains(value) ? 0 : 1 }
    // Hangul vowels and final consonants join the syllable that the leading consonant opened.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FB).contains(value) { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: return isWide(value) ? 2 : 1
    }
  }

  /// Returns the columns of one grapheme cluster.
  ///
  /// Emoji sequences (joined, with a skin tone, flags, with variation selector 16) take two columns, as current
  /// terminals draw them; any other cluster takes the sum of its scalars.
  package static func columns(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    if scalars.count == 1 { return columns(of: first) }
    var sum = 0
    for scalar in scalars {
      switch scalar.value {
      case 0xFE0F: return 2
      case 0x1F3FB...0x1F3FF where scalar != first: return 2
      case 0x200D where first.properties.isEmoji && first.value > 0xFF: return 2
      case 0x1F1E6...0x1F1FF where scalar != first: return 2
      default: sum += columns(of: scalar)
      }
    }
    return sum
  }

  /// Returns the columns of a text without line breaks.
  package static func columns(of text: some StringProtocol) -> Int {
    var sum = 0
    for character in text { sum += columns(of: character) }
    return sum
  }

  /// Returns the longest prefix of a text that fits, with a mark where the text was cut.
  package static func truncated(_ text: String, to columns: Int, mark: String = "…") -> String {
    if self.columns(of: text) <= columns { return text }
    let room = columns - self.columns(of: mark)
    if room < 0 { return "" }
    var kept = ""
    var used = 0
    for character in text {
      let width = self.columns(of: character)
      if used + width > room { break }
      kept.append(character)
      used += width
    }
    return kept + mark
  }

  private static func isWide(_ value: UInt32) -> Bool {
    var (low, high) = (0, wideCharacterTable.count / 2 - 1)
    while low <= high {
      let middle = (low + high) / 2
      if value < wideCharacterTable[2 * middle] {
        high = middle - 1
      } else if value > wideCharacterTable[2 * middle + 1] {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }
}
