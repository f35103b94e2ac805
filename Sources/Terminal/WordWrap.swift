/// Breaks text into lines of a given width, between words where it can.
public enum WordWrap {
  /// The lines of a paragraph. Runs of blanks count as one; wide scripts break between characters.
  public static func lines(_ text: String, columns: Int) -> [String] {
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

  /// The parts of a word between which a line may break: before and behind each wide character, but not before
  /// closing punctuation nor behind opening punctuation.
  public static func pieces(of word: some StringProtocol) -> [String] {
    var pieces: [String] = []
    var wasWide = false
    for character in word {
      let isWide = CharacterWidth.columns(of: character) == 2
      let mayBreak = (isWide || wasWide) && !"、。，．！？：；）」』】〉》”’…,.!?:;)]}%".contains(character)
      if let last = pieces.last?.last, !(mayBreak && !"（「『【〈《“‘([{".contains(last)) {
        pieces[pieces.count - 1].append(character)
      } else {
        pieces.append(String(character))
      }
      wasWide = isWide
    }
    return pieces
  }
}
