import ModelStore
import Platform
import TestSupport
import Testing

@Suite struct BlockHashTests {
  private func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes { BlockHashes.of($0) } }

  @Test func everyBitCounts() {
    var generator = SeededGenerator(seed: 3)
    for count in [1, 7, 31, 32, 33, 64, 100] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let whole = hash(bytes)
      #expect(whole.count == BlockHashes.byteCount)
      for bit in 0..<count * 8 {
        var changed = bytes
        changed[bit / 8] ^= 1 << (bit % 8)
        #expect(hash(changed) != whole)
      }
      #expect(hash(bytes + [0]) != whole)
      #expect(hash(Array(bytes.dropLast())) != whole)
    }
  }

  /// Places that damage likes: zeros instead of content, pieces in the wrong order or from elsewhere.
  @Test func zerosAndOrderCount() {
    let zeros = [UInt8](repeating: 0, count: 4096)
    #expect(hash(zeros).contains { $0 != 0 })
    #expect(hash(zeros) != hash(zeros + zeros))
    var generator = SeededGenerator(seed: 5)
    let pieces = (0..<4).map { _ in (0..<4096).map { _ in UInt8.random(in: 0...255, using: &generator) } }
    let all = Set(
      [[0, 1, 2, 3], [1, 0, 2, 3], [0, 1, 3, 2], [2, 3, 0, 1], [0, 0, 2, 3]].map { order in
        hash(order.flatMap { pieces[$0] }).hexadecimal
      })
    #expect(all.count == 5)
  }
}
