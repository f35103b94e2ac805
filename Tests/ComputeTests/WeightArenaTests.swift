import Compute
import Testing

@Suite struct WeightArenaTests {
  private static func range(_ room: WeightArena.Allocation, _ byteCount: Int) -> Range<UInt> {
    let start = UInt(bitPattern: room.base)
    return start..<start + UInt(byteCount)
  }

  @Test func matricesLieSideBySide() throws {
    let memory = WeightArena()
    let sizes = [100, 64, 1 << 20, 3]
    let ranges = try sizes.map { Self.range(try memory.allocate(byteCount: $0), $0) }
    for (before, after) in zip(ranges, ranges.dropFirst()) {
      #expect(after.lowerBound % 64 == 0)
      #expect(after.lowerBound >= before.upperBound && after.lowerBound < before.upperBound + 64)
    }
  }

  /// Else a model of large and small matrices would leave most of each block unused.
  @Test func whatNeedsABlockForItselfLeavesTheOtherToBeFilled() throws {
    let memory = WeightArena()
    let first = Self.range(try memory.allocate(byteCount: 64), 64)
    let large = WeightArena.blockByteCount + 1
    let own = Self.range(try memory.allocate(byteCount: large), large)
    let second = Self.range(try memory.allocate(byteCount: 64), 64)
    #expect(!own.overlaps(first) && !own.overlaps(second))
    #expect(second.lowerBound == first.upperBound)
  }

  @Test func aBlockLivesAsLongAsItsLastMatrixAndNoRoomIsGivenTwice() throws {
    var memory: WeightArena? = WeightArena()
    let half = WeightArena.blockByteCount / 2
    var rooms: [WeightArena.Allocation] = []
    // The third does not fit next to the first two.
    for number in 0..<3 {
      let room = try #require(memory).allocate(byteCount: half - 64 * number)
      for byte in stride(from: 0, to: half - 64 * number, by: 1 << 20) { room.base[byte] = UInt8(number + 1) }
      rooms.append(room)
    }
    memory = nil
    rooms.remove(at: 0)
    for (index, room) in rooms.enumerated() {
      for byte in stride(from: 0, to: half - 128, by: 1 << 20) { #expect(room.base[byte] == UInt8(index + 2)) }
    }
  }
}
