import Documents

/// Finds headings by their fonts, in a PDF whose outline does not name them.
struct PrintedHeadings {
  private var bodySize = 0.0
  private var levels: [Double] = []

  /// Makes the levels from the pages: the most frequent font size is that of the body text.
  init(pages: [PrintedPage]) {
    var counts: [Int: Int] = [:]
    for line in pages.lazy.flatMap(\.lines) where line.role == .body && line.fontSize > 1 {
      counts[Self.step(line.fontSize), default: 0] += line.text.utf8.count
    }
    let total = counts.values.reduce(0, +)
    guard total >= 300, let body = counts.max(by: { ($0.value, -$0.key) < ($1.value, -$1.key) }) else { return }
    bodySize = Double(body.key) / 2
    // Larger sizes, largest first, are levels; a size that a good part of the text has is not a heading's.
    let larger = counts.filter { Double($0.key) / 2 >= bodySize * 1.12 && $0.value * 5 < total }
    levels = larger.keys.sorted(by: >).map { Double($0) / 2 }
  }

  private static func step(_ size: Double) -> Int { Int((min(size, 10_000) * 2).rounded()) }

  /// Marks lines in larger type, or bold ones that stand alone, as headings.
  func mark(_ pages: inout [PrintedPage]) {
    if bodySize == 0 { return }
    for page in pages.indices {
      var previous: PrintedLine?
      for index in pages[page].lines.indices {
        let line = pages[page].lines[index]
        if line.role == .running { continue }
        if line.role == .body, let level = level(of: line, after: previous, next: next(index, pages[page].lines)) {
          pages[page].lines[index].role = .heading(level: level)
          // Two lines of one heading are one heading.
          let goesOn = previous.map { $0.role == .heading(level: level) && Self.touch($0, line) } ?? false
          pages[page].lines[index].startsBlock = !goesOn
        }
        previous = pages[page].lines[index]
      }
    }
  }

  private func next(_ index: Int, _ lines: [PrintedLine]) -> PrintedLine? {
    lines[(index + 1)...].first { $0.role != .running }
  }

  private static func touch(_ line: PrintedLine, _ next: PrintedLine) -> Bool {
    guard let box = line.box, let other = next.box else { return false }
    return other.top > box.top && other.top - box.bottom < 0.8 * next.fontSize
  }

  private func level(of line: PrintedLine, after previous: PrintedLine?, next: PrintedLine?) -> Int? {
    let size = Double(Self.step(line.fontSize)) / 2
    let rank = levels.firstIndex(of: size)
    if rank == nil, !line.isBold { return nil }
    let text = line.text.trimmed
    guard text.utf8.count <= 160, text.unicodeScalars.contains(where: \.properties.isAlphabetic),
      let last = text.last,
      !".,;".contains(last)
    else { return nil }
    if let rank { return min(rank + 1, 4) }
    guard line.isBold, abs(line.fontSize - bodySize) < 0.1 * bodySize, text.utf8.count <= 90, let next,
      !next.isBold
    else { return nil }
    // Bold at body size is a heading only where it stands alone, like "2.1 Results" before a paragraph.
    guard let box = line.box, let below = next.box, below.top > box.top, text.first?.isLowercase == false,
      !ListMark.isBullet(text), !text.contains("  ")
    else { return nil }
    if let above = previous?.box, box.top > above.top, box.top - above.bottom < 0.3 * line.fontSize { return nil }
    return min(levels.count + 1, 5)
  }
}
