import Compute
import Grammars
import ModelFormats
import Tokenization

/// Generates answers with one model, keeping what it has evaluated for the next prompt.
final class GenerationSession {
  let model: LanguageModel
  let tokenizer: Tokenizer
  /// KV cache of the prompt and the answer so far.
  var cache: PrefixCache
  /// The scores after each token of the last batch, `(rows, vocabulary)`.
  let logits: FloatBuffer
  /// Made when the first grammar asks for it.
  private var trie: VocabularyTrie?
  /// The grammars used last, with what they have found out.
  private var grammars: [TokenGrammar] = []
  /// The breakers of the DRY settings used last.
  private var breakers: (texts: [String], found: DryBreakers)?
  var draftModel: DraftModel? {
    // The time of another draft model says nothing about this one's.
    didSet { batchCost = BatchCost() }
  }
  /// Cost of batches of tokens with this model.
  var batchCost = BatchCost()
  /// Length in tokens of the last prompt's beginning that other prompts are likely to share.
  private(set) var sharedLength = 0
  /// Folder of saved KV caches; nil: none is saved.
  var states: StateFiles?
  private lazy var identity = PrefixCache.identity(of: model)

  /// Largest number of draft tokens.
  static let draftLimit = 15

  init(_ model: LanguageModel, _ tokenizer: Tokenizer) throws(TextGenerationError) {
    self.model = model
    self.tokenizer = tokenizer
    cache = PrefixCache(model)
    logits = try makeBuffer(model.vocabularySize * (1 + min(Self.draftLimit, model.batchLimit - 1)))
  }

  func reset() { cache.reset() }

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
    sharedLength = min(request.sharedPrefixLength ?? 0, request.tokens.count)
    var metrics = GenerationMetrics()
    metrics.promptTokenCount = request.tokens.count
    let grammar = try request.grammar.map { (grammar) throws(TextGenerationError) in try self.bound(grammar) }
    if let states {
      metrics.restoredTokenCount = cache.restore(from: states, identity: identity, for: request.tokens)
    }
    metrics.reusedTokenCount = cache.keepCommonPrefix(with: request.tokens)
    do {
      try prefill(request, isStopped, send)
    } catch .stopped {
      metrics.prefillTime = clock.now - start
      metrics.promptTokenCount = cache.tokens.count
      metrics.ending = .stopped
      metrics.matchesGrammar = grammar.map { _ in false }
      send(.finished(metrics))
      return
    }
    metrics.prefillTime = clock.now - start
    metrics.timeToFirstToken = metrics.prefillTime
    let firstToken = clock.now
    var decoding = Decoding(self, request, grammar, metrics)
    try decoding.run(isStopped, send)
    metrics = decoding.metrics
    metrics.decodeTime = clock.now - firstToken
    send(.finished(metrics))
  }

  private func prefill(
    _ request: GenerationRequest, _ isStopped: () -> Bool, _ send: (GenerationEvent) -> Void
  ) throws(TextGenerationError) {
    let prompt = request.tokens
    let reused = model.length
    // Recurrent layers are remembered where other prompts may part from this one, and before the last token, so that
    // the same prompt can be answered again.
    let shared = (request.sharedPrefixLength ?? 0) / PrefixCache.group * PrefixCache.group
    let marks = cache.isRecurrent ? [shared, prompt.count - 1] : []
    for end in marks.filter({ $0 > reused && $0 < prompt.count }).sorted() + [prompt.count] {
      while model.length < end {
        let next = min(end, model.length + model.batchLimit)
        let rows = next == prompt.count ? 1 : 0
        try cache.evaluate(prompt[model.length..<next], rows: rows, into: logits.base, isStopped: isStopped)
        send(.prefill(done: model.length - reused, total: prompt.count - reused))
      }
      if end < prompt.count { cache.mark() }
    }
  }

  /// Saves what was evaluated, or its beginning; see ``TextGenerator/saveState(length:tags:)``.
  func saveState(length: Int?, tags: Set<String>) throws(StateFileError) -> Int {
    guard let states else { return 0 }
    return try cache.save(to: states, identity: identity, length: length, tags: tags)
  }

  private func bound(_ grammar: Grammar) throws(TextGenerationError) -> TokenGrammar {
    do throws(GrammarError) {
      if let place = grammars.firstIndex(where: { $0.grammar == grammar }) {
        let known = grammars.remove(at: place)
        grammars.append(known)
        try known.restart()
        return known
      }
      if trie == nil { trie = VocabularyTrie(tokenizer) }
      guard let trie else { preconditionFailure("made just now") }
      let bound = try TokenGrammar(grammar, trie: trie, tokenizer: tokenizer)
      grammars = grammars.suffix(Self.grammarLimit - 1) + [bound]
      return bound
    } catch {
      throw .grammar(error)
    }
  }

  /// Largest number of grammars that keep what they have computed.
  private static let grammarLimit = 4

  /// The sequences that the DRY settings let nothing reach across.
  func breakers(for settings: DrySettings?) -> DryBreakers {
    guard let settings else { return DryBreakers() }
    if let breakers, breakers.texts == settings.breakers { return breakers.found }
    let found = DryBreakers(settings.breakers, tokenizer)
    breakers = (settings.breakers, found)
    return found
  }
}

extension Tokenizer {
  /// Makes the tokenizer of a model file.
  package init(_ header: GGUFHeader) throws(TextGenerationError) {
    let definition = try TokenizerDefinition(header)
    do {
      try self.init(definition)
    } catch {
      throw .tokenizer(error)
    }
  }
}
