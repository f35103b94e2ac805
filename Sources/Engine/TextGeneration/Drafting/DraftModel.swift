import Compute
import Tokenization

/// Smaller model that drafts tokens for a larger one with the same vocabulary (Leviathan et al. 2023).
final class DraftModel {
  private let model: LanguageModel
  private let tokenizer: Tokenizer
  private var cache: PrefixCache
  private let logits: FloatBuffer
  /// The tokens that both models know.
  private let sharedCount: Int

  /// Number of tokens by which two vocabularies of one family may differ: some are padded to round numbers.
  private static let paddingLimit = 1024

  /// - Throws: ``TextGenerationError/foreignDraft`` where the vocabularies differ.
  init(_ model: LanguageModel, _ tokenizer: Tokenizer, for target: Tokenizer) throws(TextGenerationError) {
    guard !model.configuration.isEncoder, model.transformer.state.isEmpty else {
      throw .wrongKind(architecture: model.configuration.architectureName)
    }
    let shared = min(tokenizer.count, target.count)
    guard max(tokenizer.count, target.count) - shared <= Self.paddingLimit,
      (0..<TokenID(shared)).allSatisfy({
        tokenizer.piece(of: $0, showsSpecial: true) == target.piece(of: $0, showsSpecial: true)
      })
    else { throw .foreignDraft }
    self.model = model
    self.tokenizer = tokenizer
    sharedCount = min(shared, model.vocabularySize)
    cache = PrefixCache(model)
    logits = try makeBuffer(model.vocabularySize)
  }

  /// Drafts the next tokens, each drawn as the larger model's will be, with the same random numbers.
  func propose(after history: [TokenID], count: Int, _ sampler: Sampler) throws(TextGenerationError) -> [TokenID] {
    guard history.count + count <= model.contextLength else { return [] }
    _ = cache.keepCommonPrefix(with: history)
    while model.length < history.count {
      let next = min(history.count, model.length + model.batchLimit)
      let rows = next == history.count ? 1 : 0
      try cache.evaluate(history[model.length..<next], rows: rows, into: logits.base)
    }
    var sampler = sampler
    var found: [TokenID] = []
    while found.count < count {
      guard let token = sampler.draw(logits.base, count: sharedCount), !tokenizer.endsGeneration(token) else {
        break
      }
      found.append(token)
      guard found.count < count else { break }
      sampler.accept(token)
      try cache.evaluate([token], rows: 1, into: logits.base)
    }
    return found
  }
}
