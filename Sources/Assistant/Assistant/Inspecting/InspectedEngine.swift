import Foundation
import ModelFormats
import TextGeneration
import Tokenization

/// Vocabulary of a model, as `alcove inspect tokens` asks it.
package struct InspectedVocabulary: Sendable {
  private let tokenizer: Tokenizer

  /// Opens a model file's vocabulary.
  /// - Throws: `GGUFError`, `TokenizationError`
  package init(model path: String) throws { tokenizer = try Tokenizer(GGUFFile(path: path).header) }

  /// Returns the token numbers of a text.
  /// - Parameter isSpecial: whether special tokens are parsed in the text and added to it.
  package func tokens(of text: String, isSpecial: Bool) -> [TokenID] {
    tokenizer.encode(text, parseSpecial: isSpecial, addSpecial: isSpecial)
  }
}

/// Scores that a language model gives all tokens, as `alcove inspect logits` writes them.
package struct InspectedLogits: Sendable {
  /// Names of the forms in which the KV cache can be kept.
  package static var cacheTypes: [String] { LanguageModel.CacheType.allCases.map(\.rawValue) }

  /// Form of the KV cache, one of ``cacheTypes``; nil for f32.
  package var cacheType: String?
  /// Threads that compute; nil for as many as the processor has cores.
  package var threadCount: Int?
  /// Tokens evaluated at once; nil for the model's own number.
  package var batchLimit: Int?

  /// Prepares a computation with the usual settings.
  package init() {}

  /// Returns the scores of all tokens after each token of a text, `(tokens, vocabulary)`.
  /// - Throws: `TextGenerationError`
  package func scores(model path: String, tokens: [TokenID]) async throws -> [Float] {
    var settings = LanguageModel.Settings()
    settings.cacheType = cacheType.flatMap(LanguageModel.CacheType.init) ?? .f32
    settings.threadCount = threadCount
    settings.batchLimit = batchLimit ?? settings.batchLimit
    settings.contextLength = max(tokens.count, LanguageModel.usualContextLength)
    return try await Task.detached { [settings] in
      try LanguageModel(path: path, settings: settings).logits(of: tokens)
    }.value
  }
}

/// Vector of a text, as `alcove inspect embed` shows it.
package struct InspectedEmbedding: Sendable {
  package let vector: [Float]
  /// Tokens that were read.
  package let tokens: [Int]
  /// Indicates whether the text was longer than the model reads.
  package let isTruncated: Bool

  /// Computes the vector of a text; returns nil where the model gives none.
  /// - Throws: `TextGenerationError`
  package static func of(_ text: String, model path: String) async throws -> InspectedEmbedding? {
    try await TextEmbedder(path: path).embed([text]).first.map {
      InspectedEmbedding(vector: $0.vector, tokens: $0.tokens.map { Int($0) }, isTruncated: $0.isTruncated)
    }
  }
}
