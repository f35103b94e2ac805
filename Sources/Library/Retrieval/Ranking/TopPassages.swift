/// Best passages found so far, up to a limit; equal scores by row.
struct TopPassages {
  private let limit: Int
  /// Heap with the worst passage at the root.
  private var heap: [(row: UInt32, score: Float)] = []

  init(limit: Int) {
    self.limit = limit
    heap.reserveCapacity(limit)
  }

  /// Score that must be exceeded, for rows in ascending order; -infinity below the limit.
  var threshold: Float { heap.count < limit ? -.infinity : heap[0].score }

  /// Keeps a passage if its score is high enough. Rows come in ascending order.
  mutating func insert(row: UInt32, score: Float) {
    guard limit > 0, score > threshold else { return }
    if heap.count < limit {
      heap.append((row, score))
      var place = heap.count - 1
      while place > 0, Self.isWorse(heap[place], heap[(place - 1) / 2]) {
        heap.swapAt(place, (place - 1) / 2)
        place = (place - 1) / 2
      }
      return
    }
    heap[0] = (row, score)
    var place = 0
    while true {
      var worst = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < heap.count && Self.isWorse(heap[child], heap[worst]) {
        worst = child
      }
      if worst == place { return }
      heap.swapAt(place, worst)
      place = worst
    }
  }

  /// Returns the passages, best first.
  func sorted() -> [(row: UInt32, score: Float)] { heap.sorted { Self.isWorse($1, $0) } }

  private static func isWorse(_ left: (row: UInt32, score: Float), _ right: (row: UInt32, score: Float)) -> Bool {
    left.score != right.score ? left.score < right.score : left.row > right.row
  }
}
