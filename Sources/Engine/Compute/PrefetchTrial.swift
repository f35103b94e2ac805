/// Finds out whether, and how far ahead, products of one size should ask for their weights.
///
/// Some processors foresee a stream of weights by themselves, and being asked holds them up; others fall short without, or
/// where several tokens leave them longer with what they have; and what is asked for too early or too late is not in the
/// cache when it is read. So all ways are tried in turn, with the first products of that size; each gives the same bits.
package struct PrefetchTrial {
  /// What a list of products does, which is tried for itself.
  struct Work: Hashable {
    /// Of weights.
    let byteCount: Int
    /// Tokens of each product, up to ``ProductParts/smallBatchTokens``.
    let tokenCount: Int
  }

  /// A way to ask for weights.
  package struct Distance {
    /// Bytes before they are read at which they are asked for.
    package let far: Int32
    /// The same, when they are asked for again for the first cache.
    package let near: Int32
    /// The cache that they are first asked for.
    package let cache: Cache

    package enum Cache { case l1, l2 }
  }

  /// The first asks for none. Zen 4 needs none; Zen 5 is fastest with the second, Emerald Rapids with the third.
  package static let distances = [
    Distance(far: 0, near: 0, cache: .l1), Distance(far: 8192, near: 6144, cache: .l1),
    Distance(far: 12288, near: 4096, cache: .l2),
  ]
  /// Products measured each way, at least and at most.
  package static let rounds = 4...12

  /// By the distance; those that are out of the running have none.
  private var seconds = [[Double]?](repeating: [], count: PrefetchTrial.distances.count)
  /// The choice, once it is made.
  package private(set) var choice: Distance?

  package init() {}

  private var running: [Int] { seconds.indices.filter { seconds[$0] != nil } }

  private var nextIndex: Int { running.min { seconds[$0]?.count ?? 0 < seconds[$1]?.count ?? 0 } ?? 0 }

  /// The way to be measured next.
  package var next: Distance { Self.distances[nextIndex] }

  /// Takes the time of a product computed in that way, from weights that no cache holds.
  package mutating func record(_ time: Double) {
    let way = nextIndex
    // What asks for nothing is preferred where it is about as fast.
    seconds[way]?.append(Self.distances[way].far == 0 ? 0.97 * time : time)
    let rounds = running.map { seconds[$0]?.count ?? 0 }
    guard let least = rounds.min(), least == rounds.max(), least >= Self.rounds.lowerBound else { return }
    // Out is what was always slower than another.
    let slowest = running.compactMap { seconds[$0]?.max() }.min() ?? .infinity
    for index in running where seconds[index]?.min() ?? 0 > slowest { seconds[index] = nil }
    guard running.count == 1 || least == Self.rounds.upperBound else { return }
    // Medians, for where the machine is shared some products take several times as long.
    let medians = running.map { ($0, seconds[$0]?.sorted()[least / 2] ?? .infinity) }
    choice = medians.min { $0.1 < $1.1 }.map { Self.distances[$0.0] }
    seconds = []
  }
}
