import Compute

// The families that llama.cpp names in `src/llama-arch.cpp`, each as its files in `src/models` compute it.
extension Architecture {
  /// The families by the name that `general.architecture` gives.
  static let table: [String: Architecture] = decoders.merging(expertDecoders) { first, _ in first }
    .merging(embedders) { first, _ in first }

  private static let gelu = Gate.activation(.geluTanh)

  private static let decoders: [String: Architecture] = [
    "arcee": Architecture(
      rotary: .pairs, readsRopeFactors: true, scoreScale: .key, gate: .activation(.reluSquared)),
    "chatglm": Architecture(rotary: .pairs),
    "codeshell": Architecture(norm: .layer, gate: gelu),
    "cohere2": Architecture(
      rotary: .pairs, readsRopeFactors: true, ropeInWindowedLayersOnly: true, norm: .layer, feedForwardNorm: nil,
      parallelism: .always, window: .patterned(period: 4), logitScale: .multiplied),
    "command-r": Architecture(
      rotary: .pairs, norm: .layer, feedForwardNorm: nil, parallelism: .always, headNorm: .perHead,
      headNormKind: .layer, logitScale: .multiplied),
    "ernie4_5": Architecture(rotary: .pairs),
    "exaone": Architecture(readsRopeFactors: true),
    "exaone4": Architecture(
      readsRopeFactors: true, ropeInWindowedLayersOnly: true, attentionNorm: nil, feedForwardNorm: nil,
      attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm", headNorm: .perHead,
      window: .patterned(period: 4)),
    "falcon": Architecture(
      norm: .layer, feedForwardNorm: nil, hasSecondAttentionNorm: true, parallelism: .always, gate: gelu),
    "gemma": Architecture(gate: gelu, embeddingScale: .rootOfWidth),
    "gemma2": Architecture(
      attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm",
      window: .patterned(period: 2, defaultSize: 4096), scoreScale: .gemma(wideAtLayers: 46),
      defaultScoreCap: 50, defaultLogitCap: 30, gate: gelu, embeddingScale: .rootOfWidth),
    "gemma3": Architecture(
      attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm", headNorm: .perHead,
      window: .patterned(period: 6), windowRotary: .ownBase, scoreScale: .gemma(wideAtLayers: 62),
      defaultLogitCap: 0, gate: gelu, embeddingScale: .rootOfWidth),
    "glm4": Architecture(
      rotary: .pairs, attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm"),
    "gpt2": Architecture(rotary: .none, norm: .layer, gate: gelu),
    "gptneox": Architecture(norm: .layer, parallelism: .key, gate: gelu),
    "granite": granite,
    "hunyuan-dense": Architecture(headNorm: .perHead, normsHeadsAfterRotation: true),
    "internlm2": Architecture(rotary: .pairs),
    "lfm2": lfm2,
    "llama": Architecture(rotary: .pairs, readsRopeFactors: true),
    "mistral3": Architecture(
      rotary: .pairs, readsRopeFactors: true, scalesQueriesByPosition: true, scoreScale: .key),
    "nemotron": Architecture(norm: .layer, gate: .activation(.reluSquared)),
    "olmo": Architecture(rotary: .pairs, norm: .layer, normsLackWeights: true),
    "olmo2": Architecture(
      attentionNorm: nil, feedForwardNorm: nil, attentionPostNorm: "post_attention_norm",
      feedForwardPostNorm: "post_ffw_norm", headNorm: .whole, window: .patterned(period: 4),
      windowRotary: .unscaled),
    "orion": Architecture(norm: .layer),
    "phi2": Architecture(norm: .layer, feedForwardNorm: nil, parallelism: .always, gate: gelu),
    "phi3": Architecture(readsRopeFactors: true),
    "qwen2": Architecture(),
    "qwen2vl": Architecture(rotary: .sections),
    "qwen3": Architecture(headNorm: .perHead),
    "qwen35": qwen35,
    "qwen3vl": Architecture(rotary: .interleavedSections, headNorm: .perHead),
    "seed_oss": Architecture(feedForwardNorm: "post_attention_norm"),
    "smollm3": Architecture(rotary: .pairs, ropeSkipInterval: 4, scoreScale: .key),
    "stablelm": Architecture(
      norm: .layer, parallelism: .withoutFeedForwardNorm, headNorm: .perHead, headNormKind: .layer),
    "starcoder": Architecture(rotary: .none, norm: .layer, gate: gelu),
    "starcoder2": Architecture(norm: .layer, gate: gelu),
    "xverse": Architecture(rotary: .pairs),
  ]

  private static let expertDecoders: [String: Architecture] = [
    "bailingmoe": Architecture(
      rotary: .pairs, readsRopeFactors: true, experts: Experts(normalisesWeights: false, isSetByFile: true)),
    "bailingmoe2": Architecture(
      headNorm: .perHead, experts: Experts(gating: .sigmoid, normalisesWeights: false, isSetByFile: true)),
    "dbrx": Architecture(norm: .layer, feedForwardNorm: "attn_output_norm"),
    "deepseek": Architecture(
      rotary: .pairs, readsRopeFactors: true, scoreScale: .key, experts: Experts(normalisesWeights: false)),
    "dots1": Architecture(headNorm: .perHead, experts: Experts(normalisesWeights: false, isSetByFile: true)),
    "ernie4_5-moe": Architecture(rotary: .pairs),
    "glm4moe": Architecture(
      feedForwardNorm: "post_attention_norm", headNorm: .perHead,
      experts: Experts(gating: .sigmoid, normalisesWeights: false, isSetByFile: true)),
    "gpt-oss": Architecture(
      feedForwardNorm: "post_attention_norm", window: .patterned(period: 2),
      experts: Experts(gating: .softmaxOfChosen, normalisesWeights: false, gate: .limitedSwish)),
    "granitemoe": granite,
    "hunyuan-moe": Architecture(headNorm: .perHead, normsHeadsAfterRotation: true),
    "lfm2moe": lfm2,
    "minimax-m2": Architecture(headNorm: .whole, experts: Experts(gating: .sigmoid, isSetByFile: true)),
    "olmoe": Architecture(headNorm: .whole, experts: Experts(normalisesWeights: false)),
    "phimoe": Architecture(readsRopeFactors: true),
    "qwen2moe": Architecture(experts: Experts(normalisesWeights: false)),
    "qwen35moe": qwen35,
    "qwen3moe": Architecture(headNorm: .perHead),
    "qwen3vlmoe": Architecture(rotary: .interleavedSections, headNorm: .perHead),
  ]

  private static let embedders: [String: Architecture] = [
    "bert": Architecture(
      rotary: .none, norm: .layer, attentionNorm: nil, feedForwardNorm: nil, outputNorm: nil,
      normsResidual: true, gate: .activation(.gelu), isEncoder: true),
    "gemma-embedding": Architecture(
      attentionPostNorm: "post_attention_norm", feedForwardPostNorm: "post_ffw_norm", headNorm: .perHead,
      window: .patterned(period: 6), windowRotary: .ownBase, gate: gelu, embeddingScale: .rootOfWidth,
      isEncoder: true),
    "nomic-bert": Architecture(
      norm: .layer, attentionNorm: nil, feedForwardNorm: nil, outputNorm: nil, normsResidual: true,
      isEncoder: true),
    "nomic-bert-moe": Architecture(
      norm: .layer, attentionNorm: nil, feedForwardNorm: nil, outputNorm: nil, normsResidual: true, gate: gelu,
      experts: Experts(normalisesWeights: false), isEncoder: true),
  ]

  private static let granite = Architecture(
    rotary: .pairs, readsRopeFactors: true, ropeCanBeDisabled: true, scoreScale: .key,
    readsResidualScale: true, logitScale: .divided)

  private static let lfm2 = Architecture(
    outputNorm: "token_embd_norm", headNorm: .perHead, window: .patterned(period: 1),
    experts: Experts(gating: .sigmoid, isSetByFile: true), recurrence: .shortConvolution)

  private static let qwen35 = Architecture(
    rotary: .interleavedSections, feedForwardNorm: "post_attention_norm", headNorm: .perHead,
    gatesAttention: true, scoreScale: .key, recurrence: .gatedDelta)

  /// All names in order, for the error about an unsupported one.
  static var supportedNames: [String] { table.keys.sorted() }
}
