import Compute
import ModelFormats
import Threading
import Tokenization

/// A model file loaded and ready to be evaluated; one owner at a time uses it.
package final class LanguageModel {
  /// Settings of loading a model.
  package struct Settings: Sendable {
    /// Number of positions the KV cache holds; nil: as many as the model was trained on, up to
    /// ``LanguageModel/usualContextLength``. More than it was trained on are never kept.
    package var contextLength: Int?
    /// Element type of the KV cache.
    package var cacheType = CacheType.f16
    /// Largest number of tokens evaluated at once.
    package var batchLimit = 512
    /// The threads that compute; nil: one for each usable physical core.
    package var threadCount: Int?

    /// The defaults.
    package init() {}
  }

  /// Element type of the KV cache.
  package enum CacheType: String, Sendable, CaseIterable {
    /// Single precision, for comparisons with a reference.
    case f32
    /// Half precision.
    case f16
    /// Eight-bit blocks.
    case q8_0
  }

  /// The positions that suit a conversation over documents on a small machine.
  package static let usualContextLength = 8192

  /// The model's sizes and settings.
  package let configuration: ModelConfiguration
  /// The file.
  package let file: GGUFFile
  let transformer: Transformer
  private var lastLogits: FloatBuffer?

  /// Opens a model file and finds its weights; the matrices stay where they are in the file.
  /// - Parameter progress: called with the share of the work done, 0 to 1.
  package convenience init(
    path: String, settings: Settings = Settings(), progress: (Double) -> Void = { _ in }
  ) throws(TextGenerationError) {
    let file = try checked { () throws(GGUFError) in try GGUFFile(path: path) }
    try self.init(file: file, configuration: ModelConfiguration(file), settings: settings, progress: progress)
  }

  init(
    file: GGUFFile, configuration: ModelConfiguration, settings: Settings,
    progress: (Double) -> Void = { _ in }
  ) throws(TextGenerationError) {
    self.file = file
    self.configuration = configuration
    let weights = try ModelWeights(
      WeightLoader(file: file, configuration: configuration), progress: progress)
    let pool = settings.threadCount.map { WorkerPool(threadCount: $0) } ?? WorkerPool()
    let capacity = min(settings.contextLength ?? Self.usualContextLength, configuration.contextLength)
    let (isEncoder, type) = (configuration.isEncoder, settings.cacheType)
    let isWhole = configuration.keyLength % 32 == 0 && configuration.valueLength % 32 == 0
    let cacheType: TensorType =
      isEncoder || type == .f32 ? .f32 : type == .q8_0 && isWhole ? .q8_0 : .f16
    transformer = try Transformer(
      configuration, weights, capacity: capacity, cacheType: cacheType,
      batchLimit: isEncoder ? max(capacity, settings.batchLimit) : min(settings.batchLimit, capacity),
      context: ComputeContext(pool: pool))
    try check()
  }

  /// Throws where the file changed since it was opened.
  private func check() throws(TextGenerationError) {
    for part in file.parts {
      try computed { () throws(ComputeError) in try part.file.check() }
    }
  }

  /// The number of tokens the model knows.
  package var vocabularySize: Int { transformer.weights.vocabularySize }
  /// The positions evaluated so far.
  package var length: Int { transformer.length }
  /// Number of positions the KV cache holds.
  package var contextLength: Int { transformer.capacity }

  /// Largest number of tokens evaluated at once.
  package var batchLimit: Int { transformer.batchLimit }
  /// The threads that compute.
  package var threadCount: Int { transformer.pool.threadCount }
  /// Multiply-adds with weights so far, for measurements.
  package var multiplyAddCount: Int { transformer.context.multiplyAddCount }
  /// Bytes of the KV cache for one position.
  package var cacheBytesPerToken: Int {
    transformer.caches.reduce(0) { $0 + ($1?.byteCount ?? 0) } / max(1, contextLength)
  }

  /// Empties the KV cache.
  package func reset() {
    let isReset = transformer.truncate(to: 0)
    precondition(isReset, "forgetting everything is always possible")
  }

  /// Evaluates tokens after those evaluated so far and returns the logits of the last `rows`, or of each:
  /// `(rows, vocabulary)`. The fewer are wanted, the less the last layer computes.
  package func logits(of tokens: [TokenID], last rows: Int? = nil) throws(TextGenerationError) -> [Float] {
    guard !configuration.isEncoder else { throw .wrongKind(architecture: configuration.architectureName) }
    guard !tokens.isEmpty else { throw .emptyPrompt }
    precondition(rows ?? 0 >= 0, "logits of some tokens or none")
    let size = vocabularySize
    let first = tokens.count - min(rows ?? tokens.count, tokens.count)
    let logits = try makeBuffer((tokens.count - first) * size)
    for start in stride(from: 0, to: tokens.count, by: batchLimit) {
      let end = min(tokens.count, start + batchLimit)
      try evaluate(
        Array(tokens[start..<end]), rows: max(0, end - max(start, first)),
        into: logits.base + max(0, start - first) * size, isStopped: { false })
    }
    return Array(logits.buffer)
  }

  /// Evaluates tokens, at most a batch of them, and the logits of the last `rows`, which are kept nowhere.
  package func advance(_ tokens: [TokenID], rows: Int = 1) throws(TextGenerationError) {
    if lastLogits?.count ?? 0 < rows * vocabularySize { lastLogits = try makeBuffer(rows * vocabularySize) }
    guard let lastLogits else { return }
    try evaluate(tokens, rows: rows, into: lastLogits.base, isStopped: { false })
  }

  /// Evaluates tokens, at most a batch of them, for the logits of the last `rows`.
  func evaluate(
    _ tokens: [TokenID], rows: Int, into logits: MutableFloats, isStopped: () -> Bool
  ) throws(TextGenerationError) {
    let hidden = try transformer.evaluate(tokens[...], outputs: rows, isStopped: isStopped)
    if rows > 0 { try transformer.logits(of: hidden, count: rows, into: logits) }
    try check()
  }
}
