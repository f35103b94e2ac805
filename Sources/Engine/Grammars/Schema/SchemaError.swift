/// An error of a JSON Schema that cannot constrain an answer; `at` is the JSON pointer to the place.
package enum SchemaError: Error, Sendable, Equatable {
  /// The text is not JSON.
  case notJSON(atByte: Int)
  /// A keyword that cannot be enforced.
  case unsupported(keyword: String, at: String)
  /// A keyword with a value that it cannot have.
  case badValue(keyword: String, at: String, expected: String)
  /// A reference that leads nowhere, or out of the schema.
  case unresolved(reference: String, at: String)
  /// A regular expression that cannot be read, or that no automaton can match.
  case badPattern(String, at: String, reason: String)
  /// Part of the schema that nothing fits.
  case matchesNothing(at: String)
  /// Schemas are nested deeper than the limit.
  case tooDeep(limit: Int, at: String)
  /// Combining schemas takes more steps than the limit.
  case tooComplex(limit: Int, at: String)
  /// The schema becomes a grammar that cannot be used.
  case grammar(GrammarError)
}
