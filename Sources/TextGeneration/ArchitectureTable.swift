import Compute

extension Architecture {
  /// The families by the name that `general.architecture` gives.
  static let table: [String: Architecture] = [
    "llama": Architecture(rotary: .pairs, readsRotaryFactors: true),
    "mistral3": Architecture(
      rotary: .pairs, readsRotaryFactors: true, scalesQueriesByPosition: true, scoreScale: .key),
    "qwen2": Architecture(),
    "qwen3": Architecture(headNorm: .perHead),
    "qwen3moe": Architecture(headNorm: .perHead),
    "qwen35": Architecture(
      rotary: .interleavedSections, feedForwardNorm: "post_attention_norm",
      headNorm: .perHead, gatesAttention: true, scoreScale: .key, recurrence: .gatedDelta),
    "gemma": Architecture(gate: .activation(.geluTanh), embeddingScale: .rootOfWidth),
    "gemma2": Architecture(
      attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm",
      window: .patterned(period: 2, defaultSize: 4096), scoreScale: .gemma(wideAtLayers: 46),
      defaultScoreCap: 50, defaultLogitCap: 30, gate: .activation(.geluTanh), embeddingScale: .rootOfWidth),
    "gemma3": Architecture(
      attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm", headNorm: .perHead,
      window: .patterned(period: 6), windowRotary: .ownBase, scoreScale: .gemma(wideAtLayers: 62),
      defaultLogitCap: 0, gate: .activation(.geluTanh), embeddingScale: .rootOfWidth),
    "phi3": Architecture(readsRotaryFactors: true),
    "smollm3": Architecture(rotary: .pairs, unrotatedEvery: 4, scoreScale: .key),
    "granite": Architecture(
      rotary: .pairs, readsRotaryFactors: true, rotaryIsSwitched: true, scoreScale: .key,
      readsResidualScale: true, logitScale: .divided),
    "lfm2": Architecture(
      outputNorm: "token_embd_norm", headNorm: .perHead, window: .patterned(period: 1),
      recurrence: .shortConvolution),
    "gpt-oss": Architecture(
      feedForwardNorm: "post_attention_norm", window: .patterned(period: 2),
      experts: Experts(gating: .softmaxOfChosen, normalisesWeights: false, gate: .limitedSwish)),
    "olmo2": Architecture(
      attentionNorm: nil, feedForwardNorm: nil, attentionPostNorm: "post_attention_norm",
      feedForwardPostNorm: "post_ffw_norm", headNorm: .whole,
      window: .patterned(period: 4), windowRotary: .unscaled),
    "bert": Architecture(
      rotary: .none, norm: .layer, attentionNorm: nil, feedForwardNorm: nil, outputNorm: nil,
      normsResidual: true, gate: .activation(.gelu), isEncoder: true),
    "nomic-bert": Architecture(
      norm: .layer, attentionNorm: nil, feedForwardNorm: nil, outputNorm: nil, normsResidual: true,
      isEncoder: true),
  ]

  /// All names in order, for the error about an unsupported one.
  static var supportedNames: [String] { table.keys.sorted() }
}
