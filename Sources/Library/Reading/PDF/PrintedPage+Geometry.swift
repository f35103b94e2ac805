extension PrintedPage {
  /// Rotates boxes so that most lines run to the right: pages are scanned sideways, and Japanese runs downwards.
  mutating func turnUpright() {
    let (tall, wide) = lines.reduce(into: (0, 0)) { counts, line in
      guard let box = line.box, line.text.unicodeScalars.count > 2 else { return }
      if box.height > box.width * 1.5 {
        counts.0 += line.text.utf8.count
      } else {
        counts.1 += line.text.utf8.count
      }
    }
    guard tall > wide else { return }
    isTurned = true
    // Lines follow each other to the left where text runs down, and to the right where it runs up.
    var goesLeft = 0
    for (line, next) in zip(lines, lines.dropFirst()) {
      guard let box = line.box, let nextBox = next.box else { continue }
      goesLeft += nextBox.left < box.left ? 1 : -1
    }
    func turned(_ box: PrintedLine.Box) -> PrintedLine.Box {
      goesLeft >= 0
        ? .init(left: box.top, top: -box.right, right: box.bottom, bottom: -box.left)
        : .init(left: -box.bottom, top: box.left, right: -box.top, bottom: box.right)
    }
    for index in lines.indices { lines[index].box = lines[index].box.map(turned) }
    extent = turned(extent)
  }

  /// Joins lines that poppler gives one after the other but that stand side by side: a label and its value, the cells
  /// of a row. The first line of a column, which goes on below it, is left alone.
  mutating func joinNeighbours() {
    var joined: [PrintedLine] = []
    joined.reserveCapacity(lines.count)
    for (index, line) in lines.enumerated() {
      if let last = joined.last, let left = last.box, let right = line.box, left.isLeftNeighbour(of: right),
        last.isHidden == line.isHidden, last.isWhite == line.isWhite,
        !(index + 1 < lines.count && goesOn(line, in: lines[index + 1]))
      {
        joined[joined.count - 1].text += "  " + line.text
        joined[joined.count - 1].box = left.union(right)
        joined[joined.count - 1].isBold = last.isBold && line.isBold
      } else {
        joined.append(line)
      }
    }
    lines = joined
  }

  private func goesOn(_ line: PrintedLine, in next: PrintedLine) -> Bool {
    guard let box = line.box, let below = next.box else { return false }
    return abs(below.left - box.left) < 4 && below.top > box.top
      && below.top - box.bottom < max(line.fontSize, 4)
  }
}

extension PrintedLine.Box {
  /// Indicates whether the other box is on the same line, to the right.
  func isLeftNeighbour(of other: Self) -> Bool {
    let overlap = min(bottom, other.bottom) - max(top, other.top)
    return overlap > 0.6 * min(height, other.height) && other.left >= right - 1
  }
}
