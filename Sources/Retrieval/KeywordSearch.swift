import Foundation
import Linguistics
import Persistence

/// One keyword search over the index: every term's postings are read once and added up, passage by passage.
struct KeywordSearch {
  private let index: KeywordIndex
  private let ranking: RankingSettings
  private let statistics: IndexStatistics
  private let scorer: FieldScorer
  private let query: SearchQuery
  private let allowed: Set<Int32>?

  /// The terms with their postings and rarity.
  private var terms: [(term: QueryTerm, postings: Postings, rarity: Double)] = []
  private var scores: [Float]
  /// The rows that match and are in scope, ascending where one term decides, else in the order found.
  private(set) var matched: [UInt32] = []
  /// How many passages are in scope.
  private(set) var passageCount: Int

  /// Every indexed form of every term.
  var allForms: Set<String> { Set(terms.flatMap(\.term.forms)) }

  /// What is sought by its words.
  private var text: String { ([query.words] + query.phrases).joined(separator: "\n") }

  init(
    _ query: SearchQuery, index: KeywordIndex, allowed: Set<DocumentID>?, ranking: RankingSettings
  ) throws(DatabaseError) {
    self.query = query
    self.index = index
    self.ranking = ranking
    self.allowed = allowed.map { Set($0.map { Int32(clamping: $0.rawValue) }) }
    statistics = try index.currentStatistics()
    scorer = FieldScorer(ranking, statistics)
    scores = Array(repeating: 0, count: statistics.documents.count)
    passageCount = statistics.passageCount
    if let allowed = self.allowed {
      passageCount = statistics.documents.reduce(0) { $0 + (allowed.contains($1) ? 1 : 0) }
    }
  }

  mutating func run() throws(DatabaseError) {
    for term in QueryTerms.terms(of: text) {
      var postings = Postings()
      for form in term.forms { postings = Postings.union(postings, try index.postings(of: form)) }
      if postings.rows.isEmpty { continue }
      let rarity = ranking.inverseFrequency(postings.rows.count, of: statistics.passageCount)
      terms.append((term, postings, rarity))
    }
    for (term, postings, rarity) in terms {
      let weight = Float(rarity * term.weight)
      for (row, counts) in zip(postings.rows, postings.counts) where row < scores.count {
        if scores[Int(row)] == 0 { matched.append(row) }
        scores[Int(row)] += weight * scorer.score(counts, row: Int(row))
      }
    }
    try filter()
  }

  /// Keeps the rows that are in scope, hold every phrase and nothing excluded.
  private mutating func filter() throws(DatabaseError) {
    if let allowed { matched.removeAll { !allowed.contains(statistics.documents[Int($0)]) } }
    for phrase in query.phrases {
      let rows = Set(try rows(of: phrase))
      matched.removeAll { !rows.contains($0) }
    }
    for phrase in query.excluded {
      let rows = Set(try rows(of: phrase))
      if !rows.isEmpty { matched.removeAll { rows.contains($0) } }
    }
  }

  /// The rows that hold a word, or words one after the other, as stems or as they are.
  private func rows(of phrase: String) throws(DatabaseError) -> [UInt32] {
    let words = Words.split(phrase).filter { !$0.kind.isAdditional }
    guard !words.isEmpty else { return [] }
    let stems = words.map { TextAnalyzer.term(for: $0, in: .english) }
    let plain = words.map(\.text)
    var rows = try index.match(stems).rows
    if stems != plain { rows += try index.match(plain).rows }
    return rows
  }

  /// The rows with the highest scores; equal scores by row.
  func best(_ limit: Int) -> [(row: UInt32, score: Float)] {
    guard limit > 0 else { return [] }
    var threshold: Float = 0
    var best: [(row: UInt32, score: Float)] = []
    best.reserveCapacity(limit * 4)
    func isBetter(_ left: (row: UInt32, score: Float), _ right: (row: UInt32, score: Float)) -> Bool {
      left.score != right.score ? left.score > right.score : left.row < right.row
    }
    for row in matched where scores[Int(row)] >= threshold {
      best.append((row, scores[Int(row)]))
      if best.count >= limit * 4, best.count > 64 {
        best.sort(by: isBetter)
        best.removeSubrange(limit...)
        threshold = best[limit - 1].score
      }
    }
    best.sort(by: isBetter)
    return Array(best.prefix(limit))
  }

  /// The measure of how near the terms stand.
  var nearness: Nearness {
    Nearness(
      terms: terms.map { ($0.term, $0.rarity) }, sequence: QueryTerms.sequence(of: text),
      meanLength: statistics.meanLength, settings: ranking)
  }

  /// What each term adds to a row's score, the largest part first.
  func explain(row: UInt32) -> [TermExplanation] {
    let parts = terms.compactMap { term, postings, rarity -> TermExplanation? in
      guard let place = postings.place(of: row) else { return nil }
      let counts = postings.counts[place]
      let score = scorer.score(counts, row: Int(row))
      return TermExplanation(
        term: term.text, forms: term.forms, passageFrequency: postings.rows.count, inverseFrequency: rarity,
        titleCount: FieldCounts.title(counts), headingsCount: FieldCounts.headings(counts),
        bodyCount: FieldCounts.body(counts), contribution: rarity * term.weight * Double(score))
    }
    return parts.sorted { ($1.contribution, $0.term) < ($0.contribution, $1.term) }
  }
}

extension Postings {
  /// The place of a row, by halving.
  func place(of row: UInt32) -> Int? {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if rows[middle] < row { low = middle + 1 } else { high = middle }
    }
    return low < rows.count && rows[low] == row ? low : nil
  }
}

extension KeywordIndex {
  func currentStatistics() throws(DatabaseError) -> IndexStatistics {
    if let statistics { return statistics }
    let loaded = try IndexStatistics(database: database)
    statistics = loaded
    return loaded
  }

  /// Forgets what is remembered where another process changed the file.
  func forgetIfChangedElsewhere() throws(DatabaseError) {
    let version = try database.scalar("PRAGMA data_version")
    if version != dataVersion { forget() }
    dataVersion = version
  }
}
