/// Formats rows of tables and values of records as one line, in every format.
enum TableText {
  /// Separator of the cells of a row.
  static let separator = " | "
  /// Replacement of a line break in a cell or value.
  static let lineBreak = " ⏎ "

  /// Returns the cells as one line.
  static func row(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: separator)
  }

  /// Returns the text of a cell with its line breaks made visible.
  static func cell(_ text: String) -> String {
    let text = text.trimmed
    guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
    return text.split(whereSeparator: \.isNewline).map { $0.trimmed }.filter { !$0.isEmpty }
      .joined(separator: lineBreak)
  }

  /// Joins the text of a cell with text below it, on a line of its own.
  static func joined(_ cell: String, _ text: String) -> String {
    let text = text.trimmed
    return cell.isEmpty || text.isEmpty ? cell + text : cell + "\n" + text
  }

  /// Indicates whether a first row names columns: its cells are distinct, not numbers, and a row follows.
  static func isHeader(_ cells: [String], next: [String]?) -> Bool {
    guard let next, cells.count > 1 || next.count == 1 else { return false }
    let names = cells.map { $0.trimmed }
    let given = names.filter { !$0.isEmpty }
    guard given.count * 2 > names.count, Set(given).count == given.count else { return false }
    return !given.contains { name in
      let digits = name.utf8.count { (0x30...0x39).contains($0) }
      return digits * 2 > name.utf8.count && !isYear(name)
    }
  }

  private static func isYear(_ name: String) -> Bool {
    name.utf8.count == 4 && (Int(name).map { (1800...2200).contains($0) } ?? false)
  }
}
