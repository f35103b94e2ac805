import Documents

/// A passage that was found for a question, as the search hands it over.
package struct Evidence: Sendable, Equatable {
  /// The passage's number in the library.
  package var id: Int64
  /// The document's number in the library.
  package var document: Int64
  /// The document's title, or its file name where it has none.
  package var title: String
  /// The text with its headings and place.
  package var passage: Passage
  /// How well the search liked it; only the order and the ratio between passages matter.
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
