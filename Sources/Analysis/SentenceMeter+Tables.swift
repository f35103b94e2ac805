import Documents

/// Rows of tables: the header tells what a cell is.
extension SentenceMeter {
  /// The row that names the columns of the table that a row is in; nil where the row is no row or itself the header.
  func header(of ranked: RankedUnit) -> Range<Int>? {
    let passage = passages[ranked.passage]
    guard passage.form == .table, ranked.unit > 0, let first = passage.units.first else { return nil }
    // A row of names, not of values.
    guard !passage.tokens[first.tokens].contains(where: \.hasDigit) else { return nil }
    return first.range
  }

  /// The cell of a row that stands under the column that the question names.
  func answerCell(in ranked: RankedUnit) -> Range<Int>? {
    guard header(of: ranked) != nil else { return nil }
    let passage = passages[ranked.passage]
    let (header, row) = (passage.units[0], passage.units[ranked.unit])
    let (names, cells) = (Self.cells(of: passage, header), Self.cells(of: passage, row))
    guard names.count == cells.count, names.count > 1 else { return nil }
    var best: (value: Double, place: Int)?
    for (place, tokens) in names.enumerated() {
      let value = matcher.terms.reduce(0.0) { sum, term in
        sum + term.weight * (passage.tokens[tokens].map { matcher.match(term, $0) }.max() ?? 0)
      }
      if value > best?.value ?? 0 { best = (value, place) }
    }
    guard let best, let first = passage.tokens[cells[best.place]].first, let last = passage.tokens[cells[best.place]].last
    else { return nil }
    return first.range.lowerBound..<last.range.upperBound
  }

  /// The tokens of each cell: a tab, a bar, a semicolon or a comma with no space behind it parts them.
  private static func cells(of passage: ReadPassage, _ unit: ReadPassage.Unit) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var start = unit.tokens.lowerBound
    for place in unit.tokens.dropFirst() where passage.tokens[place].startsCell {
      cells.append(start..<place)
      start = place
    }
    cells.append(start..<unit.tokens.upperBound)
    return cells
  }
}
