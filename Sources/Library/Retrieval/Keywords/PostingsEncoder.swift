/// Where one block of up to 128 postings lies, and what bounds it.
struct PostingsBlock: BitwiseCopyable {
  /// The last ordinal in it.
  var last: UInt32
  /// Where its ordinals and counts begin.
  var postings: UInt32
  /// Where its positions begin.
  var positions: UInt32
  /// ``BlockMaxima/packed``.
  var maxima: UInt32
}

/// Writes the postings of one term after the other: blocks of 128, ordinals as packed gaps, counts packed beside them.
///
/// A block is three bytes of widths (gaps; body and title; headings and compounds, four bits each), the gaps, then the counts of each
/// field. Positions are varints: for each posting the gaps within title, headings and body, as many as the counts say.
struct PostingsEncoder {
  static let blockLength = 128
  /// Zeros behind the last block, so that numbers can be read eight bytes at a time.
  static let padding = 8

  private(set) var blocks: [PostingsBlock] = []
  private(set) var postings: [UInt8] = []
  private(set) var positions: [UInt8] = []
  private let lengths: [UInt32]
  private let inverse: (title: [Float], headings: [Float], body: [Float])
  private var ordinals: [UInt32] = []
  private var counts: [UInt32] = []
  /// The first ordinal that the current block could begin with.
  private var base: UInt32 = 0
  private var blockPositions = 0

  /// - Parameter lengths: of every passage, by ordinal.
  init(lengths: [UInt32], means: SegmentMeans) {
    self.lengths = lengths
    // A table of inverse norms for the commonest lengths; the longest entry stands for all that are longer.
    func table(_ mean: Float, _ count: Int) -> [Float] {
      (0..<count).map { 1 / (1 - BlockMaxima.lengthPenalty + BlockMaxima.lengthPenalty * Float($0) / mean) }
    }
    inverse = (table(means.title, 256), table(means.headings, 256), table(means.body, 4_096))
    ordinals.reserveCapacity(Self.blockLength)
    counts.reserveCapacity(Self.blockLength)
  }

  /// Adds a posting; ordinals ascend within a term.
  mutating func add(_ ordinal: UInt32, counts count: UInt32, positions bytes: UnsafeRawBufferPointer) {
    if ordinals.isEmpty { blockPositions = positions.count }
    ordinals.append(ordinal)
    counts.append(count)
    positions.append(contentsOf: bytes)
    if ordinals.count == Self.blockLength { endBlock() }
  }

  /// Ends a term; returns how many postings it had when `begun` is what ``blocks`` counted before it.
  mutating func endTerm() {
    if !ordinals.isEmpty { endBlock() }
    base = 0
  }

  /// The bytes of all postings, with the padding that readers rely on.
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

/// Numbers of seven bits a byte, the lowest first.
enum Varint {
  static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    var value = value
    while value > 0x7f {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(value))
  }

  /// Reads a number at a place and moves behind it; nil where the bytes end first or say more than 32 bits.
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
