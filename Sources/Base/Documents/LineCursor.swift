/// Iterates over the lines of some pages, or of a span within them.
struct LineCursor {
  /// Line, and the part of it within the span.
  struct Piece {
    var line: DocumentLine
    var page: Int
    var number: Int
    /// Part within the span, in UTF-8 offsets.
    var bytes: Range<Int>
  }

  private let pages: [DocumentPage]
  private let span: TextSpan?
  private var pageIndex: Int
  private var lineIndex = 0

  init(pages: [DocumentPage], span: TextSpan?) {
    self.pages = pages
    self.span = span
    pageIndex = 0
    guard let span else { return }
    var high = pages.count
    while pageIndex < high {
      let middle = (pageIndex + high) / 2
      if pages[middle].number < span.start.page { pageIndex = middle + 1 } else { high = middle }
    }
    if pageIndex < pages.count, pages[pageIndex].number == span.start.page {
      lineIndex = max(span.start.line - 1, 0)
    }
  }

  mutating func next() -> Piece? {
    while pageIndex < pages.count, lineIndex >= pages[pageIndex].lines.count {
      pageIndex += 1
      lineIndex = 0
    }
    guard pageIndex < pages.count else { return nil }
    let page = pages[pageIndex]
    let line = page.lines[lineIndex]
    lineIndex += 1
    var piece = Piece(line: line, page: page.number, number: lineIndex, bytes: 0..<line.text.utf8.count)
    guard let span else { return piece }
    let place = (piece.page, piece.number)
    if place > (span.end.page, span.end.line) { return nil }
    var (lower, upper) = (0, piece.bytes.upperBound)
    if place == (span.start.page, span.start.line) { lower = min(max(span.start.byte, 0), upper) }
    if place == (span.end.page, span.end.line) { upper = min(max(span.end.byte, lower), upper) }
    piece.bytes = lower..<upper
    return piece
  }
}
