import Foundation
import Linguistics

/// Keyword search over the index: the passages that match, and the best of them.
struct KeywordSearch {
  /// Form under which the index may have a term.
  struct FoundTerm {
    var term: QueryTerm
    /// Number of passages that hold it.
    var passageFrequency: Int
    var rarity: Double
  }

  /// Segment with everything that the search needs of it.
  struct Part {
    var index: IndexPart
    /// Posting lists of each query term's forms.
    var lists: [[PostingsList]]
    /// Passages that may be found; nil where all may.
    var filter: PassageBits?
  }

  let ranking: RankingSettings
  let scorer: FieldScorer
  private let query: SearchQuery
  let scope: RowRanges?
  private(set) var parts: [Part] = []
  private(set) var terms: [FoundTerm] = []
  let totals: IndexTotals
  private let index: KeywordIndex
  /// Interpretation of the query beyond its words.
  private(set) var understanding = QueryUnderstanding()
  /// Number of passages in scope that hold one of the terms, every phrase, and nothing excluded.
  private(set) var matchedCount = 0
  /// Number of passages in scope.
  let passageCount: Int

  /// Every indexed form of every term.
  var allForms: Set<String> { Set(terms.flatMap(\.term.forms)) }

  /// Text searched as keywords.
  var text: String { ([query.words] + query.phrases).joined(separator: "\n") }

  /// Prepares a search; ``run()`` looks the terms up.
  /// - Parameter scope: the rows to search; nil for all.
  init(_ query: SearchQuery, index: KeywordIndex, scope: RowRanges?, ranking: RankingSettings) {
    self.query = query
    self.ranking = ranking
    self.scope = scope
    self.index = index
    totals = index.totals
    scorer = FieldScorer(ranking, index.totals)
    passageCount = scope?.count ?? index.totals.passageCount
    parts = index.parts.map { Part(index: $0, lists: [], filter: nil) }
  }

  /// Looks the terms up and counts the matches.
  mutating func run() throws(SegmentError) {
    var reader = QueryReader(text, index: index)
    var lists: [[[PostingsList]]] = []
    for part in parts {
      lists.append(
        try reader.terms.map { term throws(SegmentError) in try Self.lists(of: term, in: part.index.segment) })
    }
    // Only words that no document has can be misspelt.
    for place in reader.terms.indices where lists.allSatisfy({ $0[place].isEmpty }) {
      try reader.correct(place)
      for (number, part) in parts.enumerated() {
        lists[number][place] = try Self.lists(of: reader.terms[place], in: part.index.segment)
      }
    }
    let sought = reader.terms
    understanding = reader.understanding
    var frequencies = [Int](repeating: 0, count: sought.count)
    for place in parts.indices {
      let segment = parts[place].index.segment
      let live = parts[place].index.live
      let filter = try filter(of: parts[place].index, live: live)
      var matched = PassageBits(passageCount: segment.passageCount)
      for number in sought.indices {
        frequencies[number] += Self.mark(lists[place][number], live: live, in: &matched)
      }
      if let filter { matched.formIntersection(filter) }
      matchedCount += matched.count
      parts[place].filter = filter
      try segment.file.check()
    }
    let known = sought.indices.filter { frequencies[$0] > 0 }
    terms = known.map { number in
      let rarity = ranking.inverseFrequency(frequencies[number], of: totals.passageCount)
      return FoundTerm(term: sought[number], passageFrequency: frequencies[number], rarity: rarity)
    }
    for place in parts.indices { parts[place].lists = known.map { lists[place][$0] } }
  }

  /// Returns the posting lists of a term's forms in a segment.
  private static func lists(of term: QueryTerm, in segment: KeywordSegment) throws(SegmentError) -> [PostingsList]
  {
    var lists: [PostingsList] = []
    for form in term.forms {
      if let list = try segment.postings(of: form) { lists.append(list) }
    }
    for phrase in term.phrases {
      let matches = try PhraseMatcher.matches(of: phrase, in: segment)
      if let list = try PostingsList(matches.ordinals, counts: matches.counts, in: segment) { lists.append(list) }
    }
    return lists
  }

  /// Marks the passages of a term; returns their number.
  private static func mark(_ lists: [PostingsList], live: PassageBits?, in matched: inout PassageBits) -> Int {
    if lists.count == 1, live == nil {
      matched.mark(lists[0])
      return lists[0].count
    }
    guard !lists.isEmpty else { return 0 }
    var own = PassageBits(passageCount: matched.words.count * 64)
    for list in lists { own.mark(list) }
    if let live { own.formIntersection(live) }
    matched.formUnion(own)
    return own.count
  }

  /// Returns the passages of a segment that are live, in scope, hold every phrase and nothing excluded; nil for all.
  private func filter(of part: IndexPart, live: PassageBits?) throws(SegmentError) -> PassageBits? {
    var filter = live
    func narrow(_ bits: PassageBits) {
      if filter == nil { filter = bits } else { filter?.formIntersection(bits) }
    }
    if let scope {
      narrow(PassageBits(scope, of: part.segment, from: part.rows.lowerBound, until: part.rows.upperBound))
    }
    for phrase in query.phrases { narrow(try passages(with: phrase, in: part.segment)) }
    for phrase in query.excluded {
      let excluded = try passages(with: phrase, in: part.segment)
      if filter == nil {
        filter = PassageBits(passageCount: part.segment.passageCount)
        filter?.set(0..<part.segment.meta.passageCount)
      }
      filter?.subtract(excluded)
    }
    return filter
  }

  /// Returns the passages that hold a word or phrase, stemmed in a language or as it is.
  private func passages(with phrase: String, in segment: KeywordSegment) throws(SegmentError) -> PassageBits {
    var bits = PassageBits(passageCount: segment.passageCount)
    let words = Words.split(phrase).filter { !$0.kind.isAdditional }
    guard !words.isEmpty else { return bits }
    var forms = [words.map(\.text)]
    for language in [.english] + index.languages {
      let stems = words.map { TextAnalyzer.term(for: $0, in: language) }
      if !forms.contains(stems) { forms.append(stems) }
    }
    for terms in forms {
      if terms.count == 1 {
        if let list = try segment.postings(of: terms[0]) { bits.mark(list) }
      } else {
        for ordinal in try PhraseMatcher.matches(of: terms, in: segment).ordinals { bits.set(ordinal) }
      }
    }
    return bits
  }

  /// Returns the passages with the highest scores; equal scores by row.
  func best(_ limit: Int, prunes: Bool = true) throws(SegmentError) -> [(row: UInt32, score: Float)] {
    var best = TopPassages(limit: limit)
    for part in parts {
      var found: [SegmentScan.Term] = []
      for (term, lists) in zip(terms, part.lists) where !lists.isEmpty {
        found.append(
          SegmentScan.Term(weight: Float(term.rarity * term.term.weight), cursors: lists.map(PostingsCursor.init)))
      }
      try SegmentScan.run(
        part.index.segment, terms: found, filter: part.filter, scorer: scorer, prunes: prunes, into: &best)
      try part.index.segment.file.check()
    }
    return best.sorted()
  }

  /// Term proximity measure of the query.
  var nearness: Nearness {
    Nearness(
      terms: terms.map { ($0.term, $0.rarity) }, sequence: QueryTerms.sequence(of: text),
      meanLength: totals.passageCount == 0 ? 0 : Double(scorer.means.body), settings: ranking)
  }

  /// Returns the contribution of each term to a row's score, the largest first.
  func explain(row: UInt32) throws(SegmentError) -> [TermExplanation] {
    guard let part = parts.first(where: { $0.index.rows.contains(row) }),
      let ordinal = part.index.segment.ordinal(of: row)
    else { return [] }
    let lengths = try part.index.segment.lengths()[Int(ordinal)]
    var explanations: [TermExplanation] = []
    for (found, lists) in zip(terms, part.lists) {
      let counts = Self.counts(of: ordinal, lists.map(PostingsCursor.init))
      guard counts != 0 else { continue }
      explanations.append(
        TermExplanation(
          term: found.term.text, forms: found.term.forms, passageFrequency: found.passageFrequency,
          inverseFrequency: found.rarity, titleCount: FieldCounts.title(counts),
          headingsCount: FieldCounts.headings(counts), bodyCount: FieldCounts.body(counts),
          contribution: found.rarity * found.term.weight * Double(scorer.score(counts, lengths: lengths))))
    }
    return explanations.sorted { ($1.contribution, $0.term) < ($0.contribution, $1.term) }
  }
}
