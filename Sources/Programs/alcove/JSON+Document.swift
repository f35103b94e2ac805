import JSON
import Terminal

extension JSON {
  /// Returns a whole answer of `--json`: its kind and the version of its form come first.
  static func document(_ kind: String, version: Int = 1, _ members: [(String, JSON)]) -> JSON {
    .object([("schema", .string("alcove.\(kind)/\(version)"))] + members)
  }

  /// The value on one line. Characters that a terminal might obey are escaped, so that it is exact and harmless at once.
  var text: String { written(Escapes(hasShortForms: false, isEscaped: TextSanitizer.isUnsafe)) }
}
