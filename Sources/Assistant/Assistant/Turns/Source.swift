import Documents

/// A numbered citation with everything a person needs to find the place.
package struct Source: Sendable, Hashable, Codable {
  /// The number in brackets in the answer, from 1.
  package var number: Int
  /// The document's path when it was cited.
  package var path: String
  /// The document's title, or its file's name.
  package var title: String
  /// The page as printed, where the document has pages.
  package var pageLabel: String?
  /// The quote and the exact place.
  package var citation: Citation
  /// True where the model did not cite it and its sentence was matched to it; nil otherwise.
  package var isMatched: Bool?

  /// Makes a source.
  package init(number: Int, path: String, title: String, pageLabel: String?, citation: Citation) {
    self.number = number
    self.path = path
    self.title = title
    self.pageLabel = pageLabel
    self.citation = citation
  }

  /// SHA-256 of the cited document.
  package var documentHash: String { citation.documentHash }

  /// Place for a person: "page 4, lines 3–5".
  package var place: String {
    let (start, end) = (citation.span.start, citation.span.end)
    guard let pageLabel else {
      return start.line == end.line ? "line \(start.line)" : "lines \(start.line)–\(end.line)"
    }
    if start.page != end.page {
      return "page \(pageLabel), line \(start.line) to page \(end.page), line \(end.line)"
    }
    let lines = start.line == end.line ? "line \(start.line)" : "lines \(start.line)–\(end.line)"
    return "page \(pageLabel), \(lines)"
  }
}
