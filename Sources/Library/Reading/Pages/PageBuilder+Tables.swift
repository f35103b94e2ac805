import Documents

extension PageBuilder {
  /// Adds a table, one line for each row; a table of one cell, or with cells of a page's length, is layout and
  /// written as paragraphs.
  mutating func add(table rows: [(cells: [String], isHeader: Bool)], isHidden: Bool = false) {
    let isLayout =
      rows.allSatisfy { $0.cells.count <= 1 } || rows.contains { $0.cells.contains { $0.utf8.count > 1_500 } }
    for (index, row) in rows.enumerated() {
      if isLayout {
        for text in row.cells.flatMap({ $0.split(separator: "\n") }) where !LineText.isBlank(text) {
          add(text.trimmed, startsBlock: true, isHidden: isHidden)
        }
        continue
      }
      let next = index + 1 < rows.count ? rows[index + 1].cells : nil
      let isHeader = row.isHeader || (index == 0 && TableText.isHeader(row.cells, next: next))
      add(
        TableText.row(row.cells), role: isHeader ? .tableHeader : .tableRow, startsBlock: true, isHidden: isHidden)
    }
  }
}
