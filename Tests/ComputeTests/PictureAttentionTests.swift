import Compute
import Foundation
import Testing
import Threading

@Suite struct PictureAttentionTests {
  struct Shape: Sendable {
    var texts = 1
    var queries = 9
    var keys = 9
    var heads = 2
    var headSize = 8
    var isCausal = false
    var extra = 0
  }

  static let shapes: [Shape] = [
    Shape(), Shape(texts: 2, queries: 77, keys: 77, heads: 3, headSize: 64, isCausal: true),
    Shape(texts: 2, queries: 40, keys: 77, heads: 2, headSize: 40, extra: 5),
    Shape(queries: 100, keys: 500, heads: 1, headSize: 160), Shape(queries: 3, keys: 193, heads: 1, headSize: 512),
    Shape(queries: 1, keys: 1, heads: 1, headSize: 1), Shape(queries: 33, keys: 385, heads: 1, headSize: 33),
    Shape(queries: 400, keys: 400, heads: 1, headSize: 24, isCausal: true),
  ]

  @Test(arguments: shapes, PictureTests.precisions)
  func agreesWithItsDefinition(shape: Shape, precision: PicturePrecision) throws {
    let stride = shape.heads * shape.headSize + shape.extra
    // Scores of about ±5: some keys matter, most do not.
    let queries = RandomWeights.values(shape.texts * shape.queries * stride, seed: 71).map { $0 * 3 }
    let keys = RandomWeights.values(shape.texts * shape.keys * stride, seed: 72).map { $0 * 3 }
    let values = RandomWeights.values(shape.texts * shape.keys * stride, seed: 73)
    let scale = 1 / Double(shape.headSize).squareRoot()
    let width = shape.heads * shape.headSize
    var expected = [Double](repeating: 0, count: shape.texts * shape.queries * width)
    for text in 0..<shape.texts {
      for query in 0..<shape.queries {
        for head in 0..<shape.heads {
          let own = (text * shape.queries + query) * stride + head * shape.headSize
          let visible = shape.isCausal ? min(query + 1, shape.keys) : shape.keys
          let scores = (0..<visible).map { key in
            let place = (text * shape.keys + key) * stride + head * shape.headSize
            return (0..<shape.headSize).reduce(0.0) {
              $0 + Double(queries[own + $1]) * Double(keys[place + $1])
            } * scale
          }
          let top = scores.max() ?? 0
          let shares = scores.map { exp($0 - top) }
          let total = shares.reduce(0, +)
          for dimension in 0..<shape.headSize {
            let sum = (0..<visible).reduce(0.0) {
              $0 + shares[$1]
                * Double(values[(text * shape.keys + $1) * stride + head * shape.headSize + dimension])
            }
            expected[(text * shape.queries + query) * width + head * shape.headSize + dimension] = sum / total
          }
        }
      }
    }
    var first: [UInt32]?
    for set in InstructionSet.available {
      for threads in [1, 3] {
        let context = ComputeContext(pool: WorkerPool(threadCount: threads), instructionSet: set)
        var found = [Float](repeating: .nan, count: expected.count)
        try context.attend(
          PictureAttention(
            texts: shape.texts, queries: shape.queries, keys: shape.keys, heads: shape.heads,
            headSize: shape.headSize, isCausal: shape.isCausal, precision: precision, queryStride: stride,
            keyStride: stride, valueStride: stride, outputStride: width),
          queries: queries, keys: keys, values: values, into: &found)
        let error = PictureTests.deviation(found, expected)
        // BF16 queries and keys move a score of 5 by about 0.01, and so its share by 1 %.
        #expect(error < (precision == .exact ? 1e-11 : 5e-4), "\(set): \(error)")
        let bits = found.map(\.bitPattern)
        #expect(bits == first ?? bits, "\(set) with \(threads) threads")
        first = first ?? bits
      }
    }
  }
}
