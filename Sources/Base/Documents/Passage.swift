/// A piece of a document that is indexed, found and cited as one.
package struct Passage: Sendable, Equatable {
  /// The running text (see ``RunningText``): lines joined, hyphens mended, ligatures expanded.
  package var text: String
  /// The headings above it, outermost first.
  package var headings: [String]
  /// Where it stands in the stored lines.
  package var span: TextSpan
  /// What most of it is: prose, a list, a table or code.
  package var form: PassageForm

  /// Makes a passage.
  package init(text: String, headings: [String] = [], span: TextSpan, form: PassageForm = .prose) {
    self.text = text
    self.headings = headings
    self.span = span
    self.form = form
  }
}

/// What most of a passage is.
package enum PassageForm: String, Sendable, Codable {
  case prose, list, table, code
}
