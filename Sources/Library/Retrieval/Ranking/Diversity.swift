/// Selection among the passages that fit.
package struct DiversitySettings: Sendable, Hashable {
  /// Weight of a passage's score against its difference from those before it (λ of MMR), from 0 to 1; 1 keeps the
  /// order of scores.
  package var relevanceWeight = 1.0
  /// Indicates whether every document gives its best passage before any gives its second.
  package var spreadsOverDocuments = false

  /// Makes the settings for an ordinary question.
  package init() {}

  /// Settings for questions about several documents ("which contracts mention …").
  package static let acrossDocuments: DiversitySettings = {
    var settings = DiversitySettings()
    settings.relevanceWeight = 0.7
    settings.spreadsOverDocuments = true
    return settings
  }()
}

/// Re-ranks scored items.
package enum Diversity {
  /// Orders items by maximal marginal relevance (Carbonell and Goldstein, "The use of MMR, diversity-based reranking
  /// for reordering documents and producing summaries", SIGIR 1998): each next one has the highest weighted
  /// difference of its score and its likeness to the most similar item before it.
  /// - Parameters:
  ///   - scores: best first.
  ///   - likeness: similarity of two places, from 0 to 1.
  /// - Returns: the first `limit` places in their new order; equal ones in the old.
  /// - Complexity: `limit` times the number of scores.
  package static func marginalOrder(
    _ scores: [Double], limit: Int, relevanceWeight: Double, likeness: (Int, Int) -> Double
  ) -> [Int] {
    guard let best = scores.first, let last = scores.last, relevanceWeight < 1 else {
      return Array(scores.indices.prefix(limit))
    }
    // Scores are scaled to 0…1, the scale of likeness.
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

  /// Orders items in rounds: every group gives its first before any gives its second; within a round, the old order.
  package static func spread<Group: Hashable>(_ groups: [Group]) -> [Int] {
    var counts: [Group: Int] = [:]
    let rounds = groups.map { group in
      counts[group, default: 0] += 1
      return counts[group, default: 0]
    }
    return groups.indices.sorted { (rounds[$0], $0) < (rounds[$1], $1) }
  }

  /// Returns the overlap coefficient of two sets of words: the share of the smaller that the larger has too.
  package static func likeness(_ left: Set<String>, _ right: Set<String>) -> Double {
    let (small, large) = left.count < right.count ? (left, right) : (right, left)
    guard !small.isEmpty else { return 0 }
    return Double(small.count { large.contains($0) }) / Double(small.count)
  }
}
