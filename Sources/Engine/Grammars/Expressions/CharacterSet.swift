/// A set of Unicode scalars: ranges in order, neither overlapping nor adjacent.
struct CharacterSet: Sendable, Hashable {
  private(set) var ranges: [ClosedRange<UInt32>] = []

  static let last: UInt32 = 0x10FFFF
  static let all = CharacterSet([0...last])

  init(_ ranges: [ClosedRange<UInt32>]) {
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let before = self.ranges.last, range.lowerBound <= before.upperBound + 1 {
        self.ranges[self.ranges.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  init(_ characters: String) { self.init(characters.unicodeScalars.map { $0.value...$0.value }) }

  var inverted: CharacterSet {
    var result: [ClosedRange<UInt32>] = []
    var next: UInt32 = 0
    for range in ranges {
      if range.lowerBound > next { result.append(next...range.lowerBound - 1) }
      next = range.upperBound + 1
    }
    if next <= Self.last { result.append(next...Self.last) }
    return CharacterSet(result)
  }

  func union(_ other: CharacterSet) -> CharacterSet { CharacterSet(ranges + other.ranges) }

  func subtracting(_ other: CharacterSet) -> CharacterSet { inverted.union(other).inverted }

  func intersection(_ other: CharacterSet) -> CharacterSet {
    var common: [ClosedRange<UInt32>] = []
    var (one, two) = (0, 0)
    while one < ranges.count, two < other.ranges.count {
      let (low, high) = (
        max(ranges[one].lowerBound, other.ranges[two].lowerBound),
        min(ranges[one].upperBound, other.ranges[two].upperBound)
      )
      if low <= high { common.append(low...high) }
      if ranges[one].upperBound < other.ranges[two].upperBound { one += 1 } else { two += 1 }
    }
    return CharacterSet(common)
  }

  func contains(_ scalar: UInt32) -> Bool { ranges.contains { $0.contains(scalar) } }

  var isEmpty: Bool { ranges.isEmpty }

  /// The set as byte sequences: each is a list of ranges, one for each byte of a character in UTF-8. Surrogates have
  /// none.
  var byteSequences: [[ClosedRange<UInt8>]] {
    var result: [[ClosedRange<UInt8>]] = []
    // The borders of lengths, and around the surrogates.
    let parts: [ClosedRange<UInt32>] = [
      0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x10000...Self.last,
    ]
    for range in ranges {
      for part in parts where part.overlaps(range) {
        let clamped = range.clamped(to: part)
        Self.split(Self.encode(clamped.lowerBound), Self.encode(clamped.upperBound), [], into: &result)
      }
    }
    return result
  }

  private static func encode(_ value: UInt32) -> [UInt8] {
    Unicode.Scalar(value).map { Array(String(Character($0)).utf8) } ?? []
  }

  /// Splits the range between two characters of the same length into products of byte ranges.
  private static func split(
    _ low: [UInt8], _ high: [UInt8], _ prefix: [ClosedRange<UInt8>], into result: inout [[ClosedRange<UInt8>]]
  ) {
    guard let first = low.first, let last = high.first else { return }
    let (lowRest, highRest) = (Array(low.dropFirst()), Array(high.dropFirst()))
    if lowRest.isEmpty {
      result.append(prefix + [first...last])
    } else if first == last {
      split(lowRest, highRest, prefix + [first...last], into: &result)
    } else {
      let (lowest, highest) = (lowRest.map { _ in UInt8(0x80) }, lowRest.map { _ in UInt8(0xBF) })
      var (start, end) = (first, last)
      if lowRest != lowest {
        split(lowRest, highest, prefix + [first...first], into: &result)
        start += 1
      }
      if highRest != highest { end -= 1 }
      if start <= end { result.append(prefix + [start...end] + lowRest.map { _ in 0x80...0xBF }) }
      if highRest != highest { split(lowest, highRest, prefix + [last...last], into: &result) }
    }
  }
}
