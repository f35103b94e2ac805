/// An error of a grammar that cannot constrain an answer.
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
