import Tokenization

/// What a generator is asked for.
public struct GenerationRequest: Sendable {
  /// The prompt.
  public var tokens: [TokenID]
  /// How tokens are drawn.
  public var sampling: Sampling
  /// The most tokens generated; nil: as many as the context holds.
  public var tokenLimit: Int?
  /// Texts that end the answer; they are not part of it.
  public var stopTexts: [String]
  /// Whether control tokens show as the text they are written with.
  public var showsSpecial: Bool

  /// A request; only the prompt must be given.
  public init(
    tokens: [TokenID], sampling: Sampling = .greedy, tokenLimit: Int? = nil, stopTexts: [String] = [],
    showsSpecial: Bool = false
  ) {
    self.tokens = tokens
    self.sampling = sampling
    self.tokenLimit = tokenLimit
    self.stopTexts = stopTexts
    self.showsSpecial = showsSpecial
  }
}

/// What happens while an answer is generated.
public enum GenerationEvent: Sendable, Equatable {
  /// So many tokens of the prompt's new part have been evaluated.
  case prefill(done: Int, total: Int)
  /// More of the answer's text; characters come whole.
  case text(String)
  /// The answer is complete, or was stopped; nothing follows.
  case finished(GenerationMetrics)
}

/// What one answer took.
public struct GenerationMetrics: Sendable, Equatable {
  /// Why an answer ended.
  public enum Ending: String, Sendable {
    /// The model said so.
    case endOfGeneration
    /// A stop text came.
    case stopText
    /// The limit on new tokens was reached.
    case tokenLimit
    /// The context is full.
    case contextFull
    /// The caller stopped it.
    case stopped
  }

  /// Tokens of the prompt.
  public internal(set) var promptTokenCount = 0
  /// Tokens of the prompt that were in the cache already.
  public internal(set) var reusedTokenCount = 0
  /// Tokens generated, the one that ends the answer not counted.
  public internal(set) var generatedTokenCount = 0
  /// From the request to the first token.
  public internal(set) var timeToFirstToken = Duration.zero
  /// The time to evaluate the prompt's new part.
  public internal(set) var prefillTime = Duration.zero
  /// The time to generate the tokens after the first.
  public internal(set) var decodeTime = Duration.zero
  /// Why the answer ended.
  public internal(set) var ending = Ending.endOfGeneration

  /// Prompt tokens evaluated per second.
  public var prefillTokensPerSecond: Double {
    rate(promptTokenCount - reusedTokenCount, prefillTime)
  }
  /// Tokens generated per second, the first not counted.
  public var decodeTokensPerSecond: Double { rate(max(0, generatedTokenCount - 1), decodeTime) }

  private func rate(_ count: Int, _ time: Duration) -> Double {
    let seconds = time / .seconds(1)
    return seconds > 0 ? Double(count) / seconds : 0
  }
}
