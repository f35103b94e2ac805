/// One segment of the index as a search sees it: with the rows of it that were removed since it was made.
struct IndexPart: Sendable {
  let id: Int64
  /// The rows that may be in it.
  let rows: Range<UInt32>
  let segment: KeywordSegment
  let removed: RowRanges

  /// The passages that are there; nil where all are.
  var live: PassageBits? {
    guard !removed.isEmpty else { return nil }
    var live = PassageBits(passageCount: segment.passageCount)
    live.set(0..<segment.meta.passageCount)
    live.subtract(PassageBits(removed, of: segment, from: rows.lowerBound, until: rows.upperBound))
    return live
  }
}
