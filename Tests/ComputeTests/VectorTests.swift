import Compute
import Foundation
import Testing

@Suite struct VectorTests {
  static let counts = [1, 7, 16, 33, 4096]

  /// Checks a vector operation of `set` against a formula in doubles and, bit for bit, against plain C.
  private func check(
    _ set: InstructionSet, _ count: Int, ceiling: Double, range: Float = 6,
    _ run: (InstructionSet, [Float], [Float], inout [Float]) -> Void, _ formula: ([Double], [Double]) -> [Double]
  ) {
    let x = RandomWeights.values(count, seed: 1).map { $0 * range }
    let y = RandomWeights.values(count, seed: 2)
    var output = [Float](repeating: .nan, count: count)
    var scalar = output
    run(set, x, y, &output)
    run(.scalar, x, y, &scalar)
    #expect(output.map(\.bitPattern) == scalar.map(\.bitPattern))
    for (a, b) in zip(output, formula(x.map(Double.init), y.map(Double.init))) {
      #expect(abs(Double(a) - b) <= ceiling * max(1, abs(b)), "\(a) is not \(b)")
    }
  }

  @Test(arguments: InstructionSet.available, counts)
  func arithmetic(set: InstructionSet, count: Int) {
    check(set, count, ceiling: 1e-7, { $0.add($1, $2, count: count, into: &$3) }, { zip($0, $1).map(+) })
    check(set, count, ceiling: 1e-7, { $0.multiply($1, $2, count: count, into: &$3) }, { zip($0, $1).map(*) })
    check(set, count, ceiling: 1e-7, { $0.scale($1, by: 0.3, count: count, into: &$3) }) { x, _ in
      x.map { $0 * Double(Float(0.3)) }
    }
    check(
      set, count, ceiling: 1e-6,
      { set, x, y, out in
        out = y
        set.addScaled(x, by: 2, count: count, into: &out)
      }, { zip($0, $1).map { 2 * $0 + $1 } })
  }

  @Test(arguments: InstructionSet.available, counts)
  func norms(set: InstructionSet, count: Int) {
    check(set, count, ceiling: 2e-6, { $0.rmsNorm($1, weight: $2, epsilon: 1e-5, count: count, into: &$3) }) {
      x, y in
      let factor = 1 / (x.reduce(0) { $0 + $1 * $1 } / Double(count) + 1e-5).squareRoot()
      return zip(x, y).map { $0 * factor * $1 }
    }
    check(
      set, count, ceiling: 2e-5,
      { $0.layerNorm($1, weight: $2, bias: $2, epsilon: 1e-2, count: count, into: &$3) }
    ) { x, y in
      let mean = x.reduce(0, +) / Double(count)
      let factor = 1 / (x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count) + 1e-2).squareRoot()
      return zip(x, y).map { ($0 - mean) * factor * $1 + $1 }
    }
    check(
      set, count, ceiling: 1e-6,
      { set, x, _, out in
        out = x
        set.softmax(&out, count: count)
      }
    ) { x, _ in
      let top = x.max() ?? 0
      let total = x.reduce(0) { $0 + exp($1 - top) }
      return x.map { exp($0 - top) / total }
    }
  }

  @Test(arguments: InstructionSet.available, Activation.allCases)
  func activations(set: InstructionSet, activation: Activation) {
    func formula(_ x: Double) -> Double {
      switch activation {
      case .silu: x / (1 + exp(-x))
      case .gelu: 0.5 * x * (1 + erf(x / 2.0.squareRoot()))
      case .geluTanh: 0.5 * x * (1 + tanh((2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
      case .geluQuick: x / (1 + exp(-1.702 * x))
      case .relu: max(x, 0)
      case .reluSquared: max(x, 0) * max(x, 0)
      case .sigmoid: 1 / (1 + exp(-x))
      case .tanh: tanh(x)
      case .exp: exp(x)
      }
    }
    for count in VectorTests.counts {
      for range in [Float(0.01), 3, 40] {
        check(
          set, count, ceiling: 1e-6, range: range, { $0.activate(activation, $1, count: count, into: &$3) },
          { x, _ in x.map(formula) })
        check(
          set, count, ceiling: 1e-6, range: range, { $0.gate(activation, $1, $2, count: count, into: &$3) },
          { zip($0, $1).map { formula($0) * $1 } })
      }
    }
  }

  @Test(arguments: InstructionSet.available, [true, false])
  func rope(set: InstructionSet, isNeoX: Bool) {
    for pairs in [1, 8, 16, 40, 64] {
      let angles = (0..<pairs).map { Float($0) * 0.1 }
      let (cosines, sines) = (angles.map { cos($0) }, angles.map { sin($0) })
      check(
        set, 2 * pairs, ceiling: 2e-6,
        { set, x, _, out in
          out = x
          set.rope(&out, cosines: cosines, sines: sines, pairCount: pairs, isNeoX: isNeoX)
        }
      ) { x, _ in
        var out = x
        for i in 0..<pairs {
          let (a, b) = isNeoX ? (i, i + pairs) : (2 * i, 2 * i + 1)
          out[a] = x[a] * Double(cosines[i]) - x[b] * Double(sines[i])
          out[b] = x[a] * Double(sines[i]) + x[b] * Double(cosines[i])
        }
        return out
      }
    }
  }

  @Test(arguments: InstructionSet.available)
  func everyHalfWidensAndNarrowsBack(set: InstructionSet) {
    let halves = (0...UInt16.max).map { $0 }
    var floats = [Float](repeating: 0, count: halves.count)
    set.widen(halves, count: halves.count, into: &floats)
    var back = [UInt16](repeating: 0, count: halves.count)
    set.narrow(floats, count: halves.count, into: &back)
    for (half, (float, returned)) in zip(halves, zip(floats, back)) where !float.isNaN {
      #expect(half == returned)
    }
    #expect(floats.filter(\.isNaN).count == 2 * 1023)
    #expect(floats[0x3c00] == 1 && floats[1] == 0x1p-24 && floats[0x7bff] == 65504 && floats[0xfc00] == -.infinity)
  }

  @Test(arguments: InstructionSet.available)
  func narrowingRoundsToNearestEven(set: InstructionSet) {
    let floats: [Float] = [1 + 0x1p-11, 1 + 0x3p-11, 65519.99, 65520, 0x1p-25, 0x1.8p-24, 1e-9, -0.0]
    var halves = [UInt16](repeating: 0, count: floats.count)
    set.narrow(floats, count: floats.count, into: &halves)
    #expect(halves == [0x3c00, 0x3c02, 0x7bff, 0x7c00, 0, 2, 0, 0x8000])
  }

  @Test func randomNumbersRepeat() {
    var (a, b) = (RandomSource(seed: 42), RandomSource(seed: 42))
    var other = RandomSource(seed: 43)
    let numbers = (0..<1000).map { _ in a.nextUnit() }
    #expect(numbers == (0..<1000).map { _ in b.nextUnit() })
    #expect(numbers != (0..<1000).map { _ in other.nextUnit() })
    #expect(numbers.allSatisfy { (0..<1).contains($0) })
    #expect(abs(numbers.reduce(0, +) / 1000 - 0.5) < 0.05)
  }
}
