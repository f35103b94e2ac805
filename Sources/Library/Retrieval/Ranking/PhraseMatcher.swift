/// Finds the passages of a segment in which terms follow each other in one field.
enum PhraseMatcher {
  /// Returns the ordinals, ascending, and the phrase frequency in each field.
  static func matches(
    of phrase: [String], in segment: KeywordSegment
  ) throws(SegmentError) -> (ordinals: [UInt32], counts: [UInt32]) {
    var readers: [PositionReader] = []
    for term in phrase {
      guard let found = try segment.find(term) else { return ([], []) }
      readers.append(try PositionReader(found, in: segment))
    }
    guard let rarest = readers.indices.min(by: { readers[$0].cursor.list.count < readers[$1].cursor.list.count })
    else { return ([], []) }
    var ordinals: [UInt32] = []
    var counts: [UInt32] = []
    let leader = readers[rarest].cursor
    for block in leader.list.blocks.indices {
      leader.leave(before: block == 0 ? 0 : leader.list.blocks[block - 1].last &+ 1)
      guard leader.decode() else { break }
      for place in 0..<leader.length {
        leader.place = place
        let ordinal = leader.ordinals[place]
        let count = try count(readers, at: ordinal)
        if count != 0 {
          ordinals.append(ordinal)
          counts.append(count)
        }
      }
    }
    return (ordinals, counts)
  }

  private static func count(_ readers: [PositionReader], at ordinal: UInt32) throws(SegmentError) -> UInt32 {
    for reader in readers where reader.cursor.find(ordinal) == nil { return 0 }
    var places: [[UInt32]] = []
    for reader in readers { places.append(try reader.positions()) }
    var counts: UInt32 = 0
    for start in places[0] {
      let follows = places.indices.dropFirst().allSatisfy { offset in
        places[offset].contains(start + UInt32(offset))
      }
      if follows { counts = FieldCounts.sum(counts, 1 << (8 * (start >> PositionReader.fieldShift))) }
    }
    return counts
  }
}

/// Reads the positions of a term in the passages that hold it.
final class PositionReader {
  /// Bit above which a position holds its field; below it, the place in the field.
  static let fieldShift: UInt32 = 28

  let cursor: PostingsCursor
  private let segment: KeywordSegment
  private let bytes: UnsafeRawBufferPointer
  private let base: Int
  private var block = -1
  /// Offsets of the positions of each posting in the block.
  private var starts: [Int] = []

  init(_ term: KeywordSegment.Term, in segment: KeywordSegment) throws(SegmentError) {
    self.segment = segment
    cursor = PostingsCursor(try segment.postings(term))
    (bytes, base) = try segment.positions(term)
  }

  /// Returns the positions of the posting at which the cursor stands.
  func positions() throws(SegmentError) -> [UInt32] {
    if block != cursor.block {
      var place = Int(cursor.list.blocks[cursor.block].positions) - base
      guard place >= 0 else { throw .damaged(path: segment.file.path, atByte: 0) }
      starts.removeAll(keepingCapacity: true)
      for index in 0..<cursor.length {
        starts.append(place)
        for _ in 0..<FieldCounts.positionCount(cursor.counts[index]) {
          guard Varint.read(bytes, at: &place) != nil else {
            throw .damaged(path: segment.file.path, atByte: 0)
          }
        }
      }
      block = cursor.block
    }
    guard cursor.place < starts.count else { throw .damaged(path: segment.file.path, atByte: 0) }
    var place = starts[cursor.place]
    let counts = cursor.counts[cursor.place]
    var positions: [UInt32] = []
    for field in 0..<UInt32(3) {
      var position: UInt32 = 0
      for _ in 0..<counts >> (8 * field) & 0xff {
        guard let gap = Varint.read(bytes, at: &place) else { throw .damaged(path: segment.file.path, atByte: 0) }
        position &+= gap
        positions.append(field << Self.fieldShift | position & (1 << Self.fieldShift - 1))
      }
    }
    return positions
  }
}
