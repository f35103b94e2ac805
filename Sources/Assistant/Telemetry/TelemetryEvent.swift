import Foundation

/// Event of the telemetry log; nothing else is ever recorded.
///
/// Cases carry counts, durations, ids and enums, but no text: no question, document, file name or path can be
/// recorded.
package enum TelemetryEvent: Sendable, Equatable {
  /// The program was started.
  case sessionStarted(isInteractive: Bool)
  /// A question was answered.
  case answered(
    route: RouteKind, author: AuthorKind, sourceCount: Int, timeToFirstOutput: Duration, total: Duration,
    promptTokens: Int, generatedTokens: Int, prefillTokensPerSecond: Double, decodeTokensPerSecond: Double,
    reusedTokens: Int = 0, calls: Int = 0, backend: Backend? = nil, quantization: Quantization? = nil)
  /// Passages were searched.
  case retrieved(matched: Int, read: Int, total: Duration)
  /// A file was read, or reading it failed.
  case ingested(outcome: IngestionOutcome, pages: Int, passages: Int, total: Duration)
  /// A picture was made.
  case imageGenerated(backend: Backend, steps: Int, width: Int, height: Int, total: Duration)
  /// A model was loaded.
  case modelLoaded(backend: Backend, byteCount: Int, total: Duration)
  /// A model was fetched.
  case modelDownloaded(byteCount: Int, total: Duration)
  /// A simpler engine answered than was intended.
  case fallbackUsed(reason: FallbackReason)
  /// The user stopped an answer.
  case cancelled(route: RouteKind, afterOutput: Bool)
  /// An operation failed.
  case failed(code: FailureCode)
  /// A connection was refused by the network lock.
  case networkRefused
  /// A local model ran on a preview; `remaining` are left.
  case previewModelUsed(backend: Backend, remaining: Int)
  /// The last preview was used.
  case previewExhausted(backend: Backend)
  /// A local run found no preview left.
  case previewGateTriggered(backend: Backend, entryPoint: EntryPoint)
  /// A plan with local models was chosen after previews.
  case previewToPaid(plan: PaidPlan, previewRuns: Int)

  /// Route of a question.
  package enum RouteKind: String, Sendable, CaseIterable, Codable { case chat, documents, image }
  /// Author of an answer.
  package enum AuthorKind: String, Sendable, CaseIterable, Codable { case analysis, model }
  /// Engine of a run.
  package enum Backend: String, Sendable, CaseIterable, Codable { case gguf, diffusion, sketch }
  /// Quantisation of a model's weights.
  package enum Quantization: String, Sendable, CaseIterable, Codable {
    case f32 = "F32", f16 = "F16", bf16 = "BF16", q4_0 = "Q4_0", q4_1 = "Q4_1", q5_0 = "Q5_0", q5_1 = "Q5_1"
    case q8_0 = "Q8_0", q2_k = "Q2_K", q2_k_s = "Q2_K_S", q3_k_s = "Q3_K_S", q3_k_m = "Q3_K_M", q3_k_l = "Q3_K_L"
    case q4_k_s = "Q4_K_S", q4_k_m = "Q4_K_M", q5_k_s = "Q5_K_S", q5_k_m = "Q5_K_M", q6_k = "Q6_K"
    case iq1_s = "IQ1_S", iq1_m = "IQ1_M", iq2_xxs = "IQ2_XXS", iq2_xs = "IQ2_XS", iq2_s = "IQ2_S", iq2_m = "IQ2_M"
    case iq3_xxs = "IQ3_XXS", iq3_xs = "IQ3_XS", iq3_s = "IQ3_S", iq3_m = "IQ3_M", iq4_nl = "IQ4_NL"
    case iq4_xs = "IQ4_XS", tq1_0 = "TQ1_0", tq2_0 = "TQ2_0", mxfp4 = "MXFP4_MOE", other
  }
  /// Outcome of importing a file.
  package enum IngestionOutcome: String, Sendable, CaseIterable, Codable {
    case ok, unchanged, emptyText = "empty-text", encrypted, damaged, limit, binary, unsupported, timeout, crashed
    case unreadable
  }
  /// Reason that a simpler engine answered.
  package enum FallbackReason: String, Sendable, CaseIterable, Codable {
    case noModel = "no-model", noTicket = "no-ticket", modelFailed = "model-failed", noOutput = "no-output"
  }
  /// Operation that failed.
  package enum FailureCode: String, Sendable, CaseIterable, Codable {
    case model, library, state, memory, disk, context, image, download, other
  }
  /// Event that led to the choice of a plan.
  package enum EntryPoint: String, Sendable, CaseIterable, Codable { case localModelGated = "local_model_gated" }
  /// Plans that include local models.
  package enum PaidPlan: String, Sendable, CaseIterable, Codable { case pro, lifetime }

  /// Severity of an event.
  package enum Severity: String, Sendable, CaseIterable, Codable, Comparable {
    case info, notice, warning, error

    /// Orders from `info` upwards.
    package static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
  }

  /// Category of an event.
  package enum Category: String, Sendable, CaseIterable, Codable {
    case session, answers, library, models, preview
  }
}
