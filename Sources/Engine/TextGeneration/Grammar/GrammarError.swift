/// Why a grammar cannot constrain an answer.
package enum GrammarError: Error, Sendable, Equatable {
  /// The text is no grammar; `expected` says what should stand there.
  case syntax(line: Int, column: Int, expected: String)
  /// A rule is used but never defined.
  case undefinedRule(String)
  /// A rule is defined twice.
  case duplicateRule(String)
  /// A rule can begin with itself, so that it never gets anywhere.
  case leftRecursion(rule: String)
  /// Nothing fits the grammar.
  case matchesNothing
  /// Groups or schemas are nested deeper than the limit.
  case tooDeep(limit: Int)
  /// The grammar has more states than the limit.
  case tooLarge(limit: Int)
  /// Too many readings of one text are possible at once.
  case tooAmbiguous(limit: Int)
  /// A token that the vocabulary does not have.
  case unknownToken(String)
}

/// Why a JSON Schema cannot constrain an answer; `at` is the JSON pointer to the place.
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
  /// Nothing fits this part of the schema.
  case matchesNothing(at: String)
  /// Schemas are nested deeper than the limit.
  case tooDeep(limit: Int, at: String)
  /// Combining schemas takes more steps than the limit.
  case tooComplex(limit: Int, at: String)
  /// The schema becomes a grammar that cannot be used.
  case grammar(GrammarError)
}
