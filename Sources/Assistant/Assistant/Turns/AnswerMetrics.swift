/// Measurements of one answer by the engine.
package struct AnswerMetrics: Sendable, Equatable, Codable {
  /// Number of tokens of the prompt, including those reused from the KV cache.
  package var promptTokens: Int
  /// Number of tokens of the prompt that were in the KV cache already.
  package var reusedTokens: Int
  /// Number of tokens generated.
  package var generatedTokens: Int
  /// Seconds from the request to the first token.
  package var timeToFirstToken: Double
  /// Seconds of prefill: evaluating the prompts' new tokens.
  package var prefillSeconds: Double
  /// Seconds of decode: generating tokens.
  package var decodeSeconds: Double
  /// Number of times the model was run: once, and once more after each step of tool calls.
  package var runs: Int
  /// Compute backend that it ran on.
  package var backend: String
  /// Quantization of the model's weights.
  package var quantization: String
  /// The seed that gives the same answer again.
  package var seed: Int
  /// Reason for which the answer ended, as the engine names it.
  package var ending: String
  /// The tokens of the last run's text, for the prompt of the next turn.
  package var said: [Int32]

  /// New prompt tokens a second.
  package var prefillTokensPerSecond: Double { Self.rate(promptTokens - reusedTokens, prefillSeconds) }
  /// Generated tokens a second.
  package var decodeTokensPerSecond: Double { Self.rate(generatedTokens, decodeSeconds) }

  private static func rate(_ count: Int, _ seconds: Double) -> Double {
    seconds > 0 ? Double(max(0, count)) / seconds : 0
  }

  /// Makes the measurements of a run.
  package init(
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
