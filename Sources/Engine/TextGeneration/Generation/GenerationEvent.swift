import Grammars
import Tokenization

/// What a generator is asked for.
package struct GenerationRequest: Sendable {
  /// The prompt.
  package var tokens: [TokenID]
  /// How tokens are drawn.
  package var sampling: SamplingSettings
  /// The most tokens generated; nil: as many as the context holds.
  package var tokenLimit: Int?
  /// Texts that end the answer; they are not part of it.
  package var stopTexts: [String]
  /// Whether control tokens show as the text they are written with.
  package var showsSpecial: Bool
  /// What the answer must look like; nil: anything.
  ///
  /// With a ``tokenLimit`` the answer is led to its end before the limit, as far as the vocabulary can spell it.
  package var grammar: Grammar?
  /// How tokens are guessed ahead of the model, which never changes the answer.
  package var drafting: Drafting
  /// How much of the prompt, in tokens, other prompts are likely to begin with: the system prompt, say. Models with
  /// recurrent layers, which cannot go back to just any place, remember that place.
  package var sharedPrefixLength: Int?

  /// A request; only the prompt must be given.
  package init(
    tokens: [TokenID], sampling: SamplingSettings = .greedy, tokenLimit: Int? = nil, stopTexts: [String] = [],
    showsSpecial: Bool = false, grammar: Grammar? = nil, drafting: Drafting = .automatic,
    sharedPrefixLength: Int? = nil
  ) {
    self.tokens = tokens
    self.sampling = sampling
    self.tokenLimit = tokenLimit
    self.stopTexts = stopTexts
    self.showsSpecial = showsSpecial
    self.grammar = grammar
    self.drafting = drafting
    self.sharedPrefixLength = sharedPrefixLength
  }
}

/// How tokens are guessed ahead, for the model to check several at once.
package enum Drafting: String, Sendable, CaseIterable {
  /// Not at all.
  case off
  /// By what followed the same words earlier in the context.
  case lookup
  /// By the draft model, where one is loaded, and by looking up where not.
  case automatic
}

/// What happens while an answer is generated.
package enum GenerationEvent: Sendable, Equatable {
  /// So many tokens of the prompt's new part have been evaluated.
  case prefill(done: Int, total: Int)
  /// More of the answer's text; characters come whole.
  case text(String)
  /// The answer is complete, or was stopped; nothing follows.
  case finished(GenerationMetrics)
}

/// What one answer took.
package struct GenerationMetrics: Sendable, Equatable {
  /// Why an answer ended.
  package enum Ending: String, Sendable {
    /// The model said so.
    case endOfGeneration
    /// A stop text came.
    case stopText
    /// The limit on new tokens was reached.
    case tokenLimit
    /// The context is full.
    case contextFull
    /// No token is possible: the grammar allows none that the vocabulary has, or the model's scores are no numbers.
    case noToken
    /// The caller stopped it.
    case stopped
  }

  /// Tokens of the prompt.
  package internal(set) var promptTokenCount = 0
  /// Tokens of the prompt that were in the cache already.
  package internal(set) var reusedTokenCount = 0
  /// Tokens of the prompt that came from a saved state; they count as reused.
  package internal(set) var restoredTokenCount = 0
  /// Tokens guessed ahead of the model.
  package internal(set) var draftedTokenCount = 0
  /// Tokens guessed ahead that were right.
  package internal(set) var acceptedTokenCount = 0
  /// Whether the answer is complete by its grammar; nil without one.
  package internal(set) var matchesGrammar: Bool?
  /// Tokens generated, the one that ends the answer not counted.
  package internal(set) var generatedTokenCount = 0
  /// The tokens generated, the one that ends the answer not among them: a prompt that goes on with exactly these finds them evaluated.
  package internal(set) var tokens: [TokenID] = []
  /// From the request to the first token.
  package internal(set) var timeToFirstToken = Duration.zero
  /// The time to evaluate the prompt's new part.
  package internal(set) var prefillTime = Duration.zero
  /// The time to generate the tokens after the first.
  package internal(set) var decodeTime = Duration.zero
  /// Why the answer ended.
  package internal(set) var ending = Ending.endOfGeneration

  /// Prompt tokens evaluated per second.
  package var prefillTokensPerSecond: Double {
    rate(promptTokenCount - reusedTokenCount, prefillTime)
  }
  /// Tokens generated per second, the first not counted.
  package var decodeTokensPerSecond: Double { rate(max(0, generatedTokenCount - 1), decodeTime) }

  private func rate(_ count: Int, _ time: Duration) -> Double {
    let seconds = time / .seconds(1)
    return seconds > 0 ? Double(count) / seconds : 0
  }
}
