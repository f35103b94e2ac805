/// Measures whether, and at which distance, products of one size should prefetch their weights.
///
/// Some processors prefetch a stream of weights well in hardware, and software prefetches slow them down; others need
/// them, above all with several tokens, where more time passes between reads; and a line prefetched too early or too
/// late is not in the cache when it is read. All distances are tried in turn with the first products of a size; results
/// have the same bits with each.
package struct PrefetchTrial {
  /// Size of a list of products; each size has a trial of its own.
  struct Work: Hashable {
    /// Bytes of weights.
    let byteCount: Int
    /// Number of tokens of each product, up to ``ProductParts/smallBatchTokens``.
    let tokenCount: Int
  }

  /// Prefetch distance.
  package struct Distance {
    /// Distance of the first prefetch, in bytes before a line is read; 0: none.
    package let far: Int32
    /// Distance of the second prefetch, into the L1 cache, in bytes.
    package let near: Int32
    /// Cache that the first prefetch fills.
    package let cache: Cache

    /// Level of cache.
    package enum Cache { case l1, l2 }
  }

  /// Distances tried: none, which is best on Zen 4; the second is best on Zen 5, the third on Emerald Rapids.
  package static let distances = [
    Distance(far: 0, near: 0, cache: .l1), Distance(far: 8192, near: 6144, cache: .l1),
    Distance(far: 12288, near: 4096, cache: .l2),
  ]
  /// Number of products measured at each distance, at least and at most.
  package static let rounds = 4...12

  /// Times in seconds by distance; nil for distances that have dropped out.
  private var seconds = [[Double]?](repeating: [], count: PrefetchTrial.distances.count)
  /// Chosen distance, once the trial is over.
  package private(set) var choice: Distance?

  /// Begins a trial.
  package init() {}

  private var running: [Int] { seconds.indices.filter { seconds[$0] != nil } }

  private var nextIndex: Int { running.min { seconds[$0]?.count ?? 0 < seconds[$1]?.count ?? 0 } ?? 0 }

  /// Distance to measure next.
  package var next: Distance { Self.distances[nextIndex] }

  /// Records the time of a product computed at the distance ``next``, with weights that no cache holds.
  package mutating func record(_ time: Double) {
    let way = nextIndex
    // No prefetching is preferred where it is about as fast.
    seconds[way]?.append(Self.distances[way].far == 0 ? 0.97 * time : time)
    let rounds = running.map { seconds[$0]?.count ?? 0 }
    guard let least = rounds.min(), least == rounds.max(), least >= Self.rounds.lowerBound else { return }
    // A distance that was always slower than another drops out.
    let slowest = running.compactMap { seconds[$0]?.max() }.min() ?? .infinity
    for index in running where seconds[index]?.min() ?? 0 > slowest { seconds[index] = nil }
    guard running.count == 1 || least == Self.rounds.upperBound else { return }
    // Medians: on a shared machine some products take several times as long.
    let medians = running.map { ($0, seconds[$0]?.sorted()[least / 2] ?? .infinity) }
    choice = medians.min { $0.1 < $1.1 }.map { Self.distances[$0.0] }
    seconds = []
  }
}
