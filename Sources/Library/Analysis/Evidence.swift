import Documents

/// Passage found for a question, as the search returns it.
package struct Evidence: Sendable, Equatable {
  /// Id of the passage in the library.
  package var id: Int64
  /// Id of the document in the library.
  package var document: Int64
  /// Title of the document, or its file name where it has none.
  package var title: String
  /// Text with its headings and span.
  package var passage: Passage
  /// Score by the search; only the order and the ratio between passages matter.
  package var score: Double

  /// Makes evidence from its parts.
  package init(id: Int64, document: Int64, title: String, passage: Passage, score: Double) {
    self.id = id
    self.document = document
    self.title = title
    self.passage = passage
    self.score = score
  }
}
