/// Look-ups for single passages, whichever half found them.
extension KeywordSearch {
  /// Indicates whether a passage may be returned by either half: it is in scope, holds every phrase and nothing
  /// excluded.
  func admits(_ row: UInt32) -> Bool {
    guard let (part, ordinal) = place(of: row) else { return false }
    return part.filter?.contains(ordinal) ?? true
  }

  /// Returns the keyword scores of passages; those that hold no term are left out.
  func scores(of rows: some Sequence<UInt32>) throws(SegmentError) -> [UInt32: Double] {
    var scores: [UInt32: Double] = [:]
    let rows = rows.sorted()
    for part in parts {
      let lengths = try part.index.segment.lengths()
      // A cursor only moves forward, so each list is read once.
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

  /// Returns the largest share of the query's terms, weighted by inverse document frequency, that one of some
  /// passages holds.
  func coverage(of rows: some Sequence<UInt32>) -> Double {
    // Expansions (a date in one form, an acronym) are a second way to say the query's words, not further words; and a
    // word that is searched by its long form or corrected is known.
    let typed = Set(QueryTerms.terms(of: text, in: []).map(\.text))
    let unknown = typed.subtracting(terms.map(\.term.text)).count
    // In a handful of passages every term looks frequent; frequencies are taken as in a larger library.
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

  /// Returns the term frequencies of a term's forms in the fields of a passage. Calls must ask for ascending
  /// ordinals.
  static func counts(of ordinal: UInt32, _ cursors: [PostingsCursor]) -> UInt32 {
    var counts: UInt32 = 0
    for cursor in cursors {
      if let place = cursor.find(ordinal) { counts = FieldCounts.sum(counts, cursor.counts[place]) }
    }
    return counts
  }
}
