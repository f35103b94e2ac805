/// Term frequencies in four fields, eight bits each: title, headings, body, compounds.
enum FieldCounts {
  /// Largest count that is kept: further matches in one field of one passage are not told apart.
  static let most: UInt32 = 0xff

  static func sum(_ left: UInt32, _ right: UInt32) -> UInt32 {
    if left == 0 { return right }
    if right == 0 { return left }
    var sum: UInt32 = 0
    for shift in stride(from: UInt32(0), to: 32, by: 8) {
      sum |= min((left >> shift & 0xff) + (right >> shift & 0xff), most) << shift
    }
    return sum
  }

  static func title(_ counts: UInt32) -> Int { Int(counts & 0xff) }
  static func headings(_ counts: UInt32) -> Int { Int(counts >> 8 & 0xff) }
  /// Returns the count in the body; a compound stands in the body under another spelling.
  static func body(_ counts: UInt32) -> Int { Int(counts >> 16 & 0xff) + Int(counts >> 24) }
  /// Returns the number of positions stored for the counts: compounds have none.
  @inline(__always) static func positionCount(_ counts: UInt32) -> Int {
    Int(counts & 0xff) + Int(counts >> 8 & 0xff) + Int(counts >> 16 & 0xff)
  }
}

/// Number of terms in each field of a passage, in four bytes: body (16 bits), headings and title (8 each).
enum PassageLengths {
  static func pack(title: Int, headings: Int, body: Int) -> UInt32 {
    UInt32(min(body, 0xffff)) | UInt32(min(headings, 0xff)) << 16 | UInt32(min(title, 0xff)) << 24
  }

  @inline(__always) static func body(_ lengths: UInt32) -> UInt32 { lengths & 0xffff }
  @inline(__always) static func headings(_ lengths: UInt32) -> UInt32 { lengths >> 16 & 0xff }
  @inline(__always) static func title(_ lengths: UInt32) -> UInt32 { lengths >> 24 }
}

/// Sums of the fields' lengths over passages, and the numbers of passages and documents.
struct IndexTotals: Equatable {
  var documentCount = 0
  var passageCount = 0
  var title = 0
  var headings = 0
  var body = 0

  /// Returns a field's mean length in terms, at least 1, so that it can be divided by.
  func mean(_ sum: Int) -> Float { passageCount == 0 ? 1 : max(Float(Double(sum) / Double(passageCount)), 1) }

  /// Returns the difference from an earlier state.
  func since(_ earlier: IndexTotals) -> IndexTotals {
    IndexTotals(
      documentCount: documentCount - earlier.documentCount, passageCount: passageCount - earlier.passageCount,
      title: title - earlier.title, headings: headings - earlier.headings, body: body - earlier.body)
  }

  mutating func add(_ lengths: UInt32) {
    passageCount += 1
    title += Int(PassageLengths.title(lengths))
    headings += Int(PassageLengths.headings(lengths))
    body += Int(PassageLengths.body(lengths))
  }
}
