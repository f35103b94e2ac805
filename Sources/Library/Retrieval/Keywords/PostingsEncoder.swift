/// Place of one block of up to 128 postings, with its block maxima.
struct PostingsBlock: BitwiseCopyable {
  /// Last ordinal of the block.
  var last: UInt32
  /// Offset of its ordinals and counts.
  var postings: UInt32
  /// Offset of its positions.
  var positions: UInt32
  /// Block maxima as ``BlockMaxima/packed``.
  var maxima: UInt32
}

/// Encodes posting lists in blocks of 128: bit-packed gaps between ordinals, then bit-packed counts.
///
/// A block is three bytes of bit widths (gaps; body and title; headings and compounds, four bits each), the gaps,
/// then the counts of each field. Positions are varints: for each posting the gaps within title, headings and body,
/// as many as its counts.
struct PostingsEncoder {
  static let blockLength = 128
  /// Zero bytes behind the last block, so that numbers can be read eight bytes at a time.
  static let padding = 8

  private(set) var blocks: [PostingsBlock] = []
  private(set) var postings: [UInt8] = []
  private(set) var positions: [UInt8] = []
  private let lengths: [UInt32]
  private let inverse: (title: [Float], headings: [Float], body: [Float])
  private var ordinals: [UInt32] = []
  private var counts: [UInt32] = []
  /// Smallest ordinal that the current block could begin with.
  private var base: UInt32 = 0
  private var blockPositions = 0

  /// - Parameter lengths: by ordinal, ``PassageLengths``.
  init(lengths: [UInt32], means: SegmentMeans) {
    self.lengths = lengths
    // Inverse norms are tabulated up to a length; the last entry stands for all longer ones.
    func table(_ mean: Float, _ count: Int) -> [Float] {
      (0..<count).map { 1 / (1 - BlockMaxima.lengthPenalty + BlockMaxima.lengthPenalty * Float($0) / mean) }
    }
    inverse = (table(means.title, 256), table(means.headings, 256), table(means.body, 4_096))
    ordinals.reserveCapacity(Self.blockLength)
    counts.reserveCapacity(Self.blockLength)
  }

  /// Appends a posting; ordinals ascend within a term.
  mutating func add(_ ordinal: UInt32, counts count: UInt32, positions bytes: UnsafeRawBufferPointer) {
    if ordinals.isEmpty { blockPositions = positions.count }
    ordinals.append(ordinal)
    counts.append(count)
    positions.append(contentsOf: bytes)
    if ordinals.count == Self.blockLength { endBlock() }
  }

  /// Ends a term by writing its last block.
  mutating func endTerm() {
    if !ordinals.isEmpty { endBlock() }
    base = 0
  }

  /// Encoded postings of all terms, with the padding that readers rely on.
  func paddedPostings() -> [UInt8] { postings + Array(repeating: 0, count: Self.padding) }

  private mutating func endBlock() {
    var maxima = BlockMaxima()
    for (ordinal, count) in zip(ordinals, counts) {
      let lengths = lengths[Int(ordinal)]
      let body = min(Int(PassageLengths.body(lengths)), inverse.body.count - 1)
      maxima.body = max(maxima.body, Float(FieldCounts.body(count)) * inverse.body[body])
      guard count & 0xffff != 0 else { continue }
      let title = Int(PassageLengths.title(lengths))
      let headings = Int(PassageLengths.headings(lengths))
      maxima.title = max(maxima.title, Float(FieldCounts.title(count)) * inverse.title[title])
      maxima.headings = max(maxima.headings, Float(FieldCounts.headings(count)) * inverse.headings[headings])
    }
    let last = ordinals[ordinals.count - 1]
    blocks.append(
      PostingsBlock(
        last: last, postings: UInt32(clamping: postings.count), positions: UInt32(clamping: blockPositions),
        maxima: maxima.packed))
    var previous = base &- 1
    for place in ordinals.indices {
      let ordinal = ordinals[place]
      ordinals[place] = ordinal &- previous &- 1
      previous = ordinal
    }
    writeBlock()
    base = last &+ 1
    ordinals.removeAll(keepingCapacity: true)
    counts.removeAll(keepingCapacity: true)
  }

  private mutating func writeBlock() {
    let count = ordinals.count
    let gapWidth = ordinals.withUnsafeBufferPointer { BitPacking.width($0.baseAddress!, count: count) }
    var all: UInt32 = 0
    for count in counts { all |= count }
    func width(_ field: UInt32) -> Int { 32 - (all >> (8 * field) & 0xff).leadingZeroBitCount }
    let widths = (title: width(0), headings: width(1), body: width(2), compounds: width(3))
    postings.append(UInt8(gapWidth))
    postings.append(UInt8(widths.body | widths.title << 4))
    postings.append(UInt8(widths.headings | widths.compounds << 4))
    ordinals.withUnsafeBufferPointer {
      BitPacking.pack($0.baseAddress!, count: count, width: gapWidth, onto: &postings)
    }
    for (field, width) in [(2, widths.body), (0, widths.title), (1, widths.headings), (3, widths.compounds)]
    where width > 0 {
      let values = counts.map { $0 >> UInt32(8 * field) & 0xff }
      values.withUnsafeBufferPointer {
        BitPacking.pack($0.baseAddress!, count: count, width: width, onto: &postings)
      }
    }
  }
}

/// LEB128: numbers of seven bits a byte, the lowest first.
enum Varint {
  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    var value = value
    while value > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// Reads a number at a place and moves behind it; nil where the bytes end first or the number exceeds 32 bits.
  @inline(__always)
  static func read(_ bytes: UnsafeRawBufferPointer, at place: inout Int) -> UInt32? {
    var (value, shift): (UInt32, UInt32) = (0, 0)
    while place < bytes.count, shift < 35 {
      let byte = bytes[place]
      place += 1
      value |= UInt32(byte & 0x7f) << shift
      if byte & 0x80 == 0 { return value }
      shift += 7
    }
    return nil
  }
}
