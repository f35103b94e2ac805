/// Text before the edited text: one line, plain and styled.
package struct Prompt: Sendable {
  /// Width in columns.
  package let columns: Int
  /// Text with its style.
  package let styled: String

  /// Makes a prompt shown in a style.
  package init(_ plain: String, style: (String) -> String = { $0 }) {
    columns = CharacterWidth.columns(of: plain)
    styled = style(plain)
  }
}

/// Layout of an edited text on a screen of a given width.
package struct LineLayout: Sendable {
  /// Row of the screen.
  package struct Row: Sendable, Equatable {
    /// Text of the row, including escape sequences of styles.
    package var text: String = ""
    /// Width in columns.
    package var columns = 0
  }

  /// Rows, the prompt's first.
  package private(set) var rows: [Row] = [Row()]
  /// Row of the cursor.
  package private(set) var cursorRow = 0
  /// Column of the cursor.
  package private(set) var cursorColumn = 0
  private let width: Int

  /// Lays out a prompt, a text with its cursor, and a hint behind it.
  /// - Parameters:
  ///   - prompt: written before the first row; left out where it does not fit.
  ///   - continuation: written before the rows that follow a newline.
  ///   - cursor: the index of the cluster that the cursor stands before.
  ///   - hint: shown behind the text when the cursor is at its end; it never adds a row.
  ///   - hintStyle: puts the hint in its style.
  package init(
    prompt: Prompt, continuation: String, characters: [Character], cursor: Int, hint: String = "",
    hintStyle: (String) -> String = { $0 }, width: Int
  ) {
    self.width = max(width, 2)
    if prompt.columns < self.width { rows[0] = Row(text: prompt.styled, columns: prompt.columns) }
    for (index, character) in characters.enumerated() {
      if index == cursor { placeCursor() }
      if character.isNewline {
        breakRow()
        rows[rows.count - 1] = Row(text: continuation, columns: CharacterWidth.columns(of: continuation))
      } else {
        put(Self.visible(character))
      }
    }
    if cursor >= characters.count {
      placeCursor()
      putHint(hint, style: hintStyle)
    }
  }

  private mutating func breakRow() { rows.append(Row()) }

  private mutating func placeCursor() {
    if rows[rows.count - 1].columns >= width { breakRow() }
    (cursorRow, cursorColumn) = (rows.count - 1, rows[rows.count - 1].columns)
  }

  private mutating func put(_ text: String) {
    let columns = CharacterWidth.columns(of: text)
    if rows[rows.count - 1].columns + columns > width { breakRow() }
    rows[rows.count - 1].text += text
    rows[rows.count - 1].columns += columns
  }

  private mutating func putHint(_ hint: String, style: (String) -> String) {
    let room = width - 1 - rows[rows.count - 1].columns
    guard room > 1, let line = hint.split(separator: "\n", omittingEmptySubsequences: false).first else { return }
    let shown = CharacterWidth.truncated(TextSanitizer.line(String(line)), to: room)
    if shown.isEmpty { return }
    rows[rows.count - 1].text += style(shown)
    rows[rows.count - 1].columns += CharacterWidth.columns(of: shown)
  }

  /// Returns a cluster in the form shown: tabs as spaces, controls visible.
  static func visible(_ character: Character) -> String {
    if character == "\t" { return "    " }
    if character.isASCII, !(character.asciiValue.map { $0 < 0x20 || $0 == 0x7F } ?? true) {
      return String(character)
    }
    let shown = TextSanitizer.line(String(character))
    // A combining mark without a base gets a dotted circle, so that it is visible.
    return CharacterWidth.columns(of: shown) == 0 ? "\u{25CC}" + shown : shown
  }
}
