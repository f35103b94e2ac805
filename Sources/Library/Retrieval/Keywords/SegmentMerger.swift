import Foundation

/// Merges consecutive segments into one, without removed passages.
enum SegmentMerger {
  /// Segment with its removed rows.
  struct Input: Sendable {
    var segment: KeywordSegment
    var removed: RowRanges
  }

  /// Returns the merged segment; nil where no passage is left.
  static func merge(_ inputs: [Input]) throws(SegmentError) -> SegmentWriter? {
    var lengths: [UInt32] = []
    var rows: [UInt32] = []
    var sources: [Source] = []
    for input in inputs {
      let segment = input.segment
      let first = UInt32(lengths.count)
      let found = try segment.lengths()
      var map: [UInt32]?
      if input.removed.isEmpty {
        lengths.append(contentsOf: found)
        for ordinal in 0..<segment.meta.passageCount { rows.append(segment.row(of: ordinal)) }
      } else {
        var kept: [UInt32] = []
        for ordinal in 0..<segment.meta.passageCount {
          let row = segment.row(of: ordinal)
          if input.removed.contains(row) {
            kept.append(.max)
          } else {
            kept.append(UInt32(lengths.count))
            lengths.append(found[Int(ordinal)])
            rows.append(row)
          }
        }
        map = kept
      }
      sources.append(try Source(segment, first: first, map: map))
    }
    guard !lengths.isEmpty else { return nil }
    var assembler = SegmentAssembler(lengths: lengths, rows: rows)
    while true {
      // With a handful of segments a linear scan is as fast as a heap.
      var least: Int?
      for number in sources.indices where !sources[number].isAtEnd {
        if let best = least {
          if TermReader.isOrdered(sources[number].reader.term, sources[best].reader.term) { least = number }
        } else {
          least = number
        }
      }
      guard let least else { break }
      let term = sources[least].reader.term
      var count = 0
      for number in sources.indices where !sources[number].isAtEnd && sources[number].reader.term == term {
        count += try sources[number].copy(to: &assembler.encoder)
        try sources[number].next()
      }
      assembler.endTerm(term, count: count)
    }
    for input in inputs { try input.segment.file.check() }
    return assembler.writer()
  }

  private struct Source {
    let segment: KeywordSegment
    let first: UInt32
    /// New ordinals of the passages; nil where all are kept.
    let map: [UInt32]?
    var reader: TermReader
    var isAtEnd = false

    init(_ segment: KeywordSegment, first: UInt32, map: [UInt32]?) throws(SegmentError) {
      self.segment = segment
      self.first = first
      self.map = map
      reader = try TermReader(segment)
      try next()
    }

    mutating func next() throws(SegmentError) { isAtEnd = try !reader.next() }

    /// Copies the current term's postings; returns the number that is left.
    func copy(to encoder: inout PostingsEncoder) throws(SegmentError) -> Int {
      let cursor = PostingsCursor(try segment.postings(reader.place))
      let positions = try segment.positions(reader.place)
      var copied = 0
      for block in cursor.list.blocks.indices {
        cursor.leave(before: block == 0 ? 0 : cursor.list.blocks[block - 1].last &+ 1)
        guard cursor.decode() else { break }
        var place = Int(cursor.list.blocks[block].positions) - positions.base
        for index in 0..<cursor.length {
          let start = place
          for _ in 0..<FieldCounts.positionCount(cursor.counts[index]) {
            while place >= 0, place < positions.bytes.count, positions.bytes[place] & 0x80 != 0 { place += 1 }
            place += 1
          }
          guard start >= 0, place <= positions.bytes.count, cursor.ordinals[index] < segment.meta.passageCount
          else { throw .damaged(path: segment.file.path, atByte: 0) }
          let ordinal = map?[Int(cursor.ordinals[index])] ?? first + cursor.ordinals[index]
          guard ordinal != .max else { continue }
          encoder.add(
            ordinal, counts: cursor.counts[index],
            positions: UnsafeRawBufferPointer(rebasing: positions.bytes[start..<place]))
          copied += 1
        }
      }
      return copied
    }
  }
}
