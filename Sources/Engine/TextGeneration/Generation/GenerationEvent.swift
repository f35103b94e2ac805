import Grammars
import Tokenization

/// Request for an answer.
package struct GenerationRequest: Sendable {
  /// The prompt.
  package var tokens: [TokenID]
  /// Settings for drawing tokens.
  package var sampling: SamplingSettings
  /// Largest number of tokens generated; nil: as many as the context holds.
  package var tokenLimit: Int?
  /// Texts that end the answer; they are not part of it.
  package var stopTexts: [String]
  /// Indicates whether control tokens show as the text they are written with.
  package var showsSpecial: Bool
  /// Grammar of the answer; nil: any text.
  ///
  /// With a ``tokenLimit`` the answer is led to its end before the limit, as far as the vocabulary can spell it.
  package var grammar: Grammar?
  /// Source of draft tokens for speculative decoding, which never changes the answer.
  package var drafting: Drafting
  /// Length in tokens of the prompt's beginning that other prompts are likely to share: the system prompt, say. Models
  /// with recurrent layers, which cannot go back to just any place, remember that place.
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

/// Source of draft tokens for speculative decoding, in which the model checks several tokens at once.
package enum Drafting: String, Sendable, CaseIterable {
  /// No speculative decoding.
  case off
  /// Prompt lookup: what followed the same tokens earlier in the context.
  case lookup
  /// Prompt lookup, and the draft model where one is loaded.
  case automatic
}

/// Events of generating an answer.
package enum GenerationEvent: Sendable, Equatable {
  /// Progress of the prefill: tokens of the prompt's new part evaluated so far, and all of them.
  case prefill(done: Int, total: Int)
  /// More of the answer's text; characters come whole.
  case text(String)
  /// The answer is complete, or was stopped; nothing follows.
  case finished(GenerationMetrics)
}

/// Measurements of one answer.
package struct GenerationMetrics: Sendable, Equatable {
  /// Reason for which an answer ended.
  package enum Ending: String, Sendable {
    /// The model said so.
    case endOfGeneration
    /// A stop text came.
    case stopText
    /// The limit on new tokens was reached.
    case tokenLimit
    /// The context is full.
    case contextFull
    /// Lack of a possible token: the grammar allows none of the vocabulary, or the model produced NaN.
    case noToken
    /// The caller stopped it.
    case stopped
  }

  /// Tokens of the prompt.
  package internal(set) var promptTokenCount = 0
  /// Tokens of the prompt that were in the KV cache already.
  package internal(set) var reusedTokenCount = 0
  /// Tokens of the prompt that came from a saved KV cache; they count as reused.
  package internal(set) var restoredTokenCount = 0
  /// Number of draft tokens.
  package internal(set) var draftedTokenCount = 0
  /// Number of draft tokens that the model accepted.
  package internal(set) var acceptedTokenCount = 0
  /// Indicates whether the answer is complete by its grammar; nil without one.
  package internal(set) var matchesGrammar: Bool?
  /// Tokens generated, the one that ends the answer not counted.
  package internal(set) var generatedTokenCount = 0
  /// The tokens generated, the one that ends the answer not among them: a prompt that goes on with exactly these finds
  /// them evaluated.
  package internal(set) var tokens: [TokenID] = []
  /// Time from the request to the first token.
  package internal(set) var timeToFirstToken = Duration.zero
  /// Time of the prefill: evaluating the prompt's new part.
  package internal(set) var prefillTime = Duration.zero
  /// Time of decoding: generating the tokens after the first.
  package internal(set) var decodeTime = Duration.zero
  /// Reason for which the answer ended.
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
