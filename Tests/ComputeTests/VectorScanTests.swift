import Compute
import TestSupport
import Testing

@Suite struct VectorScanTests {
  private static func bytes(_ count: Int, _ random: inout SeededGenerator) -> [Int8] {
    (0..<count).map { _ in
      // The ends of the range are where sums overflow.
      Int.random(in: 0..<4, using: &random) == 0
        ? (Bool.random(using: &random) ? 127 : -127)
        : Int8.random(in: -127...127, using: &random)
    }
  }

  /// Every set gives the bits of the definition: exact sums, rounded once, scaled once.
  @Test(arguments: InstructionSet.available, [64, 128, 384, 448, 1024, 4096])
  func scoresAreTheScalarOnes(set: InstructionSet, width: Int) {
    var random = SeededGenerator(seed: UInt64(width))
    for count in [1, 2, 3, 4, 5, 7, 8, 33, 100] {
      let rows = Self.bytes(count * width, &random)
      let query = Self.bytes(width, &random)
      var scales = (0..<count).map { _ in Float.random(in: 0.0001...0.02, using: &random) }
      if count > 4 { scales[2] = 0 }
      var (found, expected) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
      set.scan(rows: rows, scales: scales, width: width, count: count, query: query, into: &found)
      InstructionSet.scalar.scan(
        rows: rows, scales: scales, width: width, count: count, query: query, into: &expected)
      #expect(found.map(\.bitPattern) == expected.map(\.bitPattern), "\(set), \(count) rows of \(width)")
      let exact = (0..<count).map { row in
        scales[row] * Float((0..<width).reduce(0) { $0 + Int(rows[row * width + $1]) * Int(query[$1]) })
      }
      #expect(found == exact)
    }
  }

  @Test(arguments: InstructionSet.available, [0, 1, 7, 8, 15, 16, 17, 33, 1024])
  func placesAreTheScalarOnes(set: InstructionSet, count: Int) {
    var random = SeededGenerator(seed: UInt64(count))
    var scores = (0..<count).map { _ in Float(Int.random(in: -8...8, using: &random)) / 8 }
    if count > 5 { scores[5] = .nan }
    for floor in [-Float.infinity, -0.5, 0, 0.25, 1, .infinity] {
      var places = [Int32](repeating: -1, count: count)
      let found = set.places(above: floor, in: scores, count: count, into: &places)
      #expect(places.prefix(found).map(Int.init) == scores.indices.filter { scores[$0] > floor })
    }
  }

  @Test func aVectorLosesLittleInEightBits() {
    var random = SeededGenerator(seed: 3)
    let vector = (0..<100).map { _ in Float.random(in: -1...1, using: &random) }
    var row = [Int8](repeating: 1, count: 128)
    let scale = InstructionSet.quantize(vector, count: 100, width: 128, into: &row)
    for (value, byte) in zip(vector, row) { #expect(abs(value - Float(byte) * scale) <= scale * 0.5001) }
    #expect(row[100...].allSatisfy { $0 == 0 })
    for odd in [
      [Float](repeating: 0, count: 4), [1, .nan, 0, 0], [.infinity, 1, 0, 0], [.leastNonzeroMagnitude, 0, 0, 0],
    ] {
      row = [Int8](repeating: 1, count: 128)
      #expect(InstructionSet.quantize(odd, count: 4, width: 128, into: &row) == 0)
      #expect(row.allSatisfy { $0 == 0 })
    }
  }
}
