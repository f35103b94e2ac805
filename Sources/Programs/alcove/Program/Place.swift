import Documents
import JSON
import Terminal

/// A stretch of a document that can be opened: a citation, or a hit of a search.
struct Place: Sendable {
  var documentHash: String
  var name: String
  var path: String
  /// Number of the first page as printed, where the document has pages.
  var pageLabel: String?
  var span: TextSpan

  /// Description for a person: "report.pdf, page 4, lines 3–5".
  var text: String { TextSanitizer.line(name) + ", " + position }

  private var position: String {
    let (start, end) = (span.start, span.end)
    guard let pageLabel else { return Self.lines(start.line, end.line) }
    let page = TextSanitizer.line(pageLabel)
    if start.page != end.page { return "page \(page), line \(start.line) to page \(end.page), line \(end.line)" }
    return "page \(page), " + Self.lines(start.line, end.line)
  }

  private static func lines(_ first: Int, _ last: Int) -> String {
    first == last ? "line \(first)" : "lines \(first)–\(last)"
  }

  var json: [(String, JSON)] {
    [
      ("document", .string(documentHash)), ("path", .string(path)), ("page", .int(span.start.page)),
      ("pageLabel", .optional(pageLabel)), ("firstLine", .int(span.start.line)), ("lastPage", .int(span.end.page)),
      ("lastLine", .int(span.end.line)),
    ]
  }
}
