import Compute
import Foundation
import ModelFormats
import Threading
import Tokenization

/// A model ready to run: weights, cache and buffers, all allocated once.
///
/// It is not thread-safe: one owner at a time calls it.
final class Transformer {
  let configuration: ModelConfiguration
  let weights: ModelWeights
  /// KV cache of each layer; nil for recurrent layers.
  let caches: [AttentionCache?]
  let state: RecurrentState
  let context: ComputeContext
  /// The positions that one text may take.
  let capacity: Int
  /// Largest number of tokens evaluated at once.
  let batchLimit: Int
  /// The places of the cache, in which whole texts stand side by side.
  let slotCount: Int
  let buffers: TransformerBuffers
  private let rotary: RotaryEmbedding
  private let windowRotary: RotaryEmbedding
  /// Batch that is being evaluated.
  private(set) var batch = TokenBatch()
  /// The positions evaluated so far.
  private(set) var length = 0

  init(
    _ configuration: ModelConfiguration, _ weights: ModelWeights, capacity: Int, cacheType: TensorType,
    batchLimit: Int, context: ComputeContext
  ) throws(TextGenerationError) {
    // Encoders evaluate whole texts only, so all layers use one cache in turn, with room for many short texts.
    slotCount = configuration.isEncoder ? 4 * TokenBatch.slotCount(of: batchLimit) : capacity
    self.configuration = configuration
    self.weights = weights
    self.context = context
    self.capacity = capacity
    self.batchLimit = batchLimit
    var caches: [AttentionCache?] = []
    for layer in 0..<configuration.layerCount {
      guard !configuration.isRecurrent[layer] else {
        caches.append(nil)
        continue
      }
      let heads = configuration.keyValueHeadCounts[layer]
      if configuration.isEncoder, let last = caches.last ?? nil, last.headCount == heads {
        caches.append(last)
        continue
      }
      caches.append(
        try computed { [slotCount] () throws(ComputeError) in
          try AttentionCache(
            headCount: heads, keyDim: configuration.keyLength, valueDim: configuration.valueLength,
            capacity: slotCount, type: cacheType)
        })
    }
    self.caches = caches
    state = try RecurrentState(configuration)
    let factors = weights.ropeFactors.factors(
      contextLength: capacity, original: configuration.rotation.originalContextLength)
    rotary = try RotaryEmbedding(configuration.rotation, factors: factors, batchLimit: batchLimit)
    windowRotary = try RotaryEmbedding(configuration.windowRotation, factors: factors, batchLimit: batchLimit)
    buffers = try TransformerBuffers(configuration, weights, batchLimit)
  }

  /// Forgets everything after a position.
  /// - Returns: false where recurrent layers make that impossible; nothing has changed then.
  func truncate(to newLength: Int) -> Bool {
    precondition(newLength >= 0 && newLength <= length, "a position evaluated before")
    guard newLength < length else { return true }
    guard newLength == 0 || state.isEmpty else { return false }
    state.reset()
    length = newLength
    return true
  }

  /// Puts back an earlier state of recurrent layers with the position it belongs to.
  func restore(_ snapshot: [Float], length newLength: Int) {
    precondition(newLength <= length, "a position evaluated before")
    state.restore(snapshot)
    length = newLength
  }

  /// Adopts the first `length` positions, whose keys and values were put into the KV cache, with the recurrent layers'
  /// state there.
  func adopt(_ snapshot: [Float]?, length newLength: Int) {
    precondition(newLength <= capacity, "positions of the cache")
    if let snapshot { state.restore(snapshot) }
    length = newLength
  }

  /// Evaluates tokens at the positions after those evaluated so far.
  /// - Parameters:
  ///   - tokens: at most ``batchLimit``.
  ///   - outputs: how many of the last tokens' hidden vectors are wanted: of the others the last layer computes only
  ///     what later tokens attend to.
  ///   - isStopped: asked before each layer; if it says so, nothing counts as evaluated, but recurrent layers may
  ///     have gone ahead and must be reset.
  /// - Returns: the hidden vectors `(outputs, width)` after the output norm, valid until the next call.
  func evaluate(
    _ tokens: ArraySlice<TokenID>, outputs: Int, isStopped: () -> Bool = { false }
  ) throws(TextGenerationError) -> MutableFloats {
    let count = tokens.count
    precondition(outputs >= 0 && outputs <= count, "hidden vectors of these tokens")
    guard length + count <= capacity else { throw .contextFull(needed: length + count, capacity: capacity) }
    let hidden = try evaluate(
      TokenBatch(tokens, after: length, configuration), outputs: outputs, isStopped: isStopped)
    length += count
    return hidden
  }

  /// Evaluates whole texts side by side; nothing of them is kept.
  /// - Parameter texts: at most ``batchLimit`` tokens and ``slotCount`` places together.
  /// - Returns: the hidden vectors `(count, width)` after the output norm, text after text, valid until the next call.
  func evaluate(texts: [[TokenID]]) throws(TextGenerationError) -> MutableFloats {
    precondition(length == 0 && state.isEmpty, "texts side by side have no past")
    if let longest = texts.map(\.count).max(), longest > capacity {
      throw .contextFull(needed: longest, capacity: capacity)
    }
    let batch = TokenBatch(texts, configuration)
    return try evaluate(batch, outputs: batch.count, isStopped: { false })
  }

  private func evaluate(
    _ batch: TokenBatch, outputs: Int, isStopped: () -> Bool
  ) throws(TextGenerationError) -> MutableFloats {
    let count = batch.count
    precondition(count > 0 && count <= batchLimit, "a batch within the limit")
    self.batch = batch
    try embed(batch)
    rotary.prepare(batch.positions)
    if configuration.windowSize > 0 { windowRotary.prepare(batch.positions) }
    for (index, layer) in weights.layers.enumerated() {
      if isStopped() { throw .stopped }
      try run(layer, index, count, outputs: index == weights.layers.count - 1 ? outputs : count)
    }
    let hidden = buffers.stream.base + (count - outputs) * configuration.width
    if let norm = weights.outputNorm { normalise(norm, hidden, into: hidden, outputs) }
    return hidden
  }

  /// The logits of hidden vectors.
  /// - Parameters:
  ///   - hidden: `(count, width)`, after the output norm
  ///   - logits: `(count, vocabulary)`, overwritten
  func logits(of hidden: Floats, count: Int, into logits: MutableFloats) throws(TextGenerationError) {
    guard let output = weights.output else { preconditionFailure("an encoder has no logits") }
    try apply(output, hidden, count, into: logits)
    let total = count * weights.vocabularySize
    if configuration.logitScale != 1 {
      instructions.scale(logits, by: configuration.logitScale, count: total, into: logits)
    }
    let cap = configuration.logitCap
    if cap > 0 {
      instructions.scale(logits, by: 1 / cap, count: total, into: logits)
      instructions.activate(.tanh, logits, count: total, into: logits)
      instructions.scale(logits, by: cap, count: total, into: logits)
    }
  }

  // MARK: The parts of a pass

  var instructions: InstructionSet { context.instructionSet }
  var pool: WorkerPool { context.pool }

  /// - Parameter forAttention: whether attention is computed from the result.
  func apply(
    _ linear: Linear, _ input: Floats, _ count: Int, into output: MutableFloats, activation: Activation? = nil,
    forAttention: Bool = false
  ) throws(TextGenerationError) {
    try multiply([product(linear, input, count, into: output, activation: activation)], forAttention: forAttention)
  }

  /// Multiplies several matrices with the same input.
  func apply(
    _ linears: [(linear: Linear, output: MutableFloats)], _ input: Floats, _ count: Int, forAttention: Bool = false
  ) throws(TextGenerationError) {
    try multiply(
      linears.map { product($0.linear, input, count, into: $0.output) }, forAttention: forAttention)
  }

  func product(
    _ linear: Linear, _ input: Floats, _ count: Int, into output: MutableFloats, activation: Activation? = nil
  ) -> ComputeContext.Product {
    ComputeContext.Product(
      linear.matrix, input, count: count, into: output, bias: linear.bias,
      activation: activation)
  }

  func multiply(
    _ products: [ComputeContext.Product], forAttention: Bool
  ) throws(TextGenerationError) {
    try computed { () throws(ComputeError) in
      try context.multiply(products, precision: precision(forAttention: forAttention))
    }
  }

  /// 8 bits are too coarse for some activations of encoders: those that attention is computed from, and all of a text
  /// so short that errors do not average out, whose vector's cosine would fall to 0.998.
  func precision(forAttention: Bool) -> ComputeContext.Precision {
    configuration.isEncoder && (forAttention || batch.isShort) ? .fine : .usual
  }

  func rotary(of layer: Int) -> RotaryEmbedding? {
    let family = configuration.family
    if let every = family.ropeSkipInterval, (layer + 1) % every == 0 { return nil }
    let isWindowed = configuration.isWindowed[layer]
    if family.ropeInWindowedLayersOnly, configuration.windowSize > 0, !isWindowed { return nil }
    return isWindowed ? windowRotary : rotary
  }

  func visible(in layer: Int) -> [Range<Int>] {
    configuration.isWindowed[layer] ? batch.windowVisible : batch.visible
  }

  private func embed(_ batch: TokenBatch) throws(TextGenerationError) {
    let width = configuration.width
    if let token = batch.tokens.first(where: { $0 < 0 || $0 >= weights.vocabularySize }) {
      throw .unknownToken(id: token, vocabularySize: weights.vocabularySize)
    }
    if let positions = weights.positions, let last = batch.positions.max(), last >= positions.rows {
      throw .contextFull(needed: last + 1, capacity: positions.rows)
    }
    pool.run(batch.count, grain: 8) { range in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: width) { scratch in
        guard let scratch = scratch.baseAddress else { return }
        for index in range { embed(batch, index, into: buffers.stream.base + index * width, scratch) }
      }
    }
    if let norm = weights.embeddingNorm {
      normalise(norm, buffers.stream.base, into: buffers.stream.base, batch.count)
    }
  }

  private func embed(_ batch: TokenBatch, _ index: Int, into row: MutableFloats, _ scratch: MutableFloats) {
    let width = configuration.width
    weights.embedding.dequantizeRow(batch.tokens[index], into: row)
    if configuration.embeddingScale != 1 {
      instructions.scale(row, by: configuration.embeddingScale, count: width, into: row)
    }
    if let positions = weights.positions {
      positions.dequantizeRow(batch.positions[index], into: scratch)
      instructions.add(row, scratch, count: width, into: row)
    }
    if let types = weights.tokenTypes {
      types.dequantizeRow(0, into: scratch)
      instructions.add(row, scratch, count: width, into: row)
    }
  }

  /// One block, in place of the residual stream.
  /// - Parameter outputs: how many of the last tokens go through the whole block; the others' places are left as they
  ///   were.
  private func run(
    _ layer: LayerWeights, _ index: Int, _ count: Int, outputs: Int
  ) throws(TextGenerationError) {
    var normed = normalised(layer.attentionNorm, buffers.stream.base, count)
    let branch = buffers.branch.base
    switch layer.mixer {
    case .attention(let weights): try attend(weights, index, normed, count, outputs: outputs, into: branch)
    case .shortConvolution(let weights):
      try convolve(weights, index, normed, count, outputs: outputs, into: branch)
    case .deltaNet(let weights): try runDeltaNet(weights, index, normed, count, outputs: outputs, into: branch)
    }
    guard outputs > 0 else { return }
    let first = (count - outputs) * configuration.width
    let stream = buffers.stream.base + first
    normed += first
    guard layer.isParallel else {
      join(branch, to: stream, layer.attentionPostNorm, outputs)
      try feedForward(layer, normalised(layer.feedForwardNorm, stream, outputs), outputs, into: branch)
      join(branch, to: stream, layer.feedForwardPostNorm, outputs)
      return
    }
    let side = buffers.sideBranch.base
    let input = layer.feedForwardNorm == nil ? normed : normalised(layer.feedForwardNorm, stream, outputs)
    try feedForward(layer, input, outputs, into: side)
    join(side, to: stream, layer.feedForwardPostNorm, outputs)
    join(branch, to: stream, layer.attentionPostNorm, outputs)
  }

  /// Adds a branch's output to the residual stream, normed before or, in encoders, after.
  private func join(_ branch: MutableFloats, to stream: MutableFloats, _ postNorm: NormWeights?, _ count: Int) {
    let (width, scale, instructions) = (configuration.width, configuration.residualScale, instructions)
    let norm = postNorm.map { self.norm($0, configuration.family.norm, width) }
    let normsResidual = configuration.family.normsResidual
    pool.run(count, grain: 16) { rows in
      for row in rows {
        let (row, added) = (stream + row * width, branch + row * width)
        if let norm, !normsResidual { norm.apply(added, into: added) }
        instructions.addScaled(added, by: scale, count: width, into: row)
        if let norm, normsResidual { norm.apply(row, into: row) }
      }
    }
  }

  private func normalised(_ norm: NormWeights?, _ source: MutableFloats, _ count: Int) -> MutableFloats {
    guard let norm else { return source }
    normalise(norm, source, into: buffers.normed.base, count)
    return buffers.normed.base
  }

  private func normalise(_ norm: NormWeights, _ source: Floats, into target: MutableFloats, _ count: Int) {
    let width = configuration.width
    let norm = self.norm(norm, configuration.family.norm, width)
    pool.run(count, grain: 16) { rows in
      for row in rows { norm.apply(source + row * width, into: target + row * width) }
    }
  }

  func norm(_ weights: NormWeights, _ kind: Architecture.Norm, _ length: Int) -> Normalization {
    Normalization(weights, kind, length: length, epsilon: configuration.normEpsilon, instructions)
  }
}
