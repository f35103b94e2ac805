import Entitlements

/// A model on this machine that can answer: a language model, or in the tests a script.
///
/// Every run goes through ``Session``, which reserves a ticket before it and settles it after; a backend knows nothing of that.
public protocol LocalBackend: Sendable {
  /// The engine, as tickets name it.
  var kind: LocalModelBackend { get }
  /// The model's name, for badges.
  var name: String { get }
  /// Whether it may call tools.
  var toolUse: ToolUse { get }
  /// Whether it is to put questions into other words for the search.
  var rewordsQuestions: Bool { get }
  /// Whether what was said takes so much of the window that it is to be summed up before the next question.
  func needsSummary(_ history: [Exchange]) -> Bool
  /// Cuts the passages of a document into parts, each of which one prompt holds.
  func parts(of passages: [PromptPassage]) -> [Range<Int>]
  /// Answers, piece by piece. Dropping the stream stops the run before its next token.
  func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error>
}

extension LocalBackend {
  /// A backend calls no tools unless it says so.
  public var toolUse: ToolUse { .off }
  /// A backend leaves questions as they are unless it says otherwise.
  public var rewordsQuestions: Bool { false }
  /// A backend without a window of its own needs no summaries.
  public func needsSummary(_ history: [Exchange]) -> Bool { false }
  /// A backend without a window of its own reads some passages at a time.
  public func parts(of passages: [PromptPassage]) -> [Range<Int>] {
    stride(from: 0, to: passages.count, by: 6).map { $0..<min($0 + 6, passages.count) }
  }
}

/// The whole of what a backend said where nothing of it is shown as it comes.
struct LocalText: Sendable {
  var text: String
  var metrics: AnswerMetrics?
}

extension LocalBackend {
  /// Runs once and gives what was said, without thoughts and marks.
  /// - Parameters:
  ///   - progress: called with how much of the prompt is read.
  ///   - isEnough: whether what was said so far is all that is wanted.
  func text(
    _ request: LocalRequest, progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
    until isEnough: @Sendable (_ said: String) -> Bool = { _ in false }
  ) async throws -> LocalText {
    var parser = ModelOutputParser(tools: [])
    var said = LocalText(text: "")
    func take(_ outputs: [ModelOutputParser.Output]) {
      for case .text(let piece) in outputs { said.text += piece }
    }
    for try await output in answer(request) {
      switch output {
      case .prompted(let report): parser = ModelOutputParser(tools: [], opening: report.opening)
      case .prefill(let done, let total): progress(done, total)
      case .text(let piece): take(parser.append(piece))
      case .finished(let metrics): said.metrics = metrics
      }
      try Task.checkCancellation()
      if isEnough(said.text) { break }
    }
    take(parser.finish())
    try Task.checkCancellation()
    said.text = said.text.trimmingSpace
    return said
  }
}

/// What a backend reports while it runs.
public enum LocalOutput: Sendable, Equatable {
  /// The prompt as it was made, before any of it is evaluated.
  case prompted(PromptReport)
  /// So many of the prompt's new tokens are read.
  case prefill(done: Int, total: Int)
  /// The next piece of what the model says, with the marks of its thoughts and calls.
  case text(String)
  /// The run is over.
  case finished(AnswerMetrics)
}

/// What a prompt was made of.
public struct PromptReport: Sendable, Equatable {
  /// The user's message as the model reads it, with its passages.
  public var prompted: String
  /// The places, among the passages offered, of those in the prompt, in the order of their numbers.
  public var read: [Int]
  /// What did not fit.
  public var leftOut: [LeftOut]
  /// How the prompt ends: some templates open the model's thoughts.
  public var opening: String

  /// Makes a report.
  public init(prompted: String, read: [Int] = [], leftOut: [LeftOut] = [], opening: String = "") {
    self.prompted = prompted
    self.read = read
    self.leftOut = leftOut
    self.opening = opening
  }
}

/// Something that did not fit into the model's window; it is named before the prompt is evaluated.
public enum LeftOut: Sendable, Hashable, Codable {
  /// The passages of so many earlier answers.
  case passagesOfTurns(Int)
  /// So many of the oldest turns.
  case turns(Int)
  /// So many of the passages that were meant to be read.
  case passages(Int)
  /// The first so many tokens of the question.
  case beginning(tokens: Int, of: Int)
}

/// What an engine measured of one answer.
public struct AnswerMetrics: Sendable, Equatable, Codable {
  /// Tokens of the prompt, those reused from the cache among them.
  public var promptTokens: Int
  /// Tokens of the prompt that were in the cache already.
  public var reusedTokens: Int
  /// Tokens generated.
  public var generatedTokens: Int
  /// Seconds from the request to the first token.
  public var timeToFirstToken: Double
  /// Seconds that evaluating the prompts' new tokens took.
  public var prefillSeconds: Double
  /// Seconds that generating took.
  public var decodeSeconds: Double
  /// How many times the model was run: once, and once more after each step of tools.
  public var runs: Int
  /// Where it ran.
  public var backend: String
  /// How the model's weights are stored.
  public var quantization: String
  /// The seed that gives the same answer again.
  public var seed: Int
  /// Why the answer ended, as the engine names it.
  public var ending: String
  /// The tokens of the last run's text, for the prompt of the next turn.
  public var said: [Int32]

  /// New prompt tokens a second.
  public var prefillTokensPerSecond: Double { Self.rate(promptTokens - reusedTokens, prefillSeconds) }
  /// Generated tokens a second.
  public var decodeTokensPerSecond: Double { Self.rate(generatedTokens, decodeSeconds) }

  private static func rate(_ count: Int, _ seconds: Double) -> Double {
    seconds > 0 ? Double(max(0, count)) / seconds : 0
  }

  /// Makes a record of a run.
  public init(
    promptTokens: Int = 0, reusedTokens: Int = 0, generatedTokens: Int = 0, timeToFirstToken: Double = 0,
    prefillSeconds: Double = 0, decodeSeconds: Double = 0, backend: String = "cpu", quantization: String = "",
    seed: Int = 0, ending: String = "", said: [Int32] = []
  ) {
    self.promptTokens = promptTokens
    self.reusedTokens = reusedTokens
    self.generatedTokens = generatedTokens
    self.timeToFirstToken = timeToFirstToken
    self.prefillSeconds = prefillSeconds
    self.decodeSeconds = decodeSeconds
    runs = 1
    self.backend = backend
    self.quantization = quantization
    self.seed = seed
    self.ending = ending
    self.said = said
  }

  /// Adds a later run of the same turn: sums, but the time to the first token stays that of the first run.
  mutating func add(_ later: AnswerMetrics) {
    promptTokens += later.promptTokens
    reusedTokens += later.reusedTokens
    generatedTokens += later.generatedTokens
    prefillSeconds += later.prefillSeconds
    decodeSeconds += later.decodeSeconds
    runs += later.runs
    (ending, said) = (later.ending, later.said)
  }
}
