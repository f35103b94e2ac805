import Linguistics

/// Term proximity: scores passages by the distance between query terms, which BM25 does not see.
///
/// Two measures are added: the summed inverse document frequencies of the distinct terms within the best window of
/// the text, and, for neighbours in the query, the inverse distances at which they occur (after Metzler and Croft, "A
/// Markov random field model for term dependencies", SIGIR 2005).
struct Nearness {
  private let settings: RankingSettings
  /// Index of the term in ``rarities``, by indexed form.
  private let terms: [String: Int]
  private let rarities: [Double]
  /// Terms in the order of the query.
  private let sequence: [Int]
  private let meanLength: Double

  init(
    terms: [(term: QueryTerm, rarity: Double)], sequence: [String], meanLength: Double, settings: RankingSettings
  ) {
    var places: [String: Int] = [:]
    for (place, entry) in terms.enumerated() {
      for form in entry.term.forms where places[form] == nil { places[form] = place }
    }
    self.terms = places
    rarities = terms.map { $0.rarity * $0.term.weight }
    self.sequence = sequence.compactMap { places[$0] }
    self.meanLength = max(meanLength, 1)
    self.settings = settings
  }

  /// Returns the proximity score of a text; never negative.
  func score(of text: String, in language: Language, stems: inout StemCache) -> Double {
    guard rarities.count > 1 else { return 0 }
    var found: [(place: Int, term: Int)] = []
    var place = 0
    Words.forEach(in: text) { word in
      guard !word.kind.isAdditional else { return }
      if let term = terms[TextAnalyzer.term(for: word, in: language, stems: &stems)] {
        found.append((place, term))
      }
      place += 1
    }
    return settings.windowWeight * window(found) + settings.pairWeight * pairs(found, length: Double(place))
  }

  /// Returns the largest sum of the rarities of distinct terms within one window.
  private func window(_ found: [(place: Int, term: Int)]) -> Double {
    var counts = [Int](repeating: 0, count: rarities.count)
    var (sum, best, oldest) = (0.0, 0.0, 0)
    for (place, term) in found {
      if counts[term] == 0 { sum += rarities[term] }
      counts[term] += 1
      while place - found[oldest].place >= settings.windowLength {
        let leaving = found[oldest].term
        counts[leaving] -= 1
        if counts[leaving] == 0 { sum -= rarities[leaving] }
        oldest += 1
      }
      best = max(best, sum)
    }
    return best
  }

  /// Scores pairs of neighbours in the query like a term whose frequency is the sum of their inverse distances.
  private func pairs(_ found: [(place: Int, term: Int)], length: Double) -> Double {
    var places = [[Int]](repeating: [], count: rarities.count)
    for (place, term) in found { places[term].append(place) }
    let penalty = 1 - settings.lengthPenalty + settings.lengthPenalty * length / meanLength
    var sum = 0.0
    for (first, second) in zip(sequence, sequence.dropFirst()) where first != second {
      guard !places[first].isEmpty, !places[second].isEmpty else { continue }
      var count = 0.0
      var next = 0
      for place in places[first] {
        while next < places[second].count, places[second][next] < place { next += 1 }
        var distance = Int.max
        if next < places[second].count { distance = places[second][next] - place }
        // Terms in reversed order count as one step further apart.
        if next > 0 { distance = min(distance, place - places[second][next - 1] + 1) }
        if distance <= settings.pairDistance { count += 1 / Double(distance) }
      }
      count /= penalty
      sum +=
        min(rarities[first], rarities[second]) * count * (settings.saturation + 1) / (count + settings.saturation)
    }
    return sum
  }
}
