/// Which of the passages that fit are shown together.
package struct DiversitySettings: Sendable, Hashable {
  /// What a passage's fit counts beside its difference from those before it, from 0 to 1; 1 leaves the order by fit alone.
  package var relevanceWeight = 1.0
  /// Whether every document gives its best passage before any gives its second.
  package var spreadsOverDocuments = false

  /// Makes the settings that the program uses where a question does not ask for more.
  package init() {}

  /// For questions about several documents ("which contracts mention …").
  package static let acrossDocuments: DiversitySettings = {
    var settings = DiversitySettings()
    settings.relevanceWeight = 0.7
    settings.spreadsOverDocuments = true
    return settings
  }()
}

/// Puts scored things into another order than that of their scores.
package enum Diversity {
  /// Maximal marginal relevance (Carbonell and Goldstein, "The use of MMR, diversity-based reranking for reordering documents and
  /// producing summaries", SIGIR 1998): each next one has the highest weighed difference of its score and of its likeness to the
  /// most alike before it.
  /// - Parameters:
  ///   - scores: best first.
  ///   - likeness: of two places, from 0 to 1.
  /// - Returns: the first `limit` places in their new order; equal ones in the old.
  /// - Complexity: `limit` times the number of scores.
  package static func marginalOrder(
    _ scores: [Double], limit: Int, relevanceWeight: Double, likeness: (Int, Int) -> Double
  ) -> [Int] {
    guard let best = scores.first, let last = scores.last, relevanceWeight < 1 else {
      return Array(scores.indices.prefix(limit))
    }
    // On one scale with likeness.
    let relevance = scores.map { best > last ? ($0 - last) / (best - last) : 1 }
    var nearest = [Double](repeating: 0, count: scores.count)
    var waiting = Array(scores.indices)
    var order: [Int] = []
    while order.count < limit, !waiting.isEmpty {
      var chosen = 0
      var highest = -Double.infinity
      for (place, candidate) in waiting.enumerated() {
        let value = relevanceWeight * relevance[candidate] - (1 - relevanceWeight) * nearest[candidate]
        if value > highest { (highest, chosen) = (value, place) }
      }
      let next = waiting.remove(at: chosen)
      order.append(next)
      for candidate in waiting { nearest[candidate] = max(nearest[candidate], likeness(next, candidate)) }
    }
    return order
  }

  /// The order in which every group gives its first before any gives its second; within a round, the old order.
  package static func spread<Group: Hashable>(_ groups: [Group]) -> [Int] {
    var counts: [Group: Int] = [:]
    let rounds = groups.map { group in
      counts[group, default: 0] += 1
      return counts[group, default: 0]
    }
    return groups.indices.sorted { (rounds[$0], $0) < (rounds[$1], $1) }
  }

  /// How alike two sets of words are: the share of the smaller that the larger has too.
  package static func likeness(_ left: Set<String>, _ right: Set<String>) -> Double {
    let (small, large) = left.count < right.count ? (left, right) : (right, left)
    guard !small.isEmpty else { return 0 }
    return Double(small.count { large.contains($0) }) / Double(small.count)
  }
}
