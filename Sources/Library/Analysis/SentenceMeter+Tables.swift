import Documents

/// Rows of tables, whose header names their cells. Readers write a row as its cells with ` | ` between them.
extension SentenceMeter {
  /// Returns the row of the same passage that names the columns; nil where the unit is not a row or itself the
  /// header.
  func header(of ranked: RankedUnit) -> Range<Int>? {
    let passage = passages[ranked.passage]
    guard passage.hasHeaderRow, ranked.unit > 0 else { return nil }
    return passage.units[0].range
  }

  /// Returns the cell of a row in the column that the question names.
  func answerCell(in ranked: RankedUnit) -> Range<Int>? {
    let passage = passages[ranked.passage]
    guard passage.form == .table, let header = passage.header, !(passage.hasHeaderRow && ranked.unit == 0) else {
      return nil
    }
    let names = Token.scanCells(header)
    let cells = passage.cells(of: passage.units[ranked.unit])
    guard names.count == cells.count, names.count > 1 else { return nil }
    var best: (value: Double, place: Int)?
    for (place, tokens) in names.enumerated() {
      let value = matcher.terms.reduce(0.0) { sum, term in
        sum + term.weight * (tokens.map { matcher.match(term, $0) }.max() ?? 0)
      }
      if value > best?.value ?? 0 { best = (value, place) }
    }
    guard let best, !cells[best.place].isEmpty else { return nil }
    return cells[best.place]
  }
}

extension ReadPassage {
  /// Returns the range of each cell of a row, without the spaces around it.
  func cells(of unit: Unit) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    var cells: [Range<Int>] = []
    var start = unit.range.lowerBound
    for place in unit.range.lowerBound...unit.range.upperBound {
      guard place == unit.range.upperBound || bytes[place] == UInt8(ascii: "|") else { continue }
      var (lower, upper) = (start, place)
      while lower < upper, bytes[lower] == 0x20 { lower += 1 }
      while upper > lower, bytes[upper - 1] == 0x20 { upper -= 1 }
      cells.append(lower..<upper)
      start = place + 1
    }
    return cells
  }
}

extension Token {
  /// Returns the words of each cell of a row.
  static func scanCells(_ row: String) -> [[Token]] {
    row.split(separator: "|", omittingEmptySubsequences: false).map { scan(String($0)) }
  }
}
