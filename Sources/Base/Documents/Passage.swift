/// Part of a document that is indexed, found and cited as one.
package struct Passage: Sendable, Equatable {
  /// Running text (see ``RunningText``): lines joined, hyphenated words rejoined, ligatures expanded.
  package var text: String
  /// Headings above it, outermost first.
  package var headings: [String]
  /// Place in the stored lines.
  package var span: TextSpan
  /// Predominant form: prose, a list, a table or code.
  package var form: PassageForm

  /// Makes a passage.
  package init(text: String, headings: [String] = [], span: TextSpan, form: PassageForm = .prose) {
    self.text = text
    self.headings = headings
    self.span = span
    self.form = form
  }
}

/// Predominant form of a passage.
package enum PassageForm: String, Sendable, Codable {
  case prose, list, table, code
}
