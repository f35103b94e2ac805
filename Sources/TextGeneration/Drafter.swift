import Tokenization

/// Guesses what comes next, and how far ahead guessing pays.
struct Drafter {
  private var history: [TokenID]
  private let model: DraftModel?
  /// By the last tokens: where the token after them stands, for the latest place they were seen.
  private var places: [[TokenID: Int]] = []

  init(_ prompt: [TokenID], model: DraftModel?) {
    history = prompt
    self.model = model
  }

  mutating func accept(_ token: TokenID) { history.append(token) }

  /// Notes how many of the last guesses were right.
  mutating func learn(guessed: Int, right: Int) {}

  /// What may follow the history, at most so many tokens.
  mutating func propose(upTo limit: Int, _ sampler: Sampler) throws(TextGenerationError) -> [TokenID] { [] }
}

/// A smaller model that guesses for a larger one.
final class DraftModel {
  let model: LanguageModel

  init(_ model: LanguageModel) { self.model = model }
}
