import Compute
import ModelFormats
import Tokenization

/// Generates answers with one model, keeping what it has evaluated for the next prompt.
final class GenerationSession {
  private let model: LanguageModel
  private let tokenizer: Tokenizer
  private let logits: FloatBuffer
  /// The tokens whose positions are in the cache.
  private var evaluated: [TokenID] = []
  /// Where recurrent layers stood near the end of the last prompt.
  private var checkpoint: (length: Int, state: [Float])?

  init(_ model: LanguageModel, _ tokenizer: Tokenizer) throws(TextGenerationError) {
    self.model = model
    self.tokenizer = tokenizer
    logits = try makeBuffer(model.vocabularySize)
  }

  func reset() {
    model.reset()
    evaluated = []
    checkpoint = nil
  }

  /// Evaluates the prompt and generates until something ends the answer.
  func generate(
    _ request: GenerationRequest, isStopped: () -> Bool, _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) {
    guard !request.tokens.isEmpty else { throw .emptyPrompt }
    guard request.tokens.count <= model.contextLength else {
      throw .contextFull(needed: request.tokens.count, capacity: model.contextLength)
    }
    let clock = ContinuousClock()
    let start = clock.now
    var metrics = GenerationMetrics()
    metrics.promptTokenCount = request.tokens.count
    metrics.reusedTokenCount = keepCommonPrefix(with: request.tokens)
    do {
      try prefill(request.tokens, isStopped, send)
    } catch .stopped {
      metrics.prefillTime = clock.now - start
      metrics.promptTokenCount = evaluated.count
      metrics.ending = .stopped
      send(.finished(metrics))
      return
    }
    metrics.prefillTime = clock.now - start
    metrics.timeToFirstToken = metrics.prefillTime
    let firstToken = clock.now
    try decode(request, &metrics, isStopped, send)
    metrics.decodeTime = clock.now - firstToken
    send(.finished(metrics))
  }

  private func decode(
    _ request: GenerationRequest, _ metrics: inout GenerationMetrics, _ isStopped: () -> Bool,
    _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) {
    var sampler = Sampler(request.sampling)
    var decoder = StreamingDecoder(tokenizer, showsSpecial: request.showsSpecial, continuesText: true)
    var matcher = StopMatcher(request.stopTexts)
    func show(_ text: String) -> Bool {
      let (shown, isStopped) = matcher.append(text)
      if !shown.isEmpty { send(.text(shown)) }
      return isStopped
    }
    let limit = request.tokenLimit ?? .max
    while true {
      if metrics.generatedTokenCount >= limit {
        metrics.ending = .tokenLimit
        break
      }
      if isStopped() {
        metrics.ending = .stopped
        break
      }
      let token = sampler.draw(logits.base, count: model.vocabularySize)
      if tokenizer.endsGeneration(token) {
        metrics.ending = .endOfGeneration
        break
      }
      metrics.generatedTokenCount += 1
      if show(decoder.append(token)) {
        metrics.ending = .stopText
        return
      }
      if model.length == model.contextLength {
        metrics.ending = .contextFull
        break
      }
      // The last token that the limit allows need not be evaluated.
      guard metrics.generatedTokenCount < limit else { continue }
      try evaluate([token], isStopped: { false })
    }
    if show(decoder.finish()) { return }
    let rest = matcher.finish()
    if !rest.isEmpty { send(.text(rest)) }
  }

  /// Cuts the cache back to what it shares with a prompt and returns that length.
  ///
  /// At least the prompt's last token is left to evaluate, for its logits.
  private func keepCommonPrefix(with prompt: [TokenID]) -> Int {
    var common = 0
    while common < min(evaluated.count, prompt.count - 1), evaluated[common] == prompt[common] { common += 1 }
    if !model.transformer.truncate(to: common) {
      if let checkpoint, checkpoint.length <= common {
        model.transformer.restore(checkpoint.state, length: checkpoint.length)
      } else {
        model.reset()
      }
    }
    evaluated.removeLast(evaluated.count - model.length)
    if let checkpoint, checkpoint.length > model.length { self.checkpoint = nil }
    return model.length
  }

  private func prefill(
    _ prompt: [TokenID], _ isStopped: () -> Bool, _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) {
    let reused = model.length
    let total = prompt.count - reused
    let isRecurrent = !model.transformer.state.isEmpty
    // The state is remembered before the last token, so that the same prompt can be answered anew.
    let firstEnd = isRecurrent ? prompt.count - 1 : prompt.count
    for end in [firstEnd, prompt.count] {
      while model.length < end {
        let next = min(end, model.length + model.transformer.batchLimit)
        try evaluate(Array(prompt[model.length..<next]), isStopped: isStopped)
        send(.prefill(done: model.length - reused, total: total))
      }
      if isRecurrent, end == prompt.count - 1 {
        checkpoint = (model.length, model.transformer.state.snapshot())
      }
    }
  }

  private func evaluate(_ tokens: [TokenID], isStopped: () -> Bool) throws(TextGenerationError) {
    do {
      try model.evaluate(tokens, lastInto: logits.base, isStopped: isStopped)
    } catch {
      // Recurrent layers may have gone ahead of the others.
      if !model.transformer.state.isEmpty { reset() }
      throw error
    }
    evaluated += tokens
  }
}

extension Tokenizer {
  /// Makes the tokenizer of a model file.
  public init(_ header: GGUFHeader) throws(TextGenerationError) {
    let definition = try TokenizerDefinition(header)
    do {
      try self.init(definition)
    } catch {
      throw .tokenizer(error)
    }
  }
}
