import Compute
import Tokenization

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
