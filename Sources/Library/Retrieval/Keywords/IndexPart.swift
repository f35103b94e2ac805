/// Segment of the index as a search sees it, with the rows removed since it was written.
struct IndexPart: Sendable {
  let id: Int64
  /// Rows that may be in the segment.
  let rows: Range<UInt32>
  let segment: KeywordSegment
  let removed: RowRanges

  /// Passages that are not removed; nil where all are live.
  var live: PassageBits? {
    guard !removed.isEmpty else { return nil }
    var live = PassageBits(passageCount: segment.passageCount)
    live.set(0..<segment.meta.passageCount)
    live.subtract(PassageBits(removed, of: segment, from: rows.lowerBound, until: rows.upperBound))
    return live
  }
}
