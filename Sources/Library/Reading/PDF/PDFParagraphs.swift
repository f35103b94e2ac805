import Documents

/// Finds the beginnings of paragraphs and list items from indents, gaps and short last lines.
struct PDFParagraphs {
  /// Usual distance from one line's top to the next, as a multiple of the font size.
  private let pitch: Double

  init(pages: [PrintedPage]) {
    var ratios: [Double] = []
    for page in pages.prefix(200) {
      for (line, next) in zip(page.lines, page.lines.dropFirst()) {
        guard let box = line.box, let nextBox = next.box, line.fontSize > 1, line.fontSize == next.fontSize else {
          continue
        }
        let ratio = (nextBox.top - box.top) / line.fontSize
        if ratio > 0.8, ratio < 3 { ratios.append(ratio) }
      }
    }
    ratios.sort()
    pitch = ratios.isEmpty ? 1.2 : ratios[ratios.count / 2]
  }

  /// Sets ``PrintedLine/startsBlock`` and the role of list items.
  func mark(_ pages: inout [PrintedPage]) {
    var previous: PrintedLine?
    var itemText: Double?
    for page in pages.indices {
      var isFirst = true
      let columns = Columns(pages[page].lines)
      for index in pages[page].lines.indices where pages[page].lines[index].role != .running {
        var line = pages[page].lines[index]
        defer {
          pages[page].lines[index] = line
          previous = line
          isFirst = false
        }
        if line.role == .tableRow {
          (line.startsBlock, itemText) = (true, nil)
        } else if case .heading = line.role {
          itemText = nil
          if !line.startsBlock { continue }
        } else if ListMark.begins(line.text) {
          line.role = .listItem
          line.startsBlock = true
          itemText = line.box?.left
        } else {
          line.startsBlock = starts(line, after: previous, columns: columns, isFirstOnPage: isFirst)
          if line.startsBlock {
            itemText = nil
          } else if let mark = itemText, let left = line.box?.left {
            if left >= mark - 0.5 || isFirst { line.role = .listItem } else { itemText = nil }
          }
        }
      }
    }
  }

  private func starts(
    _ line: PrintedLine, after previous: PrintedLine?, columns: Columns, isFirstOnPage: Bool
  ) -> Bool {
    guard let previous else { return true }
    if case .heading = previous.role { return true }
    guard let box = line.box, let before = previous.box else { return true }
    if abs(line.fontSize - previous.fontSize) > 0.15 * max(line.fontSize, 1) { return true }
    let isElsewhere = isFirstOnPage || box.top < before.top - 1
    let last = previous.text.unicodeScalars.last { $0 != " " }
    let endsSentence = last.map { ".!?:;\"”»。！？".unicodeScalars.contains($0) } ?? true
    if isElsewhere {
      // A new column or page goes on with the paragraph unless a sentence just ended or an indent says otherwise.
      let goesOn = line.text.trimmed.first.map { $0.isLowercase } ?? false
      return !goesOn && (endsSentence || line.text.trimmed.first.map { $0.isUppercase || $0.isNumber } ?? true)
    }
    if box.top - before.top > 1.3 * pitch * max(line.fontSize, 1) { return true }
    let column = columns.around(box, reach: 4 * line.fontSize)
    let indent = box.left - column.left
    if indent > 0.7 * line.fontSize, abs(before.left - column.left) < 2 { return true }
    if endsSentence, before.right < column.right - 0.15 * column.width { return true }
    return false
  }
}

/// Columns of a page: left edges that many lines share, with the right edges of those lines.
private struct Columns {
  private var columns: [(left: Double, right: Double, count: Int)] = []

  init(_ lines: [PrintedLine]) {
    let boxes = lines.compactMap(\.box).sorted { $0.left < $1.left }
    var start = 0
    while start < boxes.count {
      var end = start
      while end < boxes.count, boxes[end].left - boxes[start].left < 3 { end += 1 }
      // The very widest lines are headings or rows across columns, so the 90th percentile is the right edge.
      let rights = boxes[start..<end].map(\.right).sorted()
      columns.append((boxes[start].left, rights[(rights.count - 1) * 9 / 10], end - start))
      start = end
    }
  }

  /// Returns the column that a line belongs to: the one with most lines among those that begin at its left edge or a
  /// little before.
  func around(_ box: PrintedLine.Box, reach: Double) -> (left: Double, right: Double, width: Double) {
    var best = (left: box.left, right: box.right, count: 0)
    for column in columns where column.left <= box.left + 3 && column.left >= box.left - reach {
      if column.count > best.count { best = column }
    }
    return (best.left, best.right, best.right - best.left)
  }
}
