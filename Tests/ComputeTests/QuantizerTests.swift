import Compute
import Testing
import Threading

@Suite struct QuantizerTests {
  /// Squared error over power for normally distributed values that each type must stay under: what rounding to nearest
  /// with the largest value at the end of the range gives, and for K-quants 1.1 times what was seen when written.
  static let ceilings: [(TensorType, Double)] = [
    (.f32, 0), (.f16, 6e-8), (.bf16, 4e-6), (.q4_0, 7.5e-3), (.q4_1, 6e-3), (.q5_0, 1.85e-3), (.q5_1, 1.4e-3),
    (.q8_0, 3e-5), (.q2_K, 8.3e-2), (.q3_K, 2.6e-2), (.q4_K, 5.7e-3), (.q5_K, 1.4e-3), (.q6_K, 3.5e-4),
    (.iq4_NL, 6.4e-3), (.iq4_XS, 6.5e-3), (.mxfp4, 1.3e-2),
  ]

  private func normal(_ count: Int) -> [Float] {
    var random = RandomSource(seed: 1)
    // Twelve uniform values: close enough to a normal distribution.
    return (0..<count).map { _ in Float((0..<12).reduce(-6.0) { sum, _ in sum + random.nextUnit() }) * 0.02 }
  }

  private func roundTrip(_ type: TensorType, _ values: [Float], rows: Int) throws -> [Float] {
    let columns = values.count / rows
    let bytes = try AlignedBuffer<UInt8>(count: try #require(type.byteCount(rows: rows, columns: columns)))
    try type.quantize(values, rows: rows, columns: columns, into: bytes.base, pool: WorkerPool(threadCount: 2))
    var output = [Float](repeating: .nan, count: values.count)
    type.dequantize(bytes.base, count: values.count, into: &output)
    return output
  }

  @Test(arguments: ceilings)
  func errorStaysUnderItsCeiling(type: TensorType, ceiling: Double) throws {
    let values = normal(256 * 64)
    let output = try roundTrip(type, values, rows: 16)
    var (error, power) = (0.0, 0.0)
    for (a, b) in zip(values, output) {
      error += Double((a - b) * (a - b))
      power += Double(a * a)
    }
    #expect(error / power <= ceiling, "\(error / power)")
  }

  @Test(arguments: ceilings.map(\.0))
  func hostileValuesStayFinite(type: TensorType) throws {
    guard type.isQuantized else { return }
    var mixed = [Float](repeating: 1, count: 256)
    for i in stride(from: 0, to: 256, by: 2) { mixed[i] = .infinity }
    var peak = [Float](repeating: -0.001, count: 256)
    peak[7] = 1.3e7
    var steep = mixed
    for i in 0..<256 { steep[i] = Float(i) * 1e30 }
    let constants: [Float] = [0, .nan, 0x1p-130, -3]
    for values in constants.map({ [Float](repeating: $0, count: 256) }) + [mixed, peak, steep] {
      #expect(try roundTrip(type, values, rows: 1).allSatisfy(\.isFinite))
    }
  }

  @Test func otherTypesAreRefused() {
    for type in TensorType.allCases where !type.isQuantizable {
      #expect(throws: ComputeError.notQuantizable(type)) {
        try type.quantize(
          normal(256), rows: 1, columns: 256, into: .allocate(byteCount: 1, alignment: 1),
          pool: WorkerPool(threadCount: 1))
      }
    }
  }
}
