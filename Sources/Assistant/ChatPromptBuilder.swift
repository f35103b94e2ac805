import ChatTemplates
import TextGeneration
import Tokenization

/// Makes the tokens of a conversation by the model's own template.
///
/// What the template wrote may become control tokens; what people, documents and models said never can.
struct ChatPromptBuilder: Sendable {
  let template: ChatTemplate
  let tokenizer: Tokenizer
  let system: String

  /// The tokens of a prompt and what did not fit into it.
  struct Prompt: Equatable {
    var tokens: [TokenID]
    /// How many of the oldest exchanges were left out.
    var droppedExchanges: Int
  }

  /// Builds the prompt, leaving out the oldest exchanges as far as the rest needs the room.
  /// - Throws: ``ContextError/doesNotFit(needed:room:)`` where the question alone is too long; `TemplateError`.
  func build(_ request: LocalRequest, room: Int) throws -> Prompt {
    var history = request.history[...]
    var dropped = 0
    while true {
      let tokens = try tokens(history: history, question: request.question)
      if tokens.count <= room { return Prompt(tokens: tokens, droppedExchanges: dropped) }
      guard !history.isEmpty else { throw ContextError.doesNotFit(needed: tokens.count, room: room) }
      // Half of what is over goes at once, so that a long history is not rendered once for each exchange.
      let share = max(1, history.count * (tokens.count - room) / tokens.count / 2)
      history = history.dropFirst(share)
      dropped += share
    }
  }

  private func tokens(history: ArraySlice<LocalRequest.Exchange>, question: String) throws -> [TokenID] {
    let pieces: [RenderedText.Piece]
    do {
      pieces = try render(history, question, system: system)
    } catch is TemplateError where !system.isEmpty {
      // Some templates know no system role and say so by an exception; then the first question carries its text.
      var opening = LocalRequest(history: Array(history), question: question)
      if history.isEmpty {
        opening.question = system + "\n\n" + question
      } else {
        opening.history[0].question = system + "\n\n" + opening.history[0].question
      }
      pieces = try render(opening.history[...], opening.question, system: "")
    }
    var tokens = tokenizer.encode(pieces.map { TextPiece($0.text, isTrusted: $0.isTrusted) })
    if tokenizer.addsBeginningOfText, let first = tokenizer.special.beginningOfText, tokens.first != first {
      tokens.insert(first, at: 0)
    }
    return tokens
  }

  private func render(
    _ history: ArraySlice<LocalRequest.Exchange>, _ question: String, system: String
  ) throws -> [RenderedText.Piece] {
    func message(_ role: String, _ content: String) -> TemplateValue {
      .object([.init("role", .string(role)), .init("content", .string(content))])
    }
    var messages = system.isEmpty ? [] : [message("system", system)]
    for exchange in history {
      messages += [message("user", exchange.question), message("assistant", exchange.answer)]
    }
    messages.append(message("user", question))
    func written(_ token: TokenID?) -> TemplateValue {
      .string(token.map { String(decoding: tokenizer.piece(of: $0, showsSpecial: true), as: UTF8.self) } ?? "")
    }
    let context = TemplateContext(
      variables: [.init("messages", .array(messages))],
      trusted: [
        .init("add_generation_prompt", .bool(true)),
        .init("bos_token", written(tokenizer.special.beginningOfText)),
        .init("eos_token", written(tokenizer.special.endOfText)),
      ])
    return try template.render(context).pieces
  }
}

/// Why a prompt cannot be made.
public enum ContextError: Error, Sendable, Equatable {
  /// The question alone is longer than the window leaves room for.
  case doesNotFit(needed: Int, room: Int)
}
