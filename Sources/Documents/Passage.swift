/// A piece of a document that is indexed, found and cited as one.
public struct Passage: Sendable, Equatable {
  /// The running text (see ``RunningText``): lines joined, hyphens mended, ligatures expanded.
  public var text: String
  /// The headings above it, outermost first.
  public var headings: [String]
  /// Where it stands in the stored lines.
  public var span: TextSpan
  /// What most of it is: prose, a list, a table or code.
  public var form: PassageForm

  /// Makes a passage.
  public init(text: String, headings: [String] = [], span: TextSpan, form: PassageForm = .prose) {
    self.text = text
    self.headings = headings
    self.span = span
    self.form = form
  }
}

/// What most of a passage is.
public enum PassageForm: String, Sendable, Codable {
  case prose, list, table, code
}
