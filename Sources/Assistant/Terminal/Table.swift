/// Rows of cells in aligned columns.
package struct Table: Sendable {
  /// Column of the table.
  package struct Column: Sendable {
    /// Title above it.
    package var title: String
    /// Indicates whether its cells are right-aligned, as for numbers.
    package var isRightAligned: Bool
    /// Indicates whether it shrinks first where the terminal is too narrow.
    package var isFlexible: Bool

    /// Makes a column.
    package init(_ title: String, isRightAligned: Bool = false, isFlexible: Bool = false) {
      (self.title, self.isRightAligned, self.isFlexible) = (title, isRightAligned, isFlexible)
    }
  }

  private let columns: [Column]
  private var rows: [[String]] = []

  /// Makes an empty table.
  package init(columns: [Column]) { self.columns = columns }

  /// Indicates whether no row was added.
  package var isEmpty: Bool { rows.isEmpty }

  /// Adds a row; its cells are made safe for a terminal here.
  package mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has as many cells as the table has columns")
    rows.append(cells.map(TextSanitizer.line))
  }

  /// Formats the table, cut to a terminal's width where one is given.
  package func text(width: Int?, ink: Ink) -> String {
    if rows.isEmpty { return "" }
    let widths = columnWidths(width)
    var text = line(columns.map(\.title), widths, ink, style: .bold)
    for row in rows { text += line(row, widths, ink, style: .plain) }
    return text
  }

  private func columnWidths(_ width: Int?) -> [Int] {
    var widths = columns.indices.map { index in
      ([columns[index].title] + rows.map { $0[index] }).map { CharacterWidth.columns(of: $0) }.max() ?? 0
    }
    guard let width else { return widths }
    // The widest flexible column shrinks first, then the widest of all.
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    for isFlexible in [true, false] {
      while excess > 0,
        let widest = widths.indices.filter({ columns[$0].isFlexible == isFlexible && widths[$0] > 8 })
          .max(by: { widths[$0] < widths[$1] })
      {
        let cut = min(excess, max(1, widths[widest] / 8))
        widths[widest] -= cut
        excess -= cut
      }
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int], _ ink: Ink, style: Style) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let shown = CharacterWidth.truncated(cell, to: widths[index])
      let gap = String(repeating: " ", count: max(0, widths[index] - CharacterWidth.columns(of: shown)))
      let isLast = index == cells.count - 1
      line += columns[index].isRightAligned ? gap + ink(shown, style) : ink(shown, style) + (isLast ? "" : gap)
      if !isLast { line += "  " }
    }
    return line + "\n"
  }
}
