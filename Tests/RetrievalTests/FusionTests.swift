import Retrieval
import TestSupport
import Testing

@Suite struct FusionTests {
  typealias Ranked = [(row: UInt32, score: Double)]

  static func half(_ ranked: Ranked, missing: Double = 0, isComplete: Bool = false) -> RankedHalf {
    RankedHalf(ranked: ranked, isComplete: isComplete, missing: missing)
  }

  @Test func reciprocalRanksAddUp() {
    var settings = FusionSettings()
    settings.method = .reciprocalRank
    settings.vectorWeight = 0.5
    let fused = settings.fuse(
      keyword: Self.half([(7, 9), (3, 8), (5, 1)]), vector: Self.half([(3, 0.9), (8, 0.5)], missing: 0.5))
    #expect(fused.map(\.row) == [3, 7, 8, 5])
    #expect(abs(fused[0].score - (0.5 / 12 + 0.5 / 11)) < 1e-12)
    #expect(abs(fused[1].score - 0.5 / 11) < 1e-12)
    #expect(fused[2].keyword == nil && fused[2].vector?.rank == 2)
    #expect(fused[1].vector == nil && fused[1].keyword == HalfScore(rank: 1, score: 9, normalised: 1))
  }

  @Test func normalisedScoresAddUpOverTheUnion() {
    var settings = FusionSettings()
    settings.vectorWeight = 0.25
    let fused = settings.fuse(
      keyword: Self.half([(1, 8), (2, 4)]),
      vector: Self.half([(2, 0.8), (3, 0.6), (4, 0.4)], missing: 0.4, isComplete: true))
    let scores = Dictionary(uniqueKeysWithValues: fused.map { ($0.row, $0.score) })
    // Words: 8 is 1, 0 is 0. Meanings: 0.8 is 1, 0.4 is 0.
    #expect(scores.count == 4)
    #expect(abs(scores[1]! - 0.75) < 1e-12 && abs(scores[2]! - (0.375 + 0.25)) < 1e-12)
    #expect(abs(scores[3]! - 0.125) < 1e-12 && abs(scores[4]!) < 1e-12)
  }

  @Test func aHalfAloneKeepsItsScores() {
    let fused = FusionSettings().fuse(keyword: Self.half([(1, 8), (2, 4)]), vector: Self.half([]))
    #expect(fused.map(\.score) == [8, 4] && fused.map(\.row) == [1, 2])
    let other = FusionSettings().fuse(keyword: Self.half([]), vector: Self.half([(4, 0.9), (2, 0.1)]))
    #expect(other.map(\.row) == [4, 2])
    #expect(FusionSettings().fuse(keyword: Self.half([]), vector: Self.half([])).isEmpty)
  }

  @Test func scoresBelowTheDepthAreLookedUp() {
    var settings = FusionSettings()
    settings.depth = 2
    let keyword = RankedHalf(ranked: [(1, 10), (2, 6)], isComplete: false, missing: 0) { $0 == 3 ? 4 : nil }
    let fused = settings.fuse(keyword: keyword, vector: Self.half([(3, 0.9), (9, 0.7)], missing: 0.7))
    #expect(fused.first { $0.row == 3 }?.keyword == HalfScore(rank: nil, score: 4, normalised: -0.5))
    #expect(fused.first { $0.row == 9 }?.keyword == nil)
  }

  /// Both methods against sums over plain dictionaries.
  @Test(arguments: FusionMethod.allCases) func agreesWithPlainSums(method: FusionMethod) {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      func ranked() -> Ranked {
        var rows: [UInt32: Double] = [:]
        for _ in 0..<Int.random(in: 1...30, using: &generator) {
          rows[UInt32.random(in: 0..<40, using: &generator)] = Double.random(in: 0.1...9, using: &generator)
        }
        return rows.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
      }
      let (words, meanings) = (ranked(), ranked())
      var settings = FusionSettings()
      settings.method = method
      settings.vectorWeight = Double.random(in: 0...1, using: &generator)
      settings.depth = Int.random(in: 1...40, using: &generator)
      var sums: [UInt32: Double] = [:]
      for (list, weight) in [(words, 1 - settings.vectorWeight), (meanings, settings.vectorWeight)] {
        let lowest = list.count >= settings.depth ? list[settings.depth - 1].score : 0
        func scaled(_ score: Double) -> Double {
          list[0].score > lowest ? (score - lowest) / (list[0].score - lowest) : score >= list[0].score ? 1 : 0
        }
        for row in Set(words.map(\.row) + meanings.map(\.row)) {
          let place = list.firstIndex { $0.row == row }
          switch method {
          case .reciprocalRank: sums[row, default: 0] += place.map { weight / Double(11 + $0) } ?? 0
          case .normalisedScore: sums[row, default: 0] += weight * scaled(place.map { list[$0].score } ?? 0)
          }
        }
      }
      let fused = settings.fuse(keyword: Self.half(words), vector: Self.half(meanings))
      #expect(Set(fused.map(\.row)) == Set(sums.keys))
      #expect(fused.allSatisfy { abs($0.score - sums[$0.row]!) < 1e-9 })
      #expect(zip(fused, fused.dropFirst()).allSatisfy { ($1.score, $0.row) <= ($0.score, $1.row) })
    }
  }
}

@Suite struct DiversityTests {
  @Test func marginalRelevanceAgreesWithItsDefinition() {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<100 {
      let count = Int.random(in: 1...12, using: &generator)
      let scores = (0..<count).map { _ in Double.random(in: 0...5, using: &generator) }.sorted(by: >)
      var alike = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
      for left in 0..<count {
        for right in 0..<left {
          alike[left][right] = Double.random(in: 0...1, using: &generator)
          alike[right][left] = alike[left][right]
        }
      }
      let weight = Double.random(in: 0...0.99, using: &generator)
      var expected: [Int] = []
      while expected.count < count {
        let values = (0..<count).filter { !expected.contains($0) }.map { place in
          let spread = scores[0] - scores[count - 1]
          let relevance = spread > 0 ? (scores[place] - scores[count - 1]) / spread : 1
          return (place, weight * relevance - (1 - weight) * (expected.map { alike[place][$0] }.max() ?? 0))
        }
        let best = values.map(\.1).max()!
        expected.append(values.first { $0.1 == best }!.0)
      }
      let order = Diversity.marginalOrder(scores, limit: count, relevanceWeight: weight) { alike[$0][$1] }
      #expect(order == expected)
      #expect(
        Diversity.marginalOrder(scores, limit: 3, relevanceWeight: 1) { alike[$0][$1] } == Array(0..<min(3, count))
      )
    }
  }

  @Test func everyDocumentGivesItsBestFirst() {
    #expect(Diversity.spread(["a", "a", "b", "a", "c", "b"]) == [0, 2, 4, 1, 5, 3])
    #expect(Diversity.spread([String]()).isEmpty)
  }

  @Test func likenessIsTheShareOfTheSmaller() {
    #expect(Diversity.likeness(["a", "b"], ["b", "c", "d"]) == 0.5)
    #expect(Diversity.likeness([], ["b"]) == 0)
  }
}

@Suite struct ClosenessTests {
  @Test func nearAndFar() {
    #expect(!Closeness(cosine: 0.6, coverage: 0.8).isFar)
    #expect(Closeness(cosine: 0.2, coverage: 0.3).isFar)
    // Other words, but the same meaning; and the very words, though the meaning is unclear.
    #expect(!Closeness(cosine: 0.6, coverage: 0).isFar)
    #expect(!Closeness(cosine: 0.25, coverage: 1).isFar && !Closeness(cosine: 0.1, coverage: 1).isFar)
    #expect(Closeness(cosine: nil, coverage: 0.1).isFar && !Closeness(cosine: nil, coverage: 0.6).isFar)
    let likelihoods = stride(from: 0.0, through: 1, by: 0.1).map {
      Closeness(cosine: $0, coverage: 0.5).likelihood
    }
    #expect(zip(likelihoods, likelihoods.dropFirst()).allSatisfy { $0 < $1 })
  }
}
