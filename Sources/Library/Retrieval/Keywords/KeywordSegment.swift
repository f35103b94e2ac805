import Compute
import Foundation

/// Immutable part of the keyword index, in a file or in memory: the dictionary and posting lists of one range of
/// rows.
///
/// Sections: `meta`; `runs` (rows of the ordinals); `lengths` (four bytes a passage, ``PassageLengths``); `terms`
/// (sorted by their bytes, in groups of sixteen, each group with the number of its first block of postings; within a
/// group terms are front-coded, each followed by its passage frequency) and `groups` (offset of each group); `blocks`
/// (``PostingsBlock``), `postings` and `positions` (``PostingsEncoder``).
final class KeywordSegment: Sendable {
  /// Version of the layout, raised with every change of it.
  static let version: UInt32 = 1
  static let groupLength = 16

  struct Meta: BitwiseCopyable {
    var passageCount: UInt32
    var termCount: UInt32
    var runCount: UInt32
    var means: SegmentMeans
  }

  /// Run of consecutive rows, from an ordinal until the next run begins.
  struct Run: BitwiseCopyable {
    var ordinal: UInt32
    var row: UInt32
  }

  /// Place of a term's posting list.
  struct Term {
    var count: Int
    var firstBlock: Int
    var blockCount: Int { (count + PostingsEncoder.blockLength - 1) / PostingsEncoder.blockLength }
  }

  let file: SegmentFile
  let meta: Meta
  private nonisolated(unsafe) let runs: UnsafeBufferPointer<Run>
  private let lengthsSection: SegmentFile.Section
  let termsSection: SegmentFile.Section
  let groupsSection: SegmentFile.Section
  private let blocksSection: SegmentFile.Section
  private let postingsSection: SegmentFile.Section
  private let positionsSection: SegmentFile.Section

  var passageCount: Int { Int(meta.passageCount) }

  init(_ file: SegmentFile) throws(SegmentError) {
    self.file = file
    let bytes = try file.bytes(file.section("meta"))
    guard bytes.count == MemoryLayout<Meta>.stride else { throw .damaged(path: file.path, atByte: 0) }
    meta = bytes.loadUnaligned(as: Meta.self)
    runs = try file.bytes(file.section("runs")).bindMemory(to: Run.self)
    lengthsSection = try file.section("lengths")
    termsSection = try file.section("terms")
    groupsSection = try file.section("groups")
    blocksSection = try file.section("blocks")
    postingsSection = try file.section("postings")
    positionsSection = try file.section("positions")
    let groupCount = (Int(meta.termCount) + Self.groupLength - 1) / Self.groupLength
    guard lengthsSection.count == 4 * passageCount, runs.count == Int(meta.runCount),
      groupsSection.count == 4 * groupCount, postingsSection.count >= PostingsEncoder.padding,
      runs.first?.ordinal ?? 0 == 0, passageCount == 0 || !runs.isEmpty
    else { throw .damaged(path: file.path, atByte: 0) }
  }

  /// Makes the error for content whose checksum fits but that makes no sense.
  func damage(_ section: SegmentFile.Section) -> SegmentError {
    .damaged(path: file.path, atByte: section.range.lowerBound)
  }

  // MARK: Passages

  /// Lengths of all passages, by ordinal.
  func lengths() throws(SegmentError) -> UnsafeBufferPointer<UInt32> {
    try file.bytes(lengthsSection).bindMemory(to: UInt32.self)
  }

  /// Returns the row of a passage.
  func row(of ordinal: UInt32) -> UInt32 {
    let run = runs[lastRun { $0.ordinal <= ordinal }]
    return run.row &+ (ordinal &- run.ordinal)
  }

  /// Returns the first ordinal whose row is at or after a row; the number of passages where there is none.
  func firstOrdinal(from row: UInt32) -> UInt32 {
    guard let first = runs.first, first.row <= row else { return 0 }
    let place = lastRun { $0.row <= row }
    let end = place + 1 < runs.count ? runs[place + 1].ordinal : meta.passageCount
    return min(runs[place].ordinal &+ (row &- runs[place].row), end)
  }

  /// Returns the ordinal of a row; nil where it is not in this segment.
  func ordinal(of row: UInt32) -> UInt32? {
    let ordinal = firstOrdinal(from: row)
    return ordinal < meta.passageCount && self.row(of: ordinal) == row ? ordinal : nil
  }

  private func lastRun(where holds: (Run) -> Bool) -> Int {
    var (low, high) = (0, runs.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(runs[middle]) { low = middle } else { high = middle }
    }
    return low
  }

  // MARK: Terms

  /// Looks up a term in the dictionary; nil where no passage holds it.
  func find(_ term: String) throws(SegmentError) -> Term? {
    guard meta.termCount > 0 else { return nil }
    let sought = Array(term.utf8)
    let groups = try file.bytes(groupsSection).bindMemory(to: UInt32.self)
    var (low, high) = (0, groups.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      var reader = try TermReader(self, group: middle)
      guard try reader.next() else { throw damage(termsSection) }
      if TermReader.isOrdered(reader.term, sought) || reader.term == sought { low = middle } else { high = middle }
    }
    var reader = try TermReader(self, group: low)
    while try reader.next(), reader.group == low {
      if reader.term == sought { return reader.place }
      if TermReader.isOrdered(sought, reader.term) { return nil }
    }
    return nil
  }

  /// Returns a term's posting list.
  func postings(_ term: Term) throws(SegmentError) -> PostingsList {
    let stride = MemoryLayout<PostingsBlock>.stride
    let start = term.firstBlock * stride
    let end = start + term.blockCount * stride
    guard term.blockCount > 0, end <= blocksSection.count else { throw damage(blocksSection) }
    let blocks = try file.bytes(start..<end, of: blocksSection).bindMemory(to: PostingsBlock.self)
    let first = Int(blocks[0].postings)
    var last = postingsSection.count
    if end < blocksSection.count {
      let next = try file.bytes(end..<end + stride, of: blocksSection)
      last = min(Int(next.loadUnaligned(as: PostingsBlock.self).postings) + PostingsEncoder.padding, last)
    }
    guard first <= last else { throw damage(blocksSection) }
    return PostingsList(
      count: term.count, owner: self, blocks: blocks,
      postings: try file.bytes(first..<last, of: postingsSection), postingsBase: first)
  }

  /// Looks up a term's posting list; nil where no passage holds it.
  func postings(of term: String) throws(SegmentError) -> PostingsList? {
    guard let found = try find(term) else { return nil }
    return try postings(found)
  }

  /// Returns a term's positions from its first block on, and their offset in the section.
  func positions(_ term: Term) throws(SegmentError) -> (bytes: UnsafeRawBufferPointer, base: Int) {
    let stride = MemoryLayout<PostingsBlock>.stride
    let (start, end) = (term.firstBlock * stride, (term.firstBlock + term.blockCount) * stride)
    let first = try file.bytes(start..<start + stride, of: blocksSection).loadUnaligned(as: PostingsBlock.self)
    var last = positionsSection.count
    if end < blocksSection.count {
      let next = try file.bytes(end..<end + stride, of: blocksSection).loadUnaligned(as: PostingsBlock.self)
      last = min(Int(next.positions), last)
    }
    guard Int(first.positions) <= last else { throw damage(blocksSection) }
    return (try file.bytes(Int(first.positions)..<last, of: positionsSection), Int(first.positions))
  }
}

/// Reads the terms of a segment in order.
struct TermReader {
  private let segment: KeywordSegment
  private let bytes: UnsafeRawBufferPointer
  private let groups: UnsafeBufferPointer<UInt32>
  /// Offset of ``bytes`` in the section.
  private let base: Int
  private var offset = 0
  private var number: Int
  private var nextBlock = 0
  /// Group of the current term.
  var group: Int { (number - 1) / KeywordSegment.groupLength }
  /// Bytes of the current term.
  private(set) var term: [UInt8] = []
  /// Length of the prefix shared with the term before, in bytes.
  private(set) var shared = 0
  /// Place of the current term's posting list.
  private(set) var place = KeywordSegment.Term(count: 0, firstBlock: 0)

  /// Makes a reader of one group.
  init(_ segment: KeywordSegment, group: Int) throws(SegmentError) {
    self.segment = segment
    groups = try segment.file.bytes(segment.groupsSection).bindMemory(to: UInt32.self)
    let start = Int(groups[group])
    let end = group + 1 < groups.count ? Int(groups[group + 1]) : segment.termsSection.count
    guard start <= end, end <= segment.termsSection.count else { throw segment.damage(segment.termsSection) }
    bytes = try segment.file.bytes(start..<end, of: segment.termsSection)
    base = start
    number = group * KeywordSegment.groupLength
  }

  /// Makes a reader of all terms.
  init(_ segment: KeywordSegment) throws(SegmentError) {
    self.segment = segment
    groups = try segment.file.bytes(segment.groupsSection).bindMemory(to: UInt32.self)
    bytes = try segment.file.bytes(segment.termsSection)
    base = 0
    number = 0
  }

  /// Moves to the next term.
  /// - Returns: false at the end.
  mutating func next() throws(SegmentError) -> Bool {
    guard offset < bytes.count, number < Int(segment.meta.termCount) else { return false }
    var shared = 0
    if number % KeywordSegment.groupLength == 0 {
      guard offset + 5 <= bytes.count else { throw segment.damage(segment.termsSection) }
      nextBlock = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
      offset += 4
    } else {
      shared = Int(bytes[offset])
      offset += 1
    }
    guard offset < bytes.count, shared <= term.count else { throw segment.damage(segment.termsSection) }
    let count = Int(bytes[offset])
    guard offset + 1 + count < bytes.count else { throw segment.damage(segment.termsSection) }
    term.removeLast(term.count - shared)
    term.append(contentsOf: bytes[offset + 1..<offset + 1 + count])
    self.shared = shared
    offset += 1 + count
    guard let passages = Varint.read(bytes, at: &offset), passages > 0, passages <= segment.meta.passageCount
    else {
      throw segment.damage(segment.termsSection)
    }
    place = KeywordSegment.Term(count: Int(passages), firstBlock: nextBlock)
    nextBlock += place.blockCount
    number += 1
    return true
  }

  /// Indicates whether one term sorts before another.
  static func isOrdered(_ left: [UInt8], _ right: [UInt8]) -> Bool { left.lexicographicallyPrecedes(right) }
}
