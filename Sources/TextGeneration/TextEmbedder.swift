import Compute
import Foundation
import ModelFormats
import Threading
import Tokenization

/// Turns texts into vectors whose closeness is that of their meanings, on a thread of its own.
public actor TextEmbedder {
  private let thread = DedicatedThread(name: "text-embedder")
  private let model: LanguageModel
  private let tokenizer: Tokenizer

  /// What a text became.
  public struct Embedding: Sendable, Equatable {
    /// The tokens that were read, those that begin and end a text included.
    public let tokens: [TokenID]
    /// The vector, of length 1.
    public let vector: [Float]
    /// Whether the text was longer than the model reads, so that its end was left out.
    public let isTruncated: Bool
  }

  /// All work runs on the embedder's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The number of elements of a vector.
  public nonisolated let dimension: Int
  /// The most tokens of one text.
  public nonisolated let tokenLimit: Int
  /// The model's name, where the file gives one.
  public nonisolated let name: String?

  /// Loads an embedder: an encoder, or a decoder trained for it.
  public init(path: String, threadCount: Int? = nil) throws(TextGenerationError) {
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
  }

  /// Decoders could read far more, but a passage that long has no one meaning.
  private static let longestText = 8192

  /// Embeds texts one by one.
  public func embed(_ texts: [String]) throws -> [Embedding] {
    var results: [Embedding] = []
    for text in texts {
      try Task.checkCancellation()
      results.append(try embed(text))
    }
    return results
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

  private func embed(_ text: String) throws(TextGenerationError) -> Embedding {
    let (tokens, isTruncated) = tokens(of: text)
    guard !tokens.isEmpty else { throw .emptyPrompt }
    let vector = try model.embedding(of: tokens)
    return Embedding(tokens: tokens, vector: vector, isTruncated: isTruncated)
  }
}

extension LanguageModel {
  /// The number of elements of ``embedding(of:)``.
  public var embeddingDimension: Int { transformer.weights.projections.last?.matrix.rows ?? configuration.width }

  /// One vector of length 1 for some tokens, pooled as the model's file says.
  public func embedding(of tokens: [TokenID]) throws(TextGenerationError) -> [Float] {
    guard !tokens.isEmpty else { throw .emptyPrompt }
    guard tokens.count <= contextLength else {
      throw .contextFull(needed: tokens.count, capacity: contextLength)
    }
    reset()
    let width = configuration.width
    var sum = [Float](repeating: 0, count: width)
    var done = 0
    while done < tokens.count {
      let batch = tokens[done..<min(tokens.count, done + transformer.batchLimit)]
      let hidden = try transformer.evaluate(batch)
      for row in 0..<batch.count where pools(done + row, of: tokens.count) {
        for index in 0..<width { sum[index] += hidden[row * width + index] }
      }
      done += batch.count
    }
    for projection in transformer.weights.projections { sum = try project(sum, projection) }
    let length = sum.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 ? sum.map { $0 / length } : sum
  }

  private func project(_ vector: [Float], _ projection: Linear) throws(TextGenerationError) -> [Float] {
    let (input, output) = (try makeBuffer(vector.count), try makeBuffer(projection.matrix.rows))
    for (index, value) in vector.enumerated() { input[index] = value }
    try computed { () throws(ComputeError) in
      try transformer.context.multiply(projection.matrix, input.base, into: output.base)
    }
    return Array(output.buffer)
  }

  private func pools(_ position: Int, of count: Int) -> Bool {
    switch configuration.pooling {
    case .mean, .none: true
    case .first: position == 0
    case .last: position == count - 1
    }
  }
}
