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
  /// Grammar that no text fits.
  case matchesNothing
  /// Groups or schemas are nested deeper than the limit.
  case tooDeep(limit: Int)
  /// The grammar has more states than the limit.
  case tooLarge(limit: Int)
  /// Number of readings of one text beyond the limit.
  case tooAmbiguous(limit: Int)
  /// A token that the vocabulary does not have.
  case unknownToken(String)
}
