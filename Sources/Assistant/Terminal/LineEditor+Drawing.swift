/// State of the screen after the last drawing.
struct DrawnScreen {
  /// Columns of each row that was written, the first visible one first.
  var rowColumns: [Int] = [0]
  /// Row of the cursor, counted from the first visible one.
  var cursorRow = 0
  /// Column of the cursor.
  var cursorColumn = 0
  /// First visible row of the layout, where the text is taller than the window.
  var top = 0
}

extension LineEditor {
  /// Draws the prompt and the text, in one write.
  func draw(withHint: Bool = true) {
    let size = terminal.size
    let hint = withHint && search == nil ? currentHint()?.text ?? "" : ""
    let layout = LineLayout(
      prompt: search.map(searchPrompt) ?? prompt, continuation: "  ", characters: buffer.characters,
      cursor: buffer.cursor, hint: hint, hintStyle: dim, width: size.columns)
    // Text taller than the window shows the part around the cursor.
    var top = min(drawn.top, layout.cursorRow)
    top = max(top, layout.cursorRow - size.rows + 1)
    top = max(0, min(top, layout.rows.count - size.rows))
    let visible = layout.rows[top..<min(layout.rows.count, top + size.rows)]

    var output = backToFirstRow() + "\u{1B}[J"
    output += visible.map(\.text).joined(separator: "\r\n")
    let (row, last) = (layout.cursorRow - top, visible.count - 1)
    if last > row { output += "\u{1B}[\(last - row)A" }
    output += "\r"
    if layout.cursorColumn > 0 { output += "\u{1B}[\(layout.cursorColumn)C" }
    drawn = DrawnScreen(
      rowColumns: visible.map(\.columns), cursorRow: row, cursorColumn: layout.cursorColumn, top: top)
    terminal.write(output)
  }

  /// Redraws after the window changed its size, or after the process was continued.
  func redrawAfterWake(isContinued: Bool) {
    if isContinued {
      drawn = DrawnScreen()
    } else {
      // Terminals wrap rows that became too long, which moves the cursor down.
      let columns = terminal.size.columns
      let above = drawn.rowColumns[..<drawn.cursorRow].reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
      drawn.cursorRow = above + drawn.cursorColumn / columns
    }
    draw()
  }

  /// Writes a text below the edited line, which is then redrawn under it.
  func writeBelow(_ text: String) {
    let down = drawn.rowColumns.count - 1 - drawn.cursorRow
    terminal.write((down > 0 ? "\u{1B}[\(down)B" : "") + "\r\n" + text)
    drawn = DrawnScreen()
  }

  /// Clears the screen and draws the line at its top.
  func clearScreen() {
    terminal.write("\u{1B}[H\u{1B}[2J")
    drawn = DrawnScreen()
  }

  /// Returns the hint for the text, when the cursor stands at its end.
  func currentHint() -> Hint? {
    guard buffer.cursor == buffer.characters.count, !buffer.isEmpty else { return nil }
    return hinter?(buffer.text)
  }

  private func backToFirstRow() -> String {
    drawn.cursorRow > 0 ? "\u{1B}[\(drawn.cursorRow)A\r" : "\r"
  }

  private func searchPrompt(_ search: HistorySearch) -> Prompt {
    Prompt(
      (search.isFailing ? "no line has ‘" : "search ‘") + TextSanitizer.line(search.query) + "’: ", style: dim)
  }
}
