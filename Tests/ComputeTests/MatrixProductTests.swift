import Compute
import Testing
import Threading

@Suite struct MatrixProductTests {
  static let types = TensorType.allCases.filter(\.isMultipliable)

  @Test(arguments: types, [(1, 256), (17, 512), (40, 768)])
  func agreesWithExactArithmetic(type: TensorType, shape: (Int, Int)) throws {
    let (rows, columns) = shape
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 3)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2))
    let input = RandomWeights.values(3 * columns, seed: 5)
    var output = [Float](repeating: .nan, count: 3 * rows)
    try context.multiply(weights.matrix, input, count: 3, into: &output)
    var row = [Float](repeating: 0, count: columns)
    var (error, power) = (0.0, 0.0)
    for r in 0..<rows {
      weights.matrix.dequantizeRow(r, into: &row)
      for token in 0..<3 {
        var exact = 0.0
        for k in 0..<columns { exact += Double(row[k]) * Double(input[token * columns + k]) }
        let difference = Double(output[token * rows + r]) - exact
        error += difference * difference
        power += exact * exact
      }
    }
    // F32 activations: rounding alone. 8-bit activations: a step of 1/127 of the largest of 32.
    #expect(error / power < (type.isQuantized ? 5e-4 : 1e-11), "\(type.name): \(error / power)")
  }

  @Test(arguments: types, [1, 2, 3])
  func threadsAndBatchesChangeNoBit(type: TensorType, threads: Int) throws {
    let (rows, columns) = (75, 512)
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 7)
    let input = RandomWeights.values(9 * columns, seed: 9)
    var together = [Float](repeating: .nan, count: 9 * rows)
    let context = ComputeContext(pool: WorkerPool(threadCount: threads))
    try context.multiply(weights.matrix, input, count: 9, into: &together)
    for token in 0..<9 {
      var alone = [Float](repeating: .nan, count: rows)
      let single = ComputeContext(pool: WorkerPool(threadCount: 1))
      try input.withUnsafeBufferPointer {
        try single.multiply(weights.matrix, $0.baseAddress! + token * columns, into: &alone)
      }
      #expect(alone.map(\.bitPattern) == together[token * rows..<(token + 1) * rows].map(\.bitPattern))
    }
  }
}
