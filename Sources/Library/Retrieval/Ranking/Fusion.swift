/// Method of fusing keyword and vector ranking into one.
package enum FusionMethod: String, Sendable, CaseIterable, Codable {
  /// Reciprocal rank fusion (Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual
  /// rank learning methods", SIGIR 2009).
  case reciprocalRank = "rrf"
  /// Sum of normalised scores (Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid retrieval", TOIS
  /// 2023).
  case normalisedScore = "score"
}

/// Weights of the two halves, and the depth to which they are fused.
package struct FusionSettings: Sendable, Hashable {
  /// Fusion method.
  package var method = FusionMethod.normalisedScore
  /// Weight of the vector half, from 0 (keywords alone) to 1 (vectors alone).
  package var vectorWeight = 0.45
  /// Constant added to every rank before it is inverted (k of reciprocal rank fusion), so that first places do not
  /// decide alone.
  package var rankConstant = 10.0
  /// Number of passages of each half that are fused; their scores make up the scale.
  package var depth = 100
  /// Cut-off of the vector half: texts that have nothing to do with each other reach this cosine, too.
  package var leastCosine = 0.2

  /// Makes the default settings.
  package init() {}
}

/// Rank and score of a passage in one half of a search.
package struct HalfScore: Sendable, Hashable, Codable {
  /// Rank from 1; nil where the passage is below the depth and only its score was looked up.
  package var rank: Int?
  /// Score that the half gives: BM25 or a cosine.
  package var score: Double
  /// Normalised score: 1 is the best of this half, 0 the last within its depth.
  package var normalised: Double

  /// Makes a rank and score.
  package init(rank: Int?, score: Double, normalised: Double) {
    self.rank = rank
    self.score = score
    self.normalised = normalised
  }
}

/// Passage in the fused ranking.
package struct FusedRow: Equatable {
  package var row: UInt32
  package var score: Double
  package var keyword: HalfScore?
  package var vector: HalfScore?
}

/// One half of a search: its best passages, and a look-up of other scores.
package struct RankedHalf {
  /// Rows with their scores, best first.
  package var ranked: [(row: UInt32, score: Double)]
  /// Indicates whether ``ranked`` holds every passage that could be found.
  package var isComplete: Bool
  /// Largest score of a passage outside ``ranked``, unless ``score`` knows better.
  package var missing: Double
  /// Returns the score of a passage outside ``ranked``; nil where it is not known or has none.
  package var score: (UInt32) -> Double?

  package init(
    ranked: [(row: UInt32, score: Double)], isComplete: Bool, missing: Double,
    score: @escaping (UInt32) -> Double? = { _ in nil }
  ) {
    self.ranked = ranked
    self.isComplete = isComplete
    self.missing = missing
    self.score = score
  }
}

/// Scale that makes the scores of the two halves comparable: 1 is a half's best, 0 the last within the depth.
struct ScoreScale {
  let best: Double
  let lowest: Double

  init(_ half: RankedHalf, depth: Int) {
    best = half.ranked.first?.score ?? 0
    if half.ranked.count >= depth {
      lowest = half.ranked[depth - 1].score
    } else {
      lowest = half.isComplete ? half.ranked.last?.score ?? 0 : half.missing
    }
  }

  func normalised(_ score: Double) -> Double {
    best > lowest ? (score - lowest) / (best - lowest) : score >= best ? 1 : 0
  }
}

extension FusionSettings {
  /// Fuses two halves: a passage that only one of them finds counts. Best first, equal ones by row.
  package func fuse(keyword: RankedHalf, vector: RankedHalf) -> [FusedRow] {
    guard !vector.ranked.isEmpty else { return alone(keyword) }
    let words = scores(of: keyword, also: vector.ranked.lazy.map(\.row))
    let meanings = scores(of: vector, also: keyword.ranked.lazy.map(\.row))
    let wordless = missing(in: keyword)
    let meaningless = missing(in: vector)
    return Set(words.keys).union(meanings.keys).map { row in
      let (word, meaning) = (words[row], meanings[row])
      let score =
        (1 - vectorWeight) * (word.map(part) ?? wordless) + vectorWeight * (meaning.map(part) ?? meaningless)
      return FusedRow(row: row, score: score, keyword: word, vector: meaning)
    }
    .sorted { ($1.score, $0.row) < ($0.score, $1.row) }
  }

  /// Returns one half as it is.
  private func alone(_ half: RankedHalf) -> [FusedRow] {
    let scale = ScoreScale(half, depth: depth)
    return half.ranked.enumerated().map { place, entry in
      let score = HalfScore(rank: place + 1, score: entry.score, normalised: scale.normalised(entry.score))
      return FusedRow(row: entry.row, score: entry.score, keyword: score, vector: nil)
    }
  }

  /// Returns a half's contribution before its weight.
  private func part(_ half: HalfScore) -> Double {
    switch method {
    case .reciprocalRank: half.rank.map { 1 / (rankConstant + Double($0)) } ?? 0
    case .normalisedScore: half.normalised
    }
  }

  /// Returns the contribution of a half to a passage that it has no score for.
  private func missing(in half: RankedHalf) -> Double {
    guard method == .normalisedScore, !half.ranked.isEmpty else { return 0 }
    return ScoreScale(half, depth: depth).normalised(half.missing)
  }

  /// Returns the scores of a half's own passages, and of the other's where it has them.
  private func scores(of half: RankedHalf, also others: some Sequence<UInt32>) -> [UInt32: HalfScore] {
    let scale = ScoreScale(half, depth: depth)
    var scores: [UInt32: HalfScore] = [:]
    for (place, entry) in half.ranked.enumerated() {
      scores[entry.row] = HalfScore(
        rank: place + 1, score: entry.score, normalised: scale.normalised(entry.score))
    }
    for row in others where scores[row] == nil {
      guard let score = half.score(row) else { continue }
      scores[row] = HalfScore(rank: nil, score: score, normalised: scale.normalised(score))
    }
    return scores
  }
}
