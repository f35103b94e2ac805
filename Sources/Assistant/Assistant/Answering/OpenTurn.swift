import Foundation
import Telemetry

/// A turn while it runs.
struct OpenTurn {
  let session: Int
  let number: Int
  let question: String
  /// The question completed from the turns before it; this is what is searched for.
  var sought: String
  let started: ContinuousClock.Instant
  var route = Route.Kind.documents
  var author = ""
  var answer = ""
  /// The model's answer so far, without control marks, thoughts and calls.
  var said = ""
  var transcript: Transcript?
  /// Indices, among the passages offered, of those in the prompt.
  var readPlaces: [Int] = []
  var hasThought = false
  var sources: [Source] = []
  var hasEvidence = true
  var coverage: Coverage?
  var metrics: AnswerMetrics?
  var events: [TelemetryEvent] = []
  var firstOutput: ContinuousClock.Instant?
  var isClosed = false

  init(session: Int, number: Int, question: String, started: ContinuousClock.Instant) {
    self.session = session
    self.number = number
    self.question = question
    sought = question
    self.started = started
  }

  mutating func say(_ piece: String, at now: ContinuousClock.Instant, _ emit: (SessionEvent) -> Void) {
    guard !piece.isEmpty else { return }
    if firstOutput == nil { firstOutput = now }
    answer += piece
    emit(.text(piece))
  }

  /// Adds the measurements of one run of the model.
  mutating func add(_ run: AnswerMetrics) {
    if metrics == nil { metrics = run } else { metrics?.add(run) }
  }

  /// Telemetry event that records how the turn ended.
  func outcome(_ status: TurnStatus, now: ContinuousClock.Instant) -> TelemetryEvent {
    let kind = TelemetryEvent.RouteKind(rawValue: route.rawValue) ?? .chat
    switch status {
    case .stopped: return .cancelled(route: kind, afterOutput: !answer.isEmpty)
    case .failed: return .failed(code: author.isEmpty || author == "analysis" ? .library : .model)
    default:
      return .answered(
        route: kind, author: metrics == nil ? .analysis : .model, sourceCount: sources.count,
        timeToFirstOutput: (firstOutput ?? now) - started, total: now - started,
        promptTokens: metrics?.promptTokens ?? 0, generatedTokens: metrics?.generatedTokens ?? 0,
        prefillTokensPerSecond: metrics?.prefillTokensPerSecond ?? 0,
        decodeTokensPerSecond: metrics?.decodeTokensPerSecond ?? 0, reusedTokens: metrics?.reusedTokens ?? 0,
        calls: transcript?.steps.reduce(0) { $0 + $1.calls.count } ?? 0, backend: metrics == nil ? nil : .gguf,
        quantization: metrics.map { TelemetryEvent.Quantization(rawValue: $0.quantization) ?? .other })
    }
  }

  func summary(_ status: TurnStatus, previewsLeft: Int?) -> TurnSummary {
    TurnSummary(
      session: session, turn: number, route: route, author: author, status: status, hasEvidence: hasEvidence,
      coverage: coverage, metrics: metrics, previewsLeft: previewsLeft)
  }
}
