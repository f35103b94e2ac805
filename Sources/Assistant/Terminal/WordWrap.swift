/// Breaks text into lines of a given width, between words where possible.
package enum WordWrap {
  /// Returns the lines of a paragraph. Runs of blanks count as one; wide scripts break between characters.
  package static func lines(_ text: String, columns: Int) -> [String] {
    let columns = max(columns, 1)
    var (lines, line, used) = ([String](), "", 0)
    for word in text.split(whereSeparator: \.isWhitespace) {
      var isFirstPiece = true
      for piece in pieces(of: word) {
        let width = CharacterWidth.columns(of: piece)
        let gap = isFirstPiece && !line.isEmpty ? 1 : 0
        isFirstPiece = false
        if used > 0, used + gap + width > columns {
          lines.append(line)
          (line, used) = ("", 0)
        } else if gap == 1 {
          line += " "
          used += 1
        }
        for character in piece {
          let width = CharacterWidth.columns(of: character)
          if used > 0, used + width > columns {
            lines.append(line)
            (line, used) = ("", 0)
          }
          line.append(character)
          used += width
        }
      }
    }
    if !line.isEmpty || lines.isEmpty { lines.append(line) }
    return lines
  }

  /// Returns the parts of a word between which a line may break.
  package static func pieces(of word: some StringProtocol) -> [String] {
    var pieces: [String] = []
    var last: Character?
    for character in word {
      if let last, !mayBreak(between: last, and: character) {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      last = character
    }
    return pieces
  }

  /// Indicates whether a line may break between two characters of a word: next to a wide one, but not before closing
  /// punctuation nor behind opening punctuation.
  package static func mayBreak(between left: Character, and right: Character) -> Bool {
    guard CharacterWidth.columns(of: left) == 2 || CharacterWidth.columns(of: right) == 2 else { return false }
    return !"、。，．！？：；）」』】〉》”’…,.!?:;)]}%".contains(right) && !"（「『【〈《“‘([{".contains(left)
  }
}
