import Compute
import Grammars
import Tokenization

/// Decoding of one answer: tokens are drawn, shown and evaluated, with speculative decoding where it pays.
///
/// A draft token never changes the answer: each token is drawn from the model's own logits with the same random
/// numbers, and a draft token is accepted only where it is what was drawn. Logits have the same bits whether tokens are
/// evaluated one by one or together.
struct Decoding {
  private let session: GenerationSession
  private let request: GenerationRequest
  private let grammar: TokenGrammar?
  private var sampler: Sampler
  private var decoder: StreamingDecoder
  private var matcher: StopMatcher
  private var drafter: Drafter?
  private(set) var metrics: GenerationMetrics

  /// Draft tokens evaluated with the last token, and the number of them accepted so far.
  private var draft: [TokenID] = []
  private var row = 0
  /// Indicates whether a token of the answer was evaluated.
  private var hasEvaluated = false

  init(
    _ session: GenerationSession, _ request: GenerationRequest, _ grammar: TokenGrammar?,
    _ metrics: GenerationMetrics
  ) {
    self.session = session
    self.request = request
    self.grammar = grammar
    self.metrics = metrics
    sampler = Sampler(
      request.sampling, history: request.tokens, breakers: session.breakers(for: request.sampling.dry))
    decoder = StreamingDecoder(session.tokenizer, showsSpecial: request.showsSpecial, continuesText: true)
    matcher = StopMatcher(request.stopTexts)
    // Recurrent layers cannot take a rejected draft token back.
    if request.drafting != .off, !session.cache.isRecurrent {
      drafter = Drafter(request.tokens, model: request.drafting == .automatic ? session.draftModel : nil)
    }
  }

  /// Generates until something ends the answer.
  mutating func run(
    _ isStopped: () -> Bool, _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) {
    metrics.ending = try next(request.tokenLimit ?? .max, isStopped, send)
    // Draft tokens that were not reached are no part of the answer.
    dropRejectedDraft()
    if metrics.ending != .stopText {
      if show(decoder.finish(), send) {
        metrics.ending = .stopText
      } else {
        let rest = matcher.finish()
        if !rest.isEmpty { send(.text(rest)) }
      }
    }
    metrics.matchesGrammar = grammar.map { $0.isAccepting && metrics.ending != .stopText }
  }

  /// Shows what is certain to come before any stop text, and says whether one has come.
  private mutating func show(_ text: String, _ send: (GenerationEvent) -> Void) -> Bool {
    let (shown, isStop) = matcher.append(text)
    if !shown.isEmpty { send(.text(shown)) }
    return isStop
  }

  private mutating func next(
    _ limit: Int, _ isStopped: () -> Bool, _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) -> GenerationMetrics.Ending {
    while true {
      if grammar?.isComplete == true { return .endOfGeneration }
      if metrics.generatedTokenCount >= limit { return .tokenLimit }
      if isStopped() { return .stopped }
      guard let token = try draw(left: limit - metrics.generatedTokenCount) else { return .noToken }
      if session.tokenizer.endsGeneration(token) { return .endOfGeneration }
      metrics.generatedTokenCount += 1
      metrics.tokens.append(token)
      sampler.accept(token)
      drafter?.accept(token)
      if show(decoder.append(token), send) {
        // The token is in the cache where it was drafted.
        if row < draft.count, draft[row] == token { row += 1 }
        return .stopText
      }
      if row < draft.count, draft[row] == token {
        row += 1
        metrics.acceptedTokenCount += 1
        continue
      }
      dropRejectedDraft()
      if session.model.length == session.model.contextLength { return .contextFull }
      // The last token that the limit allows need not be evaluated.
      guard metrics.generatedTokenCount < limit, grammar?.isComplete != true else { continue }
      try evaluate(token, left: limit - metrics.generatedTokenCount)
    }
  }

  /// Removes the draft tokens that were not accepted from the KV cache.
  private mutating func dropRejectedDraft() {
    if row < draft.count { session.cache.cut(to: session.model.length - (draft.count - row)) }
    drafter?.learn(drafted: draft.count, accepted: row)
    draft = []
    row = 0
  }

  /// Evaluates a token with the draft tokens that may follow it.
  private mutating func evaluate(_ token: TokenID, left: Int) throws(TextGenerationError) {
    let room = min(
      session.model.contextLength - session.model.length - 1, left - 1,
      min(GenerationSession.draftLimit, session.model.batchLimit - 1))
    draft = room > 0 ? try drafter?.propose(upTo: room, sampler, &session.batchCost) ?? [] : []
    metrics.draftedTokenCount += draft.count
    let batch = [token] + draft
    let clock = ContinuousClock(), start = clock.now
    try session.cache.evaluate(batch[...], rows: batch.count, into: session.logits.base)
    // The first lays weights out, or finds another's data in the processor's caches.
    if hasEvaluated { session.batchCost.note(clock.now - start, count: batch.count) }
    hasEvaluated = true
  }

  /// Draws the next token; nil where none is possible.
  /// - Parameter left: how many tokens may still be generated.
  private mutating func draw(left: Int) throws(TextGenerationError) -> TokenID? {
    let size = session.model.vocabularySize
    let logits = session.logits.base + row * size
    guard let grammar else { return sampler.draw(logits, count: size) }
    do throws(GrammarError) {
      sampler.weigh(logits, size)
      // Drawn again with the same random numbers if the answer could not end in time after it.
      let before = sampler
      guard var token = sampler.choose(logits, count: size, mask: try grammar.mask()) else { return nil }
      if left < .max, try !grammar.endsInTime(after: token, left: left) {
        let strict = try grammar.mask(endingWithin: left - 1)
        if !strict.isEmpty {
          sampler = before
          guard let other = sampler.choose(logits, count: size, mask: strict) else { return nil }
          token = other
        }
      }
      if !session.tokenizer.endsGeneration(token) { _ = try grammar.accept(token) }
      return token
    } catch {
      throw .grammar(error)
    }
  }
}
