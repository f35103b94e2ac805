import Compute
import Testing
import Threading

@Suite struct GatedProductTests {
  struct Network: Sendable, CustomTestStringConvertible {
    /// Nil: the factors are activated instead.
    let gates: TensorType?
    let factors: TensorType
    let down: TensorType
    /// Rows of gates and factors.
    let length: Int
    var gate = Gate.activation(.silu)

    var testDescription: String { "\(gates?.name ?? "–"), \(factors.name), \(down.name), \(length)" }
  }

  static let networks = [
    Network(gates: .q4_K, factors: .q4_K, down: .q6_K, length: 2304),
    Network(gates: .q8_0, factors: .q4_0, down: .q4_1, length: 544),
    // Parts of different sizes, if each product chose its own.
    Network(gates: .q8_0, factors: .q2_K, down: .q4_0, length: 1056, gate: .limitedSwish),
    Network(gates: .q2_K, factors: .q8_0, down: .q8_0, length: 1056),
    Network(gates: .f16, factors: .f32, down: .q8_0, length: 544, gate: .activation(.geluTanh)),
    // Rounded in another way, or not at all.
    Network(gates: .q8_0, factors: .q8_0, down: .bf16, length: 288),
    Network(gates: .q8_0, factors: .q8_0, down: .f32, length: 75),
    Network(gates: nil, factors: .q8_0, down: .q8_0, length: 1536),
    Network(gates: nil, factors: .q4_K, down: .q6_K, length: 2304),
    Network(gates: nil, factors: .f16, down: .q4_0, length: 544),
    Network(gates: nil, factors: .q8_0, down: .f16, length: 75),
  ]

  /// Indicates whether steps are taken part by part or one after the other, the result has the same bits.
  @Test(arguments: networks, InstructionSet.available)
  func agreesWithTheSameStepsOneByOne(network: Network, set: InstructionSet) throws {
    let (width, length) = (512, network.length)
    let gates = try network.gates.map { try RandomWeights($0, rows: length, columns: width, seed: 51) }
    let factors = try RandomWeights(network.factors, rows: length, columns: width, seed: 52)
    let down = try RandomWeights(network.down, rows: 40, columns: length, seed: 53)
    let bias = try RandomWeights.buffer(length, seed: 54)
    for count in [1, 2, 5, 16, 17, 50] {
      let input = try RandomWeights.buffer(count * width, seed: 55)
      let inner = try AlignedBuffer<Float>(count: count * length)
      let through = try AlignedBuffer<Float>(count: count * length)
      let output = try AlignedBuffer<Float>(count: count * 40)
      func product(_ weights: RandomWeights, into output: AlignedBuffer<Float>) -> ComputeContext.Product {
        let hasBias = output === through
        return ComputeContext.Product(
          weights.matrix, input.base, count: count, into: output.base,
          bias: hasBias ? bias : nil, activation: gates == nil ? .gelu : nil)
      }
      let entrance = (gates.map { [product($0, into: inner)] } ?? []) + [product(factors, into: through)]
      let last = ComputeContext.Product(down.matrix, through.base, count: count, into: output.base)

      for precision in [ComputeContext.Precision.usual, .fine] {
        let plain = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: set)
        try plain.multiply(entrance, precision: precision)
        if gates != nil {
          set.gate(network.gate, inner.base, through.base, count: count * length, into: through.base)
        }
        try plain.multiply([last], precision: precision)
        let expected = output.buffer.map(\.bitPattern)
        for threads in 1...3 {
          let context = ComputeContext(pool: WorkerPool(threadCount: threads), instructionSet: set)
          output.buffer.update(repeating: .nan)
          try context.multiply(
            entrance, by: gates == nil ? nil : network.gate, then: last, precision: precision)
          #expect(output.buffer.map(\.bitPattern) == expected, "\(count) tokens, \(threads) threads, \(precision)")
        }
      }
    }
  }
}
