/// Number format of the KV cache, as far as memory goes.
package enum CacheForm: String, Sendable, CaseIterable, Codable {
  /// Single precision.
  case f32
  /// Half precision.
  case f16
  /// Eight-bit blocks.
  case q8_0

  func byteCount(_ elements: Int) -> Int {
    switch self {
    case .f32: elements.saturatingProduct(4)
    case .f16: elements.saturatingProduct(2)
    case .q8_0: elements.saturatingProduct(34) / 32
    }
  }
}

/// Memory of a model that runs with a full context: an upper bound in bytes, part by part.
package struct MemoryEstimate: Sendable, Equatable {
  /// The weights laid out for the kernels, and the part of the file that is in memory besides.
  package var weights: Int
  /// KV cache of a full context.
  package var cache: Int
  /// Activations of one batch on its way through the layers.
  package var activations: Int
  /// The vocabulary, and the program itself.
  package var surroundings: Int

  /// All of it, in bytes.
  package var total: Int {
    weights.saturatingSum(cache).saturatingSum(activations).saturatingSum(surroundings)
  }

  /// Tokens evaluated at once.
  package static let batch = 512
  /// The program with nothing loaded: its code, its libraries, its threads.
  static let program = 40 << 20

  /// Estimates a model from its shape.
  /// - Parameters:
  ///   - context: positions the cache holds.
  ///   - cache: the number format of the KV cache.
  package init(_ shape: ModelShape, context: Int, cache form: CacheForm = .f16) {
    let context = max(1, min(context, shape.contextLength))
    let positions = (context + 63) / 64 * 64
    let batch = shape.isEncoder ? context : min(Self.batch, context)
    // While a matrix is laid out, a part of it is in memory twice; the KV cache does not exist yet then.
    let passing = min(shape.preparedBytes, 8 << 20).saturatingSum(shape.preparedBytes / 100)
    weights = shape.preparedBytes.saturatingSum(passing)
    cache =
      shape.isEncoder
      ? 0
      : form.byteCount(
        positions.saturatingProduct(shape.keyLength + shape.valueLength).saturatingProduct(shape.keyValueHeads)
      ).saturatingProduct(shape.attentionLayers).saturatingSum(shape.recurrentBytes.saturatingProduct(2))
    activations = Self.activations(shape, batch: batch)
    let vocabulary = shape.vocabularyBytes.saturatingProduct(2).saturatingSum(
      shape.vocabularyEntries.saturatingProduct(96))
    surroundings = Self.program.saturatingSum(vocabulary)
  }

  private static func activations(_ shape: ModelShape, batch: Int) -> Int {
    let queries = shape.heads * max(shape.keyLength, shape.valueLength)
    let keys = shape.keyValueHeads * (shape.keyLength + shape.valueLength)
    var floats = 3 * shape.width + 2 * queries + keys + 3 * shape.innerWidth
    if shape.experts > 0 { floats += (2 + shape.usedExperts) * shape.width + shape.experts }
    // Encoders multiply twice, with what 8 bits hold of their activations and with the rest.
    if shape.isEncoder { floats += 3 * max(3 * queries, 2 * shape.innerWidth) }
    // The 8-bit form of a product's input: two bytes an element, and room to grow by half.
    let forms = 3 * max(shape.innerWidth, shape.width, queries)
    return batch.saturatingProduct(4 * floats + forms).saturatingSum(shape.vocabulary.saturatingProduct(8))
  }

  /// The same model's smallest footprint that still serves: a short context kept in eight bits.
  package static func smallest(_ shape: ModelShape) -> MemoryEstimate {
    MemoryEstimate(shape, context: 2048, cache: .q8_0)
  }
}

extension Int {
  func saturatingProduct(_ other: Int) -> Int {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? .max : product
  }

  func saturatingSum(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
