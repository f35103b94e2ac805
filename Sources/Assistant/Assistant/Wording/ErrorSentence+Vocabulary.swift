import Tokenization

extension ErrorSentence {
  /// Says what is wrong with a vocabulary, to follow a colon.
  static func describe(_ error: TokenizationError) -> String {
    switch error {
    case .unsupportedModel(let kind): "vocabularies of the kind '\(kind)' are not known"
    case .unknownPreTokenizer(let name): "its pre-tokenizer '\(name)' is not known"
    case .emptyVocabulary: "it is empty"
    case .tooMany(let list, let count, let limit): "it has \(count) \(name(list)), more than \(limit)"
    case .tooLong(let list, let index, let byteCount):
      "number \(index) of its \(name(list)) has \(byteCount) bytes"
    case .tooShort(let list, let count, let needed): "it has \(count) \(name(list)) for \(needed) tokens"
    case .mergesMissing: "it has no merges"
    case .specialTokenMissing(let token): "it is to add the token for \(name(token)), which it has not"
    case .damagedCharacterMap: "its table of characters is damaged"
    }
  }

  private static func name(_ list: TokenizationError.Array) -> String {
    switch list {
    case .tokens: "tokens"
    case .scores: "scores"
    case .tokenTypes: "token types"
    case .merges: "merges"
    case .characterMap: "bytes of characters"
    }
  }

  private static func name(_ token: TokenizationError.SpecialToken) -> String {
    switch token {
    case .beginningOfText: "the beginning of a text"
    case .endOfText: "the end of a text"
    case .separator: "what separates texts"
    }
  }
}
