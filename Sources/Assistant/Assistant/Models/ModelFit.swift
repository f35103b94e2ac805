import JSON
import ModelStore

/// Estimate of the memory a model takes, against the memory there is.
package struct ModelFit: Sendable {
  private let path: String
  private let judgement: LoadJudgement
  private let verdict: Verdict

  init(path: String, judgement: LoadJudgement, verdict: Verdict) {
    (self.path, self.judgement, self.verdict) = (path, judgement, verdict)
  }

  /// Names of the forms in which a KV cache is kept.
  package static var cacheForms: [String] { CacheForm.allCases.map(\.rawValue) }

  /// Indicates whether the model goes into memory.
  package var fits: Bool { judgement.fits }

  /// Lines of the estimate, part by part, and the verdict.
  package var lines: [String] {
    let estimate = judgement.estimate
    return [
      (estimate.weights, "weights"), (estimate.cache, "KV cache of \(judgement.context) tokens"),
      (estimate.activations, "work space"), (estimate.surroundings, "vocabulary and program"),
      (estimate.total, "all"), (judgement.memory.available, "free now"),
    ].map { "\($0.0.memorySize)  \($0.1)" } + [verdict.rawValue]
  }

  /// The estimate as a document.
  package var json: JSON {
    let estimate = judgement.estimate
    return .document(
      "models-fit",
      [
        ("path", .string(path)), ("context", .int(judgement.context)), ("weights", .int(estimate.weights)),
        ("cache", .int(estimate.cache)), ("activations", .int(estimate.activations)),
        ("surroundings", .int(estimate.surroundings)), ("total", .int(estimate.total)),
        ("available", .int(judgement.memory.available)), ("fits", .bool(judgement.fits)),
        ("fittingContext", judgement.fittingContext.map(JSON.int) ?? .null),
        ("verdict", .string(verdict.rawValue)),
      ])
  }
}
