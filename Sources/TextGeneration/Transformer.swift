import Compute
import Foundation
import ModelFormats
import Threading
import Tokenization

/// A model ready to run: weights, cache and buffers, all allocated once.
///
/// Not safe to share: one owner at a time calls it.
final class Transformer {
  let configuration: ModelConfiguration
  let weights: ModelWeights
  /// The keys and values of each layer; nil for recurrent layers.
  let caches: [AttentionCache?]
  let state: RecurrentState
  let context: ComputeContext
  /// The positions the cache holds.
  let capacity: Int
  /// The most tokens evaluated at once.
  let batchLimit: Int
  let buffers: TransformerBuffers
  private let rotary: RotaryEmbedding
  private let windowRotary: RotaryEmbedding
  /// What each query of the current batch sees, in layers without and with a window.
  private var visible: [Range<Int>] = []
  private var windowVisible: [Range<Int>] = []
  /// The positions evaluated so far.
  private(set) var length = 0

  init(
    _ configuration: ModelConfiguration, _ weights: ModelWeights, capacity: Int, cacheType: TensorType,
    batchLimit: Int, context: ComputeContext
  ) throws(TextGenerationError) {
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
      caches.append(
        try computed { () throws(ComputeError) in
          try AttentionCache(
            headCount: heads, keyDim: configuration.keyLength, valueDim: configuration.valueLength,
            capacity: capacity, type: cacheType)
        })
    }
    self.caches = caches
    state = try RecurrentState(configuration)
    let factors = weights.rotaryFactors.factors(
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

  /// Evaluates tokens at the positions after those evaluated so far.
  /// - Parameters:
  ///   - tokens: at most ``batchLimit``.
  ///   - isStopped: asked before each layer; if it says so, nothing counts as evaluated, but recurrent layers may
  ///     have gone ahead and must be reset.
  /// - Returns: the hidden vectors `(count, width)` after the output norm, valid until the next call.
  func evaluate(
    _ tokens: ArraySlice<TokenID>, isStopped: () -> Bool = { false }
  ) throws(TextGenerationError) -> MutableFloats {
    let count = tokens.count
    precondition(count > 0 && count <= batchLimit, "a batch within the limit")
    guard length + count <= capacity else { throw .contextFull(needed: length + count, capacity: capacity) }
    try embed(tokens)
    rotary.prepare(from: length, count: count)
    if configuration.windowSize > 0 { windowRotary.prepare(from: length, count: count) }
    prepareVisible(count)
    for (index, layer) in weights.layers.enumerated() {
      if isStopped() { throw .stopped }
      try run(layer, index, count)
    }
    let stream = buffers.stream.base
    if let norm = weights.outputNorm { normalise(norm, stream, into: stream, count) }
    length += count
    return stream
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

  func apply(
    _ linear: Linear, _ input: Floats, _ count: Int, into output: MutableFloats
  ) throws(TextGenerationError) {
    try apply([(linear, output)], input, count)
  }

  /// Multiplies several matrices with the same input.
  func apply(
    _ linears: [(linear: Linear, output: MutableFloats)], _ input: Floats, _ count: Int
  ) throws(TextGenerationError) {
    if let refinement = buffers.refinement, linears.contains(where: { $0.linear.matrix.type.isQuantized }) {
      try multiplyFinely(linears, input, count, refinement)
    } else {
      try computed { () throws(ComputeError) in
        try context.multiply(
          linears.map { ComputeContext.Product($0.linear.matrix, input, count: count, into: $0.output) })
      }
    }
    for (linear, output) in linears {
      guard let bias = linear.bias else { continue }
      let rows = linear.matrix.rows
      for token in 0..<count {
        instructions.add(output + token * rows, bias.base, count: rows, into: output + token * rows)
      }
    }
  }

  func rotary(of layer: Int) -> RotaryEmbedding? {
    let family = configuration.family
    if let every = family.unrotatedEvery, (layer + 1) % every == 0 { return nil }
    let isWindowed = configuration.isWindowed[layer]
    if family.rotatesOnlyWindowed, configuration.windowSize > 0, !isWindowed { return nil }
    return isWindowed ? windowRotary : rotary
  }

  func visible(in layer: Int) -> [Range<Int>] { configuration.isWindowed[layer] ? windowVisible : visible }

  private func prepareVisible(_ count: Int) {
    let end = length + count
    visible = (length..<end).map { 0..<(configuration.isCausal ? $0 + 1 : end) }
    let size = configuration.windowSize
    guard size > 0 else { return }
    windowVisible = (length..<end).map { position in
      // Looking both ways, the window's halves lie before and after.
      let back = configuration.isCausal ? size - 1 : size / 2
      return max(0, position - back)..<(configuration.isCausal ? position + 1 : min(end, position + size / 2 + 1))
    }
  }

  private func embed(_ tokens: ArraySlice<TokenID>) throws(TextGenerationError) {
    let width = configuration.width
    let scratch = buffers.branch.base
    for (index, token) in tokens.lazy.map(Int.init).enumerated() {
      guard token >= 0, token < weights.vocabularySize else {
        throw .unknownToken(id: token, vocabularySize: weights.vocabularySize)
      }
      let row = buffers.stream.base + index * width
      weights.embedding.dequantizeRow(token, into: row)
      if configuration.embeddingScale != 1 {
        instructions.scale(row, by: configuration.embeddingScale, count: width, into: row)
      }
      if let positions = weights.positions {
        guard length + index < positions.rows else {
          throw .contextFull(needed: length + index + 1, capacity: positions.rows)
        }
        positions.dequantizeRow(length + index, into: scratch)
        instructions.add(row, scratch, count: width, into: row)
      }
      if let types = weights.tokenTypes {
        types.dequantizeRow(0, into: scratch)
        instructions.add(row, scratch, count: width, into: row)
      }
    }
    if let norm = weights.embeddingNorm {
      normalise(norm, buffers.stream.base, into: buffers.stream.base, tokens.count)
    }
  }

  /// One block, in place of the residual stream.
  private func run(_ layer: LayerWeights, _ index: Int, _ count: Int) throws(TextGenerationError) {
    let stream = buffers.stream.base
    let normed = normalised(layer.attentionNorm, stream, count)
    let branch = buffers.branch.base
    switch layer.mixer {
    case .attention(let weights): try attend(weights, index, normed, count, into: branch)
    case .shortConvolution(let weights): try convolve(weights, index, normed, count, into: branch)
    case .deltaNet(let weights): try runDeltaNet(weights, index, normed, count, into: branch)
    }
    guard layer.isParallel else {
      join(branch, layer.attentionPostNorm, count)
      try feedForward(layer, normalised(layer.feedForwardNorm, stream, count), count, into: branch)
      join(branch, layer.feedForwardPostNorm, count)
      return
    }
    let side = buffers.sideBranch.base
    let input = layer.feedForwardNorm == nil ? normed : normalised(layer.feedForwardNorm, stream, count)
    try feedForward(layer, input, count, into: side)
    join(side, layer.feedForwardPostNorm, count)
    join(branch, layer.attentionPostNorm, count)
  }

  /// Adds a branch's output to the residual stream, normed before or, in encoders, after.
  private func join(_ branch: MutableFloats, _ postNorm: NormWeights?, _ count: Int) {
    let stream = buffers.stream.base
    let total = count * configuration.width
    if let postNorm, !configuration.family.normsResidual { normalise(postNorm, branch, into: branch, count) }
    instructions.addScaled(branch, by: configuration.residualScale, count: total, into: stream)
    if let postNorm, configuration.family.normsResidual { normalise(postNorm, stream, into: stream, count) }
  }

  private func normalised(_ norm: NormWeights?, _ source: MutableFloats, _ count: Int) -> MutableFloats {
    guard let norm else { return source }
    normalise(norm, source, into: buffers.normed.base, count)
    return buffers.normed.base
  }

  private func normalise(_ norm: NormWeights, _ source: Floats, into target: MutableFloats, _ count: Int) {
    let width = configuration.width
    pool.run(count, grain: 16) { rows in
      for row in rows {
        normalise(norm, configuration.family.norm, source + row * width, into: target + row * width, width)
      }
    }
  }

  /// Norms one vector.
  /// - Parameter head: which part of the weights to use, where each head has its own.
  func normalise(
    _ norm: NormWeights, _ kind: Architecture.Norm, _ source: Floats, into target: MutableFloats, _ count: Int,
    head: Int = 0
  ) {
    let epsilon = configuration.normEpsilon
    func own(_ vector: FloatBuffer?) -> Floats? {
      vector.map { Floats($0.base + ($0.count > count ? head * count : 0)) }
    }
    switch kind {
    case .rms:
      instructions.rmsNorm(source, weight: own(norm.weight), epsilon: epsilon, count: count, into: target)
      if let bias = own(norm.bias) { instructions.add(target, bias, count: count, into: target) }
    case .layer:
      instructions.layerNorm(
        source, weight: own(norm.weight), bias: own(norm.bias), epsilon: epsilon, count: count, into: target)
    }
  }
}
