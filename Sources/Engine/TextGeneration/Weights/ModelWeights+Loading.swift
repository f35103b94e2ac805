import Compute
import ModelFormats

extension ModelWeights {
  /// Finds and checks all weights.
  /// - Parameter progress: called with the share of layers found, 0 to 1.
  init(
    _ loader: WeightLoader, progress: (Double) -> Void = { _ in }
  ) throws(TextGenerationError) {
    let configuration = loader.configuration
    let family = configuration.family
    let width = configuration.width
    embedding = try loader.matrix("token_embd.weight", columns: width)
    positions =
      loader.has("position_embd.weight")
      ? try loader.matrix("position_embd.weight", columns: width) : nil
    tokenTypes =
      loader.has("token_types.weight") ? try loader.matrix("token_types.weight", columns: width) : nil
    embeddingNorm =
      family.outputNorm == "token_embd_norm" ? nil : try loader.normIfPresent("token_embd_norm", width)
    var layers: [LayerWeights] = []
    for layer in 0..<configuration.layerCount {
      layers.append(try LayerWeights(loader, layer))
      progress(Double(layer + 1) / Double(configuration.layerCount))
    }
    self.layers = layers
    outputNorm = try family.outputNorm.map { (name) throws(TextGenerationError) in try loader.familyNorm(name) }
    let rows = embedding.rows
    if family.isEncoder {
      output = nil
    } else if loader.has("output.weight") {
      output = try loader.linear("output", rows: rows, columns: width)
    } else {
      output = Linear(matrix: embedding, bias: try loader.vectorIfPresent("output.bias", rows))
    }
    var projections: [Linear] = []
    for name in ["dense_2.weight", "dense_3.weight"] where family.isEncoder && loader.has(name) {
      let columns = projections.last?.matrix.rows ?? width
      projections.append(Linear(matrix: try loader.matrix(name, columns: columns), bias: nil))
    }
    self.projections = projections
    let pairs = configuration.rotation.elementCount / 2
    func factors(_ name: String) throws(TextGenerationError) -> [Float]? {
      guard family.readsRopeFactors, let vector = try loader.vectorIfPresent("\(name).weight", pairs)
      else { return nil }
      let values = (0..<pairs).map { vector.base[$0] }
      guard values.allSatisfy({ $0.isFinite && $0 != 0 }) else {
        throw .file(.badValue(key: "\(name).weight", value: "a factor of 0"))
      }
      return values
    }
    ropeFactors = RopeFactors(
      always: try factors("rope_freqs"), short: try factors("rope_factors_short"),
      long: try factors("rope_factors_long"))
  }
}

extension LayerWeights {
  init(_ loader: WeightLoader, _ layer: Int) throws(TextGenerationError) {
    let configuration = loader.configuration
    let family = configuration.family
    let prefix = "blk.\(layer)."
    func norm(_ name: String?) throws(TextGenerationError) -> NormWeights? {
      guard let name else { return nil }
      return try loader.familyNorm(prefix + name)
    }
    let hasSecond = family.hasSecondAttentionNorm && loader.has(prefix + "attn_norm_2.weight")
    attentionNorm = try norm(hasSecond ? "attn_norm_2" : family.attentionNorm)
    attentionPostNorm = try norm(family.normsResidual ? "attn_output_norm" : family.attentionPostNorm)
    feedForwardPostNorm = try norm(family.normsResidual ? "layer_output_norm" : family.feedForwardPostNorm)
    if hasSecond {
      feedForwardNorm = try norm("attn_norm")
    } else if family.parallelism == .withoutFeedForwardNorm, !loader.has(prefix + "ffn_norm.weight") {
      feedForwardNorm = nil
    } else {
      feedForwardNorm = try norm(family.feedForwardNorm)
    }
    isParallel =
      switch family.parallelism {
      case .never: false
      case .always: true
      case .withoutFeedForwardNorm: feedForwardNorm == nil
      case .key: configuration.isParallel
      }
    switch (configuration.isRecurrent[layer], family.recurrence) {
    case (true, .shortConvolution):
      mixer = .shortConvolution(try ShortConvolutionWeights(loader, prefix))
    case (true, .gatedDelta): mixer = .deltaNet(try DeltaNetWeights(loader, prefix))
    default: mixer = .attention(try AttentionWeights(loader, prefix, layer))
    }
    if let settings = configuration.experts, layer >= settings.leadingDenseLayerCount,
      loader.has(prefix + "ffn_gate_inp.weight")
    {
      experts = try ExpertWeights(loader, prefix, settings)
      feedForward = nil
    } else {
      experts = nil
      feedForward = try FeedForwardWeights(
        loader, prefix, suffix: "", length: configuration.feedForwardLengths[layer])
    }
  }
}

extension AttentionWeights {
  init(_ loader: WeightLoader, _ prefix: String, _ layer: Int) throws(TextGenerationError) {
    let configuration = loader.configuration
    let family = configuration.family
    let headCount = configuration.headCounts[layer]
    let sharedCount = configuration.keyValueHeadCounts[layer]
    guard headCount > 0, sharedCount > 0 else {
      throw .file(
        .badValue(key: "\(configuration.architectureName).attention.head_count", value: "0 in \(prefix)"))
    }
    let width = configuration.width
    let queryRows = headCount * configuration.keyLength * (family.gatesAttention ? 2 : 1)
    let keyRows = sharedCount * configuration.keyLength
    let valueRows = sharedCount * configuration.valueLength
    func linear(_ name: String, _ rows: Int) throws(TextGenerationError) -> Linear {
      try loader.linear(prefix + name, rows: rows, columns: width)
    }
    if loader.has(prefix + "attn_qkv.weight") {
      projections = .fused(try linear("attn_qkv", queryRows + keyRows + valueRows))
    } else {
      projections = .separate(
        query: try linear("attn_q", queryRows), key: try linear("attn_k", keyRows),
        value: try linear("attn_v", valueRows))
    }
    output = try loader.linear(
      prefix + "attn_output", rows: width, columns: headCount * configuration.valueLength)
    let length = configuration.keyLength
    switch family.headNorm {
    case .perHead:
      queryNorm = try loader.headNormIfPresent(prefix + "attn_q_norm", length, heads: headCount)
      keyNorm = try loader.headNormIfPresent(prefix + "attn_k_norm", length, heads: sharedCount)
    case .whole:
      queryNorm = try loader.normIfPresent(prefix + "attn_q_norm", headCount * length)
      keyNorm = try loader.normIfPresent(prefix + "attn_k_norm", sharedCount * length)
    case nil:
      queryNorm = nil
      keyNorm = nil
    }
    sinks = try loader.vectorIfPresent(prefix + "attn_sinks.weight", headCount)
  }
}

extension FeedForwardWeights {
  init(_ loader: WeightLoader, _ prefix: String, suffix: String, length: Int) throws(TextGenerationError) {
    let width = loader.configuration.width
    self.length = length
    let (gate, up) = ("\(prefix)ffn_gate\(suffix)", "\(prefix)ffn_up\(suffix)")
    if loader.has("\(gate).weight") {
      gateAndUp = .gated(
        gate: try loader.linear(gate, rows: length, columns: width),
        up: try loader.linear(up, rows: length, columns: width))
    } else if let (tensor, _) = loader.file.tensor("\(up).weight"), tensor.rowCount == 2 * length {
      gateAndUp = .fused(try loader.linear(up, rows: 2 * length, columns: width))
    } else {
      try loader.requirePlain(loader.configuration.family.gate, gate)
      gateAndUp = .plain(try loader.linear(up, rows: length, columns: width))
    }
    down = try loader.linear("\(prefix)ffn_down\(suffix)", rows: width, columns: length)
  }
}

extension ExpertWeights {
  init(
    _ loader: WeightLoader, _ prefix: String, _ settings: ModelConfiguration.ExpertSettings
  ) throws(TextGenerationError) {
    let width = loader.configuration.width
    let count = settings.count
    guard let (tensor, _) = loader.file.tensor(prefix + "ffn_down_exps.weight") else {
      throw .file(.missingTensor(prefix + "ffn_down_exps.weight"))
    }
    let length = tensor.columnCount
    if settings.feedForwardLength > 0, settings.feedForwardLength != length {
      throw .file(
        .wrongShape(
          tensor: tensor.name, expected: [settings.feedForwardLength, width, count], found: tensor.dimensions))
    }
    router = try loader.linear(prefix + "ffn_gate_inp", rows: count, columns: width)
    selectionBias = try loader.vectorIfPresent(prefix + "exp_probs_b.bias", count)
    let down = try loader.expertLinears(prefix + "ffn_down_exps", rows: width, columns: length, count: count)
    let inputs: [FeedForwardWeights.GateAndUp]
    if loader.has(prefix + "ffn_gate_up_exps.weight") {
      inputs = try loader.expertLinears(
        prefix + "ffn_gate_up_exps", rows: 2 * length, columns: width, count: count
      ).map { .fused($0) }
    } else {
      let up = try loader.expertLinears(prefix + "ffn_up_exps", rows: length, columns: width, count: count)
      if loader.has(prefix + "ffn_gate_exps.weight") {
        let gate = try loader.expertLinears(
          prefix + "ffn_gate_exps", rows: length, columns: width, count: count)
        inputs = zip(gate, up).map { .gated(gate: $0, up: $1) }
      } else {
        let family = loader.configuration.family
        try loader.requirePlain(family.experts.gate ?? family.gate, prefix + "ffn_gate_exps")
        inputs = up.map { .plain($0) }
      }
    }
    experts = zip(inputs, down).map { FeedForwardWeights(gateAndUp: $0, down: $1, length: length) }
    if let (tensor, _) = loader.file.tensor(prefix + "ffn_up_shexp.weight") {
      shared = try FeedForwardWeights(loader, prefix, suffix: "_shexp", length: tensor.rowCount)
    } else {
      shared = nil
    }
    sharedGate = try loader.linearIfPresent(prefix + "ffn_gate_inp_shexp", rows: 1, columns: width)
  }
}

extension ShortConvolutionWeights {
  init(_ loader: WeightLoader, _ prefix: String) throws(TextGenerationError) {
    let width = loader.configuration.width
    input = try loader.linear(prefix + "shortconv.in_proj", rows: 3 * width, columns: width)
    kernel = try loader.vector(
      prefix + "shortconv.conv.weight", width * loader.configuration.convolutionLength)
    output = try loader.linear(prefix + "shortconv.out_proj", rows: width, columns: width)
  }
}

extension DeltaNetWeights {
  init(_ loader: WeightLoader, _ prefix: String) throws(TextGenerationError) {
    guard let settings = loader.configuration.deltaNet else { throw .file(.missingKey("ssm.state_size")) }
    let width = loader.configuration.width
    let heads = settings.valueHeadCount
    queryKeyValue = try loader.linear(
      prefix + "attn_qkv", rows: settings.convolutionWidth, columns: width)
    gate = try loader.linear(prefix + "attn_gate", rows: settings.valueWidth, columns: width)
    beta = try loader.linear(prefix + "ssm_beta", rows: heads, columns: width)
    alpha = try loader.linear(prefix + "ssm_alpha", rows: heads, columns: width)
    kernel = try loader.vector(
      prefix + "ssm_conv1d.weight", settings.convolutionWidth * settings.convolutionLength)
    timeStep = try loader.vector(prefix + "ssm_dt.bias", heads)
    decay = try loader.vector(prefix + "ssm_a", heads)
    norm = try loader.vector(prefix + "ssm_norm.weight", settings.headLength)
    output = try loader.linear(prefix + "ssm_out", rows: width, columns: settings.valueWidth)
  }
}
