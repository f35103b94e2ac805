import JSON

extension JSON {
  /// Returns a whole answer of `--json`: its kind and the version of its form come first.
  package static func document(_ kind: String, version: Int = 1, _ members: [(String, JSON)]) -> JSON {
    .object([("schema", .string("alcove.\(kind)/\(version)"))] + members)
  }
}
