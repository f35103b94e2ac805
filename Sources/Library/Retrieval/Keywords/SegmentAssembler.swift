import Foundation

/// Assembles a keyword segment term by term, in the order of their bytes.
struct SegmentAssembler {
  var encoder: PostingsEncoder
  private let lengths: [UInt32]
  private let runs: [KeywordSegment.Run]
  private let means: SegmentMeans
  private var terms: [UInt8] = []
  private var groups: [UInt32] = []
  private var termCount = 0
  private var last: [UInt8] = []
  /// Number of blocks before the current term.
  private var firstBlock = 0

  /// - Parameters:
  ///   - lengths: by ordinal, ``PassageLengths``.
  ///   - rows: by ordinal, ascending.
  init(lengths: [UInt32], rows: [UInt32]) {
    var totals = IndexTotals()
    for length in lengths { totals.add(length) }
    means = SegmentMeans(totals)
    encoder = PostingsEncoder(lengths: lengths, means: means)
    self.lengths = lengths
    var runs: [KeywordSegment.Run] = []
    for (ordinal, row) in rows.enumerated() where ordinal == 0 || rows[ordinal - 1] &+ 1 != row {
      runs.append(KeywordSegment.Run(ordinal: UInt32(ordinal), row: row))
    }
    self.runs = runs
  }

  /// Ends a term whose postings are in the encoder; a term without postings is left out.
  mutating func endTerm(_ term: [UInt8], count: Int) {
    encoder.endTerm()
    guard count > 0 else { return }
    if termCount % KeywordSegment.groupLength == 0 {
      groups.append(UInt32(clamping: terms.count))
      withUnsafeBytes(of: UInt32(clamping: firstBlock).littleEndian) { terms.append(contentsOf: $0) }
      last.removeAll(keepingCapacity: true)
    } else {
      var shared = 0
      while shared < min(last.count, term.count), last[shared] == term[shared] { shared += 1 }
      terms.append(UInt8(shared))
      last.removeLast(last.count - shared)
    }
    terms.append(UInt8(term.count - last.count))
    terms.append(contentsOf: term[last.count...])
    Varint.append(UInt32(count), to: &terms)
    last = term
    termCount += 1
    firstBlock = encoder.blocks.count
  }

  /// Makes the writer of the segment's file.
  func writer() -> SegmentWriter {
    var writer = SegmentWriter(kind: .keyword, version: KeywordSegment.version)
    let meta = KeywordSegment.Meta(
      passageCount: UInt32(lengths.count), termCount: UInt32(termCount), runCount: UInt32(runs.count), means: means
    )
    writer.add("meta", values: [meta])
    writer.add("runs", values: runs)
    writer.add("lengths", values: lengths)
    writer.add("terms", terms)
    writer.add("groups", values: groups)
    writer.add("blocks", values: encoder.blocks)
    writer.add("postings", encoder.paddedPostings())
    writer.add("positions", encoder.positions)
    return writer
  }
}
