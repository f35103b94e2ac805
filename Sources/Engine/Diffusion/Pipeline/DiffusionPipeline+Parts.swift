import Compute

/// Single phases, for tests and benchmarks.
extension DiffusionPipeline {
  func readTexts(_ prompt: String, negative: String?) throws(DiffusionError) -> ReadTexts {
    let reader = PromptReader(model: model, context: context, precision: precision, loras: [])
    let texts = try reader.read(PromptText(prompt), negative: negative, check: { () throws(DiffusionError) in })
    var result = ReadTexts()
    (result.prompt, result.negative) = (texts.prompt, texts.negative)
    (result.pooled, result.negativePooled) = (texts.pooled, texts.negativePooled)
    for source in model.tokenizers {
      let (tokenizer, padding) = try source.load()
      func ids(_ text: String) throws(DiffusionError) -> [Int] {
        try CLIPPrompt(PromptText(text), tokenizer, padding: padding, length: 77).windows[0].ids
      }
      result.tokens.append(try ids(prompt))
      result.negativeTokens.append(try ids(negative ?? ""))
    }
    return result
  }

  func networkOutput(
    _ latents: [Float], time: Double, prompt: String, width: Int, height: Int
  ) throws(DiffusionError) -> [Float] {
    var request = DiffusionRequest(prompt: prompt, width: width, height: height)
    request.guidance = 1
    let plan = try Plan(request, model)
    let reader = PromptReader(model: model, context: context, precision: precision, loras: [])
    let texts = try reader.read(plan.prompt, negative: nil, check: { () throws(DiffusionError) in })
    let network = try loadUNet(plan, [], textWidth: texts.width)
    return try predict(network, latents, [], time: time, conditions(network, texts, plan), plan, Hooks())
  }
}
