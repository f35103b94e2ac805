import Compute
import Tokenization

extension LanguageModel {
  /// The number of elements of ``embedding(of:)``.
  package var embeddingDimension: Int { transformer.weights.projections.last?.matrix.rows ?? configuration.width }

  /// Returns a vector of length 1 for some tokens, pooled as the model's file says.
  package func embedding(of tokens: [TokenID]) throws(TextGenerationError) -> [Float] {
    guard !tokens.isEmpty else { throw .emptyPrompt }
    return try embeddings(of: [tokens])[0]
  }

  /// Sorts texts of some numbers of tokens into batches that are evaluated at once, texts of similar length together.
  package func embeddingBatches(of counts: [Int]) -> [[Int]] {
    var batches: [[Int]] = []
    var (tokens, slots, areShort) = (0, 0, false)
    for index in counts.indices.sorted(by: { (counts[$0], $0) > (counts[$1], $1) }) {
      let needed = TokenBatch.slotCount(of: counts[index])
      let isShort = TokenBatch.isShort(counts[index])
      if batches.isEmpty || isShort != areShort || tokens + counts[index] > transformer.batchLimit
        || slots + needed > transformer.slotCount || !transformer.state.isEmpty
      {
        batches.append([])
        (tokens, slots, areShort) = (0, 0, isShort)
      }
      batches[batches.count - 1].append(index)
      tokens += counts[index]
      slots += needed
    }
    return batches
  }

  /// Returns a vector of length 1 for each text, pooled as the model's file says; it is the same whatever other texts
  /// the batch holds.
  /// - Parameter texts: one of the batches of ``embeddingBatches(of:)``.
  package func embeddings(of texts: [[TokenID]]) throws(TextGenerationError) -> [[Float]] {
    reset()
    if texts.count == 1, let text = texts.first, text.count > transformer.batchLimit || !transformer.state.isEmpty
    {
      return [try embedding(ofLong: text)]
    }
    let width = configuration.width
    var hidden = Floats(try transformer.evaluate(texts: texts))
    var vectors: [[Float]] = []
    for text in texts {
      var sum = [Float](repeating: 0, count: width)
      add(hidden, positions: 0..<text.count, of: text.count, to: &sum)
      vectors.append(try finished(sum))
      hidden += text.count * width
    }
    return vectors
  }

  /// A text that is evaluated piece by piece.
  private func embedding(ofLong tokens: [TokenID]) throws(TextGenerationError) -> [Float] {
    guard tokens.count <= contextLength else {
      throw .contextFull(needed: tokens.count, capacity: contextLength)
    }
    var sum = [Float](repeating: 0, count: configuration.width)
    for start in stride(from: 0, to: tokens.count, by: transformer.batchLimit) {
      let batch = tokens[start..<min(tokens.count, start + transformer.batchLimit)]
      add(
        try transformer.evaluate(batch, outputs: batch.count), positions: batch.indices, of: tokens.count, to: &sum
      )
    }
    return try finished(sum)
  }

  /// Adds up what the pooling takes of the hidden vectors at some positions.
  private func add(_ hidden: Floats, positions: Range<Int>, of count: Int, to sum: inout [Float]) {
    let width = configuration.width
    sum.withUnsafeMutableBufferPointer { sum in
      guard let sum = sum.baseAddress else { return }
      for position in positions where pools(position, of: count) {
        transformer.instructions.add(
          sum, hidden + (position - positions.lowerBound) * width, count: width, into: sum)
      }
    }
  }

  private func finished(_ sum: [Float]) throws(TextGenerationError) -> [Float] {
    var vector = sum
    for projection in transformer.weights.projections { vector = try project(vector, projection) }
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return length > 0 ? vector.map { $0 / length } : vector
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
