/// A batch's activations, allocated once for the largest batch.
struct TransformerBuffers {
  /// The residual stream, `(batch, width)`.
  let stream: FloatBuffer
  /// A branch's input, `(batch, width)`.
  let normed: FloatBuffer
  /// A branch's output, `(batch, width)`.
  let branch: FloatBuffer
  /// The other branch's output where both run side by side, `(batch, width)`.
  let sideBranch: FloatBuffer
  /// A mixer's projections and results.
  let mixer: [FloatBuffer]
  /// Outputs of the gate projection, or of gate and up projections fused, `(batch, 2 · inner width)`.
  let inner: FloatBuffer
  /// Output of the up projection, then of the gated activation, `(batch, inner width)`.
  let gated: FloatBuffer
  let routing: Routing?

  /// Buffers of routing tokens to experts.
  struct Routing {
    /// The routers' scores, `(batch, experts)`.
    let scores: FloatBuffer
    /// The chosen experts' shares, `(batch, used)`.
    let shares: FloatBuffer
    /// The tokens of one expert and its answers, `(batch, width)` each.
    let gathered: FloatBuffer
    let answered: FloatBuffer
    /// All answers, `(batch, used, width)`.
    let answers: FloatBuffer

    init(_ settings: ModelConfiguration.ExpertSettings, width: Int, _ batch: Int) throws(TextGenerationError) {
      scores = try makeBuffer(batch * settings.count)
      shares = try makeBuffer(batch * settings.usedCount)
      gathered = try makeBuffer(batch * width)
      answered = try makeBuffer(batch * width)
      answers = try makeBuffer(batch * settings.usedCount * width)
    }
  }

  init(
    _ configuration: ModelConfiguration, _ weights: ModelWeights, _ batch: Int
  ) throws(TextGenerationError) {
    let width = configuration.width
    stream = try makeBuffer(batch * width)
    normed = try makeBuffer(batch * width)
    branch = try makeBuffer(batch * width)
    sideBranch = try makeBuffer(batch * width)
    let heads = configuration.headCounts.max() ?? 0
    let mixerWidth = max(
      3 * heads * max(configuration.keyLength, configuration.valueLength), 3 * width,
      configuration.deltaNet.map { max($0.convolutionWidth, 2 * $0.valueHeadCount) } ?? 0)
    var mixer: [FloatBuffer] = []
    for _ in 0..<5 { mixer.append(try makeBuffer(batch * mixerWidth)) }
    self.mixer = mixer
    let innerWidth = weights.layers.reduce(0) { widest, layer in
      let experts = layer.experts.map { max($0.experts.first?.length ?? 0, $0.shared?.length ?? 0) } ?? 0
      return max(widest, layer.feedForward?.length ?? 0, experts)
    }
    inner = try makeBuffer(batch * 2 * innerWidth)
    gated = try makeBuffer(batch * innerWidth)
    if let settings = configuration.experts {
      routing = try Routing(settings, width: width, batch)
    } else {
      routing = nil
    }
  }
}
