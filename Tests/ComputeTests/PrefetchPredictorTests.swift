import Compute
import Testing

@Suite struct PrefetchPredictorTests {
  /// The lists that are expected after each of some, by their names: list 2 has the weights of two threads, and so on.
  private func predictions(_ lists: [UInt], _ order: inout PrefetchPredictor, _ asked: inout [UInt]) -> [Int?] {
    lists.map { list in
      order.record(list) {
        asked.append(list)
        return Array(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: Int(list))
      }?.weights.count
    }
  }

  @Test func whatCameAfterIsExpectedAgain() {
    var (order, asked) = (PrefetchPredictor(), [UInt]())
    #expect(predictions([3, 1, 2], &order, &asked) == [nil, nil, nil])
    // The next token: that its first list follows the last one is news; asking again is not needed.
    #expect(predictions([3, 1, 2], &order, &asked) == [1, 2, 3])
    #expect(predictions([3, 1, 2], &order, &asked) == [1, 2, 3])
    #expect(asked == [3, 1, 2, 3])
  }

  @Test func anotherOrderIsLearned() {
    var (order, asked) = (PrefetchPredictor(), [UInt]())
    _ = predictions([1, 2, 3, 1, 2, 3], &order, &asked)
    #expect(predictions([1, 3], &order, &asked) == [2, 1])
    #expect(predictions([1, 3], &order, &asked) == [3, 1])
  }
}
