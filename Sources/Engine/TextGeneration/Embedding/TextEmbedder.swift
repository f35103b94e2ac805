import Compute
import Foundation
import ModelFormats
import Threading
import Tokenization

/// Turns texts into vectors whose closeness is that of their meanings, on a thread of its own.
///
/// A text's vector depends on the text alone: not on the texts embedded with it, nor on the number of threads.
package actor TextEmbedder {
  private let thread = DedicatedThread(name: "text-embedder")
  private let model: LanguageModel
  private let tokenizer: Tokenizer

  /// Vector of a text, and the tokens it took.
  package struct Embedding: Sendable, Equatable {
    /// The tokens that were read, those that begin and end a text included.
    package let tokens: [TokenID]
    /// The vector, of length 1.
    package let vector: [Float]
    /// Indicates whether the text was longer than the model reads, so that its end was left out.
    package let isTruncated: Bool
  }

  /// A part of a text and its vector.
  package struct Window: Sendable, Equatable {
    /// The bytes of the text, in UTF-8.
    package let range: Range<Int>
    /// The vector, of length 1.
    package let vector: [Float]

    /// Describes a window.
    package init(range: Range<Int>, vector: [Float]) {
      self.range = range
      self.vector = vector
    }
  }

  /// Role of a text, for models that were trained to see a prefix before it.
  package enum Role: Sendable {
    /// The text as it is.
    case plain
    /// Question that passages are searched for.
    case query
    /// Passage that may be found.
    case passage
  }

  /// All work runs on the embedder's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The number of elements of a vector.
  package nonisolated let dimension: Int
  /// Largest number of tokens of one text.
  package nonisolated let tokenLimit: Int
  /// The model's name, where the file gives one.
  package nonisolated let name: String?
  /// Identity of this embedder's vectors: the model and the prefixes. Copies of a file have the same one.
  package nonisolated let identity: String
  /// Prefixes of queries and passages.
  package nonisolated let prefixes: EmbeddingPrefixes

  /// Loads an embedder: an encoder, or a decoder trained for it.
  /// - Parameter prefixes: nil: those the model is known for.
  package init(
    path: String, prefixes: EmbeddingPrefixes? = nil, threadCount: Int? = nil
  ) throws(TextGenerationError) {
    let file = try checked { () throws(GGUFError) in try GGUFFile(path: path) }
    let configuration = try ModelConfiguration(file)
    var settings = LanguageModel.Settings()
    settings.threadCount = threadCount
    settings.cacheType = .f32
    settings.contextLength = min(configuration.contextLength, Self.longestText)
    model = try LanguageModel(file: file, configuration: configuration, settings: settings)
    tokenizer = try Tokenizer(file.header)
    dimension = model.embeddingDimension
    tokenLimit = model.contextLength
    name = configuration.name
    self.prefixes =
      if let prefixes { prefixes } else {
        try checked { () throws(GGUFError) in try EmbeddingPrefixes(file.header) }
      }
    identity = Self.identity(file, self.prefixes)
  }

  /// Decoders could read far more, but a passage that long has no one meaning.
  private static let longestText = 8192
  /// Grows where the same file gives other vectors than before.
  private static let version = 2

  private static func identity(_ file: GGUFFile, _ prefixes: EmbeddingPrefixes) -> String {
    let plain = "\(version)-\(file.fingerprint)"
    guard prefixes != EmbeddingPrefixes() else { return plain }
    // FNV-1a; the prefixes' lengths keep what belongs to the one from passing to the other.
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in "\(prefixes.query.utf8.count):\(prefixes.query)\(prefixes.passage)".utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return "\(plain)-\(String(hash, radix: 16))"
  }

  /// Embeds any number of texts; a text longer than the model reads is cut.
  /// - Throws: ``TextGenerationError``, or `CancellationError` between batches.
  package func embed(_ texts: [String], as role: Role = .plain) throws -> [Embedding] {
    let prefix = prefix(for: role)
    let read = texts.map { tokens(of: prefix + $0) }
    let vectors = try vectors(of: read.map(\.tokens))
    return zip(read, vectors).map { Embedding(tokens: $0.tokens, vector: $1, isTruncated: $0.isTruncated) }
  }

  /// Embeds whole texts: one window for a text that the model reads at once, overlapping ones for a longer text, none
  /// for a text without a word.
  /// - Parameters:
  ///   - contexts: for each text, what is read before every window of it, such as its title; at most half a window of
  ///     it. It is in no window's range.
  ///   - tokenLimit: largest number of tokens of a window; nil: as many as the model reads.
  /// - Throws: ``TextGenerationError``, or `CancellationError` between batches.
  package func embedWindows(
    of texts: [String], contexts: [String] = [], as role: Role = .passage, tokenLimit: Int? = nil
  ) throws -> [[Window]] {
    precondition(contexts.isEmpty || contexts.count == texts.count, "every text has a context, or none has")
    let limit = min(tokenLimit ?? self.tokenLimit, self.tokenLimit)
    var ranges: [[Range<Int>]] = []
    var tokens: [[TokenID]] = []
    for (place, text) in texts.enumerated() {
      let context = contexts.isEmpty ? "" : shortened(contexts[place], to: limit / 2)
      let prefix = prefix(for: role) + context
      let whole = tokenizer.encode(prefix + text, addSpecial: true)
      if whole.count <= limit {
        let isEmpty = text.unicodeScalars.allSatisfy(\.properties.isWhitespace)
        ranges.append(isEmpty ? [] : [0..<text.utf8.count])
        if !isEmpty { tokens.append(whole) }
        continue
      }
      let windows = TextWindows(
        tokenizer: tokenizer, budget: max(1, limit - tokenizer.encode(prefix, addSpecial: true).count))
      let bytes = Array(text.utf8)
      let parts = windows.ranges(of: text)
      ranges.append(parts)
      for part in parts {
        tokens.append(self.tokens(of: prefix + String(decoding: bytes[part], as: UTF8.self)).tokens)
      }
    }
    var vectors = try vectors(of: tokens)[...]
    return ranges.map { ranges in
      defer { vectors = vectors.dropFirst(ranges.count) }
      return zip(ranges, vectors).map { Window(range: $0, vector: $1) }
    }
  }

  /// The first words of a text, as many as make no more than some tokens.
  private func shortened(_ text: String, to limit: Int) -> String {
    var count = tokenizer.encode(text).count
    guard count > limit else { return text }
    var words = text.split(separator: " ")
    while count > limit, let last = words.popLast() { count -= max(1, tokenizer.encode(String(last)).count) }
    return words.map { $0 + " " }.joined()
  }

  private func prefix(for role: Role) -> String {
    switch role {
    case .plain: ""
    case .query: prefixes.query
    case .passage: prefixes.passage
    }
  }

  /// The tokens of a text as the model reads them, cut to what it can read.
  private func tokens(of text: String) -> (tokens: [TokenID], isTruncated: Bool) {
    var tokens = tokenizer.encode(text, addSpecial: true)
    guard tokens.count > tokenLimit else { return (tokens, false) }
    // What ends a text still ends it.
    let last = tokens.last
    tokens.removeLast(tokens.count - tokenLimit)
    if tokenizer.addsEndOfText, let last { tokens[tokens.count - 1] = last }
    return (tokens, true)
  }

  private func vectors(of texts: [[TokenID]]) throws -> [[Float]] {
    guard texts.allSatisfy({ !$0.isEmpty }) else { throw TextGenerationError.emptyPrompt }
    var vectors: [[Float]] = Array(repeating: [], count: texts.count)
    for batch in model.embeddingBatches(of: texts.map(\.count)) {
      try Task.checkCancellation()
      for (index, vector) in zip(batch, try model.embeddings(of: batch.map { texts[$0] })) {
        vectors[index] = vector
      }
    }
    return vectors
  }
}
