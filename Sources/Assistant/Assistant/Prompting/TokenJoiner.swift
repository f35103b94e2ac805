import ChatTemplates
import Tokenization

/// Makes tokens of a rendered conversation, with the tokens of the model's messages as they were generated.
///
/// A text can be cut into tokens in several ways, and a model need not choose the tokenizer's. With its own tokens,
/// the prompt of the next turn begins with exactly the tokens in the KV cache.
struct TokenJoiner {
  let tokenizer: Tokenizer

  /// - Parameter said: the model's messages with their tokens, in the order in which they stand in the pieces.
  func tokens(of pieces: [RenderedText.Piece], said: [ChatMessage]) -> [TokenID] {
    var tokens: [TokenID] = []
    var run: [TextPiece] = []
    var said = said[...]
    func encodeRun() {
      if !run.isEmpty { tokens += tokenizer.encode(run) }
      run = []
    }
    for (place, piece) in pieces.enumerated() {
      if !piece.isTrusted, let match = said.firstIndex(where: { $0.content == piece.text }),
        place + 1 == pieces.count || beginsWithSpecial(pieces[place + 1])
      {
        encodeRun()
        tokens += said[match].tokens
        said = said[(match + 1)...]
      } else {
        run.append(TextPiece(piece.text, isTrusted: piece.isTrusted))
      }
    }
    encodeRun()
    if tokenizer.addsBeginningOfText, let first = tokenizer.special.beginningOfText, tokens.first != first {
      tokens.insert(first, at: 0)
    }
    return tokens
  }

  /// Indicates whether a piece begins with a special token. Other text behind a message would be cut differently than
  /// behind its last token.
  private func beginsWithSpecial(_ piece: RenderedText.Piece) -> Bool {
    guard piece.isTrusted, let first = tokenizer.encode([TextPiece(piece.text, isTrusted: true)]).first else {
      return false
    }
    return tokenizer.attributes(of: first).contains(.control) || tokenizer.endsGeneration(first)
  }
}
