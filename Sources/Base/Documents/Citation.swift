/// Quote with the exact place it was cut from.
package struct Citation: Sendable, Hashable, Codable {
  /// SHA-256 of the document's bytes, in lower-case hexadecimal.
  package var documentHash: String
  /// Place of the quote.
  package var span: TextSpan
  /// Stored bytes of the span; lines are joined by line feeds.
  package var quote: String

  /// Makes a citation.
  package init(documentHash: String, span: TextSpan, quote: String) {
    self.documentHash = documentHash
    self.span = span
    self.quote = quote
  }
}

extension TextSpan {
  /// Returns the stored text of the span, lines and pages joined by line feeds, or nil where it does not lie within
  /// the pages.
  /// - Parameters:
  ///   - line: the text of a line by page and line number, or nil where there is none.
  ///   - lineCount: the number of lines of a page.
  package func cut(line: (_ page: Int, _ line: Int) -> String?, lineCount: (_ page: Int) -> Int) -> String? {
    guard start <= end else { return nil }
    var pieces: [String] = []
    var (pageNumber, lineNumber) = (start.page, start.line)
    while pageNumber <= end.page {
      let lastLine = pageNumber == end.page ? end.line : lineCount(pageNumber)
      while lineNumber <= lastLine {
        guard let text = line(pageNumber, lineNumber) else { return nil }
        let isFirst = pageNumber == start.page && lineNumber == start.line
        let isLast = pageNumber == end.page && lineNumber == end.line
        let (from, to) = (isFirst ? start.byte : 0, isLast ? end.byte : text.utf8.count)
        guard from >= 0, from <= to, to <= text.utf8.count else { return nil }
        let bytes = text.utf8
        let lower = bytes.index(bytes.startIndex, offsetBy: from)
        let upper = bytes.index(lower, offsetBy: to - from)
        guard let piece = String(bytes[lower..<upper]) else { return nil }
        pieces.append(piece)
        lineNumber += 1
      }
      pageNumber += 1
      lineNumber = 1
    }
    return pieces.joined(separator: "\n")
  }
}
