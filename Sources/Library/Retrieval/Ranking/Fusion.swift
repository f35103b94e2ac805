/// How the two halves of a search, by words and by meaning, become one ranking.
package enum FusionMethod: String, Sendable, CaseIterable, Codable {
  /// Reciprocal ranks added up (Cormack, Clarke, Büttcher, "Reciprocal rank fusion outperforms Condorcet and individual
  /// rank learning methods", SIGIR 2009).
  case reciprocalRank = "rrf"
  /// Scores brought to one scale and added up (Bruch, Gai, Ingber, "An analysis of fusion functions for hybrid
  /// retrieval", TOIS 2023).
  case normalisedScore = "score"
}

/// How much each half counts, and how far down it is looked at.
package struct FusionSettings: Sendable, Hashable {
  /// How the halves are joined.
  package var method = FusionMethod.normalisedScore
  /// What the meaning counts, from 0 (words alone) to 1 (meaning alone).
  package var vectorWeight = 0.45
  /// What is added to every rank before it is inverted, so that first places do not decide alone.
  package var rankConstant = 10.0
  /// How many passages of each half are joined; also those whose scores make up the scale.
  package var depth = 100
  /// Passages below it are not found by their meaning: texts that have nothing to do with each other reach it, too.
  package var leastCosine = 0.2

  /// Makes the settings that the program uses.
  package init() {}
}

/// A passage's place in one half of a search.
package struct HalfScore: Sendable, Hashable, Codable {
  /// The place from 1; nil where the passage is below the depth and only its score was looked up.
  package var rank: Int?
  /// The score that the half gives: BM25 or a cosine.
  package var score: Double
  /// The score on the common scale: 1 is the best of this half, 0 the last within its depth.
  package var normalised: Double

  /// Describes a place.
  package init(rank: Int?, score: Double, normalised: Double) {
    self.rank = rank
    self.score = score
    self.normalised = normalised
  }
}

/// A passage in the joined ranking.
package struct FusedRow: Equatable {
  package var row: UInt32
  package var score: Double
  package var keyword: HalfScore?
  package var vector: HalfScore?
}

/// One half of a search: its best passages, and what others score.
package struct RankedHalf {
  /// Best first.
  package var ranked: [(row: UInt32, score: Double)]
  /// Whether every passage that could be found is among them.
  package var isComplete: Bool
  /// What a passage scores at most that is not among them, unless ``score`` knows better.
  package var missing: Double
  /// The score of a passage that is not among them; nil where it is not known or has none.
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

/// The scale that makes the scores of two halves comparable: 1 is a half's best, 0 the last of those looked at.
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
  /// Joins two halves: a passage that only one of them finds counts. Best first, equal ones by row.
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

  /// One half as it is.
  private func alone(_ half: RankedHalf) -> [FusedRow] {
    let scale = ScoreScale(half, depth: depth)
    return half.ranked.enumerated().map { place, entry in
      let score = HalfScore(rank: place + 1, score: entry.score, normalised: scale.normalised(entry.score))
      return FusedRow(row: entry.row, score: entry.score, keyword: score, vector: nil)
    }
  }

  /// What a half gives a passage before it is weighed.
  private func part(_ half: HalfScore) -> Double {
    switch method {
    case .reciprocalRank: half.rank.map { 1 / (rankConstant + Double($0)) } ?? 0
    case .normalisedScore: half.normalised
    }
  }

  /// What a half gives a passage that it knows nothing of.
  private func missing(in half: RankedHalf) -> Double {
    guard method == .normalisedScore, !half.ranked.isEmpty else { return 0 }
    return ScoreScale(half, depth: depth).normalised(half.missing)
  }

  /// The scores of a half's own passages, and of the other's where it has them.
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
