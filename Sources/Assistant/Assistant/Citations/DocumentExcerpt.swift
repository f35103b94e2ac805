import Documents
import Retrieval

/// Lines of a document around a cited span, or whole pages of it.
package struct DocumentExcerpt: Sendable {
  /// Lines of one page.
  package struct Page: Sendable {
    /// The page as printed; nil where the document has no pages.
    package let label: String?
    package let lines: [Line]
  }

  /// One line.
  package struct Line: Sendable {
    /// Number on its page, from 1.
    package let number: Int
    package let text: String
    /// Indicates whether it cannot be seen on the page.
    package let isHidden: Bool
    /// Bytes of the text that are cited; nil where none are.
    package let cited: Range<Int>?
  }

  /// Path of the document.
  package let path: String
  package let title: String?
  package let pages: [Page]

  /// Takes whole pages of a document.
  /// - Parameter page: the only page to take; nil for all.
  /// - Throws: ``WorkspaceError`` where there is no such page; what the library throws.
  package init(of document: LibraryDocument, page: Int?, in library: Library) async throws {
    let found = try await library.pages(of: document.id).filter { page == nil || $0.number == page }
    if let page, found.isEmpty { throw WorkspaceError.noPage(page, document: document.name) }
    path = document.path
    title = document.title
    pages = found.map { Self.page($0, of: document, lines: 1...max(1, $0.lines.count), span: nil) }
  }

  /// Takes the lines around a cited span.
  /// - Parameters:
  ///   - name: name of the document when it was cited.
  ///   - context: number of lines before and after the span.
  /// - Throws: ``WorkspaceError`` where the document is no longer there; what the library throws.
  package init(around span: TextSpan, of hash: String, named name: String, context: Int, in library: Library)
    async throws
  {
    guard let document = try await library.document(hash: hash) else {
      throw WorkspaceError.removed(name: name)
    }
    var pages: [Page] = []
    for number in span.start.page...max(span.start.page, span.end.page) {
      guard let page = try await library.page(number, of: document.id), !page.lines.isEmpty else { continue }
      let first = number == span.start.page ? span.start.line - context : 1
      let last = number == span.end.page ? span.end.line + context : page.lines.count
      let lines = max(1, first)...max(1, first, min(last, page.lines.count))
      pages.append(Self.page(page, of: document, lines: lines, span: span))
    }
    path = document.path
    title = document.title
    self.pages = pages
  }

  private static func page(
    _ page: DocumentPage, of document: LibraryDocument, lines: ClosedRange<Int>, span: TextSpan?
  ) -> Page {
    let label = document.kind.hasPages ? page.label ?? "\(page.number)" : nil
    let found = lines.filter { page.lines.indices.contains($0 - 1) }.map { number in
      let line = page.lines[number - 1]
      let cited = span.flatMap { citedBytes(of: line.text, page: page.number, line: number, in: $0) }
      return Line(number: number, text: line.text, isHidden: line.isHidden, cited: cited)
    }
    return Page(label: label, lines: found)
  }

  private static func citedBytes(of text: String, page: Int, line: Int, in span: TextSpan) -> Range<Int>? {
    let here = (page, line)
    guard here >= (span.start.page, span.start.line), here <= (span.end.page, span.end.line) else { return nil }
    let from = here == (span.start.page, span.start.line) ? span.start.byte : 0
    let to = here == (span.end.page, span.end.line) ? span.end.byte : text.utf8.count
    return max(0, min(from, to))..<min(max(from, to), text.utf8.count)
  }
}
