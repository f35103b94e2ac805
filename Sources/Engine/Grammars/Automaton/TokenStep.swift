/// A step of a grammar over one token of the vocabulary, or over any token but that one.
package struct TokenStep: Sendable, Hashable {
  /// The token as the grammar names it.
  package var reference: TokenReference
  /// Indicates whether every other token is meant.
  package var isNegated: Bool
}
