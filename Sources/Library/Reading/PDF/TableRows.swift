import Documents

/// Joins the cells of a table into rows. Poppler reads a table like columns of prose, one after the other.
struct TableRows {
  /// Block of lines, one below the other, and the cells joined to them.
  private struct Block {
    var rows: [PrintedLine]
    /// Mean length of the block's texts as poppler gave them.
    var meanLength: Double

    init(_ lines: [PrintedLine]) {
      rows = lines
      meanLength = Double(lines.reduce(0) { $0 + $1.text.utf8.count }) / Double(max(lines.count, 1))
    }
  }

  private var blocks: [Block] = []

  /// Returns the lines with rows joined, in reading order.
  static func joined(_ lines: [PrintedLine]) -> [PrintedLine] {
    var table = TableRows()
    for block in split(lines) { table.add(Block(block)) }
    return table.blocks.flatMap(\.rows)
  }

  /// Splits lines where the next is not just below, at the same left edge, middle or right edge.
  private static func split(_ lines: [PrintedLine]) -> [[PrintedLine]] {
    var blocks: [[PrintedLine]] = []
    for line in lines {
      if let last = blocks.last?.last, let above = last.box, let box = line.box, box.top > above.top,
        box.top - above.bottom < 2 * max(box.height, 4), isAligned(above, box), last.isHidden == line.isHidden
      {
        blocks[blocks.count - 1].append(line)
      } else {
        blocks.append([line])
      }
    }
    return blocks
  }

  private static func isAligned(_ box: PrintedLine.Box, _ other: PrintedLine.Box) -> Bool {
    let middles = abs(box.left + box.right - other.left - other.right) / 2
    return min(abs(box.left - other.left), abs(box.right - other.right), middles) < 4
  }

  private mutating func add(_ block: Block) {
    for index in blocks.indices.suffix(4).reversed() {
      let pairs = Self.pairs(block.rows, beside: blocks[index].rows)
      guard Self.isColumn(block, of: blocks[index], pairs: pairs.count) else { continue }
      for (own, row) in pairs {
        blocks[index].rows[row].text += "  " + block.rows[own].text
        blocks[index].rows[row].role = .tableRow
        if let box = block.rows[own].box { blocks[index].rows[row].box = blocks[index].rows[row].box?.union(box) }
      }
      let left = block.rows.indices.filter { own in !pairs.contains { $0.own == own } }
      if !left.isEmpty { blocks.append(Block(left.map { block.rows[$0] })) }
      return
    }
    blocks.append(block)
  }

  /// Pairs lines with the rows to their left.
  private static func pairs(_ lines: [PrintedLine], beside rows: [PrintedLine]) -> [(own: Int, row: Int)] {
    var pairs: [(own: Int, row: Int)] = []
    for (own, line) in lines.enumerated() {
      guard let box = line.box else { continue }
      let row = rows.indices.first { row in
        rows[row].isHidden == line.isHidden && !pairs.contains { $0.row == row }
          && (rows[row].box?.isLeftNeighbour(of: box) ?? false)
      }
      if let row { pairs.append((own, row)) }
    }
    return pairs
  }

  /// Indicates whether two columns are narrow enough to be cells: short texts, or amounts behind longer ones.
  private static func isNarrow(_ least: Double, beside most: Double) -> Bool {
    least <= 18 && most <= 40 || least <= 10 && most <= 90
  }

  private static func isColumn(_ block: Block, of table: Block, pairs: Int) -> Bool {
    if block.rows.count == 1 {
      // The rest of a header whose first cells poppler joined.
      return pairs == 1 && table.rows.count <= 2 && block.rows[0].text.contains("  ")
    }
    return pairs >= 2 && pairs * 10 >= block.rows.count * 7 && pairs * 10 >= table.rows.count * 5
      && isNarrow(min(block.meanLength, table.meanLength), beside: max(block.meanLength, table.meanLength))
  }
}
