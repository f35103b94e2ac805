import Entitlements

/// A model on this machine that can answer: a language model, or in the tests a script.
///
/// Every run goes through ``Session``, which reserves a ticket before it and settles it after; a backend knows nothing of that.
public protocol LocalBackend: Sendable {
  /// The engine, as tickets name it.
  var kind: LocalModelBackend { get }
  /// The model's name, for badges.
  var name: String { get }
  /// Answers, piece by piece. Dropping the stream stops the run before its next token.
  func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error>
}

/// What a backend is asked.
public struct LocalRequest: Sendable, Equatable {
  /// Earlier questions and answers of the session, oldest first.
  public var history: [Exchange]
  /// The question.
  public var question: String

  /// One question and its answer.
  public struct Exchange: Sendable, Equatable {
    /// What the user said.
    public var question: String
    /// What was answered.
    public var answer: String

    /// Makes an exchange.
    public init(question: String, answer: String) {
      self.question = question
      self.answer = answer
    }
  }

  /// Makes a request.
  public init(history: [Exchange], question: String) {
    self.history = history
    self.question = question
  }
}

/// What a backend reports while it runs.
public enum LocalOutput: Sendable, Equatable {
  /// So many of the oldest turns did not fit into the model's window.
  case historyDropped(turns: Int)
  /// So many of the prompt's tokens are read.
  case prefill(done: Int, total: Int)
  /// The next piece of the answer.
  case text(String)
  /// The run is over.
  case finished(AnswerMetrics)
}

/// What an engine measured of one run.
public struct AnswerMetrics: Sendable, Equatable, Codable {
  /// Tokens of the prompt, those reused from the cache among them.
  public var promptTokens: Int
  /// Tokens of the prompt that were in the cache already.
  public var reusedTokens: Int
  /// Tokens generated.
  public var generatedTokens: Int
  /// Seconds from the request to the first token.
  public var timeToFirstToken: Double
  /// New prompt tokens a second.
  public var prefillTokensPerSecond: Double
  /// Generated tokens a second.
  public var decodeTokensPerSecond: Double

  /// Makes a record of a run.
  public init(
    promptTokens: Int = 0, reusedTokens: Int = 0, generatedTokens: Int = 0, timeToFirstToken: Double = 0,
    prefillTokensPerSecond: Double = 0, decodeTokensPerSecond: Double = 0
  ) {
    self.promptTokens = promptTokens
    self.reusedTokens = reusedTokens
    self.generatedTokens = generatedTokens
    self.timeToFirstToken = timeToFirstToken
    self.prefillTokensPerSecond = prefillTokensPerSecond
    self.decodeTokensPerSecond = decodeTokensPerSecond
  }
}
