/// How rows of tables and values of records are written as one line, in every format.
enum TableText {
  /// Stands between the cells of a row.
  static let separator = " | "
  /// Stands where a cell or value has a line break.
  static let lineBreak = " ⏎ "

  /// The cells as one line.
  static func row(_ cells: [String]) -> String {
    cells.map(cell).joined(separator: separator)
  }

  /// The text of a cell with its line breaks made visible.
  static func cell(_ text: String) -> String {
    let text = text.trimmed
    guard text.utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return text }
    return text.split(whereSeparator: \.isNewline).map { $0.trimmed }.filter { !$0.isEmpty }
      .joined(separator: lineBreak)
  }

  /// What a cell holds and what comes below it, on lines of their own.
  static func joined(_ cell: String, _ text: String) -> String {
    let text = text.trimmed
    return cell.isEmpty || text.isEmpty ? cell + text : cell + "\n" + text
  }

  /// Whether a first row names columns: it has only distinct names, no numbers, and something follows it.
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
