/// Disjoint ranges of rows in ascending order.
struct RowRanges: Sendable, Equatable {
  private(set) var ranges: [Range<UInt32>] = []

  var isEmpty: Bool { ranges.isEmpty }
  /// Number of rows.
  var count: Int { ranges.reduce(0) { $0 + $1.count } }

  init() {}

  /// Makes the union of ranges in any order.
  init(_ unordered: [Range<UInt32>]) {
    for range in unordered.sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
  }

  func contains(_ row: UInt32) -> Bool {
    let place = firstRange(endingAfter: row)
    return place < ranges.count && ranges[place].contains(row)
  }

  /// Returns the first range that ends behind a row.
  func firstRange(endingAfter row: UInt32) -> Int {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= row { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Bit set over the passages of a segment.
struct PassageBits {
  private(set) var words: [UInt64]

  /// Makes an empty set.
  init(passageCount: Int) { words = Array(repeating: 0, count: (passageCount + 63) / 64) }

  /// Makes the set of a segment's passages whose rows lie in some ranges.
  init(_ ranges: RowRanges, of segment: KeywordSegment, from first: UInt32, until end: UInt32) {
    self.init(passageCount: segment.passageCount)
    for range in ranges.ranges[ranges.firstRange(endingAfter: first)...] {
      guard range.lowerBound < end else { break }
      set(segment.firstOrdinal(from: range.lowerBound)..<segment.firstOrdinal(from: range.upperBound))
    }
  }

  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ ordinal: UInt32) -> Bool { words[Int(ordinal / 64)] >> UInt64(ordinal % 64) & 1 == 1 }

  mutating func set(_ range: Range<UInt32>) {
    var place = Int(range.lowerBound)
    let end = Int(range.upperBound)
    while place < end {
      let word = place / 64
      let high = min(end, (word + 1) * 64)
      let count = high - place
      words[word] |= (count == 64 ? ~0 : (1 << UInt64(count)) - 1) << UInt64(place % 64)
      place = high
    }
  }

  mutating func set(_ ordinal: UInt32) { words[Int(ordinal / 64)] |= 1 << UInt64(ordinal % 64) }

  mutating func mark(_ list: PostingsList) { words.withUnsafeMutableBufferPointer { list.mark($0) } }

  mutating func formUnion(_ other: PassageBits) {
    for place in words.indices { words[place] |= other.words[place] }
  }

  mutating func formIntersection(_ other: PassageBits) {
    for place in words.indices { words[place] &= other.words[place] }
  }

  mutating func subtract(_ other: PassageBits) {
    for place in words.indices { words[place] &= ~other.words[place] }
  }
}
