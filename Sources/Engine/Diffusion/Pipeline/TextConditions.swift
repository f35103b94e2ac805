import Compute
import Tokenization

/// Text embeddings of a request.
struct TextConditions {
  /// Embedding of the prompt, `(tokens, width)`.
  var prompt: [Float]
  /// Embedding of the negative prompt, `(tokens, width)`.
  var negative: [Float]
  /// Pooled embedding of the prompt for SDXL, `(pooledWidth,)`; else empty.
  var pooled: [Float] = []
  var negativePooled: [Float] = []
  /// Number of values of a token's embedding.
  var width: Int
}

/// Encodes prompts with a model's text encoders, which are loaded for that and freed afterwards.
struct PromptReader {
  let model: DiffusionModel
  let context: ComputeContext
  let precision: PicturePrecision
  let loras: [(lora: LoRA, strength: Float)]

  /// Encodes both prompts.
  /// - Parameter negative: negative prompt; nil for none.
  func read(
    _ wanted: PromptText, negative: String?, check: () throws(DiffusionError) -> Void
  ) throws(DiffusionError) -> TextConditions {
    let unwanted = PromptText(negative ?? "")
    var joined: TextConditions?
    for index in model.tokenizers.indices {
      try check()
      let isXL = model.variant == .stableDiffusionXL
      let encoder = try makeEncoder(index)
      let (tokenizer, padding) = try model.tokenizers[index].load()
      let empty = try CLIPPrompt(PromptText(""), tokenizer, padding: padding, length: encoder.windowLength)
      var first = try CLIPPrompt(wanted, tokenizer, padding: padding, length: encoder.windowLength)
      var second = try CLIPPrompt(unwanted, tokenizer, padding: padding, length: encoder.windowLength)
      first.pad(to: second.windows.count, with: empty)
      second.pad(to: first.windows.count, with: empty)
      let positive = try encode(first, encoder, isPenultimate: isXL, check)
      var against = try encode(second, encoder, isPenultimate: isXL, check)
      if negative == nil, isXL, model.zeroesEmptyNegative {
        against.states = [Float](repeating: 0, count: against.states.count)
        against.pooled = [Float](repeating: 0, count: against.pooled.count)
      }
      let own = TextConditions(
        prompt: positive.states, negative: against.states, pooled: positive.pooled, negativePooled: against.pooled,
        width: encoder.width)
      joined = joined?.joined(with: own) ?? own
    }
    guard let joined else { throw .missingPart("text_encoder", path: model.path) }
    return joined
  }

  private func makeEncoder(_ index: Int) throws(DiffusionError) -> TextEncoder {
    var additions = LoRAStack(loras: loras)
    additions.part = index == 0 ? .textEncoder : .textEncoder2
    let loader = LayerLoader(
      table: index == 0 ? model.parts.textEncoder : model.parts.textEncoder2, context: context,
      precision: precision,
      additions: additions)
    return try TextEncoder(loader, model.textEncoders[index])
  }

  private func encode(
    _ prompt: CLIPPrompt, _ encoder: TextEncoder, isPenultimate: Bool, _ check: () throws(DiffusionError) -> Void
  ) throws(DiffusionError) -> (states: [Float], pooled: [Float]) {
    var (states, pooled) = ([Float](), [Float]())
    for window in prompt.windows {
      try check()
      let output = try encoder.encode(window.ids, end: window.end)
      var own = isPenultimate ? output.penultimate : output.last
      window.weigh(&own, width: encoder.width)
      states += own
      if pooled.isEmpty { pooled = output.pooled }
    }
    return (states, pooled)
  }
}

extension TextConditions {
  /// Concatenates the states of two encoders; the pooled embedding is the second's.
  fileprivate func joined(with other: TextConditions) -> TextConditions {
    func beside(_ left: [Float], _ right: [Float]) -> [Float] {
      var result: [Float] = []
      result.reserveCapacity(left.count + right.count)
      for token in 0..<min(left.count / width, right.count / other.width) {
        result += left[token * width..<(token + 1) * width]
        result += right[token * other.width..<(token + 1) * other.width]
      }
      return result
    }
    return TextConditions(
      prompt: beside(prompt, other.prompt), negative: beside(negative, other.negative), pooled: other.pooled,
      negativePooled: other.negativePooled, width: width + other.width)
  }
}
