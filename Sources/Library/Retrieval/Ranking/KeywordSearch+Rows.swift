/// What a keyword search can tell of single passages, whoever found them.
extension KeywordSearch {
  /// Whether a passage may be found, by its words or by its meaning: it is in scope, holds every phrase and nothing excluded.
  func admits(_ row: UInt32) -> Bool {
    guard let (part, ordinal) = place(of: row) else { return false }
    return part.filter?.contains(ordinal) ?? true
  }

  /// What passages score by their words; those that have none of them are left out.
  func scores(of rows: some Sequence<UInt32>) throws(SegmentError) -> [UInt32: Double] {
    var scores: [UInt32: Double] = [:]
    let rows = rows.sorted()
    for part in parts {
      let lengths = try part.index.segment.lengths()
      // A cursor only goes forward, so each list is read once.
      let cursors = part.lists.map { $0.map(PostingsCursor.init) }
      for row in rows where part.index.rows.contains(row) {
        guard let ordinal = part.index.segment.ordinal(of: row) else { continue }
        var score: Float = 0
        for (found, cursors) in zip(terms, cursors) {
          let counts = Self.counts(of: ordinal, cursors)
          if counts != 0 {
            score += Float(found.rarity * found.term.weight) * scorer.score(counts, lengths: lengths[Int(ordinal)])
          }
        }
        if score > 0 { scores[row] = Double(score) }
      }
    }
    return scores
  }

  /// The largest share of the query's words, weighed by their rarity, that one of some passages has.
  func coverage(of rows: some Sequence<UInt32>) -> Double {
    // What was added to the query (a date in one form, an acronym) is a second way to say its words, not one more of them; and a word
    // that is sought by its long form or in another spelling is known.
    let typed = Set(QueryTerms.terms(of: text, in: []).map(\.text))
    let unknown = typed.subtracting(terms.map(\.term.text)).count
    // In a handful of passages no word looks rare; the rarities are those of a library that is not quite so small.
    let passageCount = max(totals.passageCount, 100)
    let weights = terms.map { found in
      typed.contains(found.term.text) ? ranking.inverseFrequency(found.passageFrequency, of: passageCount) : 0
    }
    let total = weights.reduce(0, +) + Double(unknown) * ranking.inverseFrequency(0, of: passageCount)
    guard total > 0 else { return 0 }
    var best = 0.0
    let rows = rows.sorted()
    for part in parts {
      let cursors = part.lists.map { $0.map(PostingsCursor.init) }
      for row in rows where part.index.rows.contains(row) {
        guard let ordinal = part.index.segment.ordinal(of: row) else { continue }
        best = max(
          best, zip(weights, cursors).reduce(0) { $0 + (Self.counts(of: ordinal, $1.1) == 0 ? 0 : $1.0) })
      }
    }
    return best / total
  }

  private func place(of row: UInt32) -> (part: Part, ordinal: UInt32)? {
    guard let part = parts.first(where: { $0.index.rows.contains(row) }),
      let ordinal = part.index.segment.ordinal(of: row)
    else { return nil }
    return (part, ordinal)
  }

  /// How often the forms of a term stand in the fields of a passage. Passages asked for must ascend.
  static func counts(of ordinal: UInt32, _ cursors: [PostingsCursor]) -> UInt32 {
    var counts: UInt32 = 0
    for cursor in cursors {
      if let place = cursor.find(ordinal) { counts = FieldCounts.sum(counts, cursor.counts[place]) }
    }
    return counts
  }
}
