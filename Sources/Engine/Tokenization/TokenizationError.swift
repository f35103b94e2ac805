/// Errors of making a tokenizer.
package enum TokenizationError: Error, Sendable, Equatable {
  /// The kind of vocabulary (`tokenizer.ggml.model`) is none of those that are implemented.
  case unsupportedModel(String)
  /// The pre-tokenizer (`tokenizer.ggml.pre`) is none of those that are implemented.
  case unknownPreTokenizer(String)
  /// There are no tokens at all.
  case emptyVocabulary
  /// There are more tokens or merges than ``TokenizerDefinition/largestCount``.
  case tooMany(Array, count: Int, limit: Int)
  /// A token or merge is longer than ``TokenizerDefinition/longestToken`` bytes (twice that for a merge).
  case tooLong(Array, index: Int, byteCount: Int)
  /// There are fewer scores or token types than tokens.
  case tooShort(Array, count: Int, needed: Int)
  /// A byte-pair vocabulary comes without merges.
  case mergesMissing
  /// The definition asks to add a special token that it does not have.
  case specialTokenMissing(SpecialToken)
  /// The normaliser's table is cut short or points outside itself.
  case damagedCharacterMap(byteCount: Int)

  /// The arrays of a definition.
  package enum Array: Sendable, Equatable { case tokens, scores, tokenTypes, merges, characterMap }

  /// The special tokens that a definition may ask to add.
  package enum SpecialToken: Sendable, Equatable { case beginningOfText, endOfText, separator }
}
