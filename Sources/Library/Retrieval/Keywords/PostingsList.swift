import Compute

/// Posting list of one term in one segment: verified, not yet decoded.
struct PostingsList {
  /// Number of passages that hold the term.
  let count: Int
  /// Owner of the memory that the pointers refer to.
  let owner: AnyObject
  let blocks: UnsafeBufferPointer<PostingsBlock>
  /// Encoded blocks from the first one on, with the padding behind the last.
  let postings: UnsafeRawBufferPointer
  /// Offset of ``postings`` in its section.
  let postingsBase: Int

  /// Decodes the ordinals of a block.
  /// - Returns: the number of ordinals and the place behind them; 0 where the block is not well-formed.
  @inline(__always)
  func ordinals(of block: Int, into ordinals: UnsafeMutablePointer<UInt32>) -> (count: Int, end: Int) {
    let length =
      block == blocks.count - 1 ? count - block * PostingsEncoder.blockLength : PostingsEncoder.blockLength
    let start = Int(blocks[block].postings) - postingsBase
    // Only a file that changed under its mapping fails this; the search detects that and is repeated.
    guard start >= 0, start <= postings.count - 3 - PostingsEncoder.padding, let bytes = postings.baseAddress
    else {
      return (0, 0)
    }
    let width = Int(bytes.load(fromByteOffset: start, as: UInt8.self))
    let end = start + 3 + BitPacking.byteCount(width: width, count: length)
    guard width <= 32, end <= postings.count - PostingsEncoder.padding else { return (0, 0) }
    BitPacking.unpack(bytes + start + 3, count: length, width: width, into: ordinals)
    var next = block == 0 ? 0 : blocks[block - 1].last &+ 1
    for place in 0..<length {
      next &+= ordinals[place]
      ordinals[place] = next
      next &+= 1
    }
    return (length, end)
  }

  /// Decodes the counts of a block, which follow its ordinals.
  @inline(__always)
  func counts(
    of block: Int, count: Int, from end: Int, into counts: UnsafeMutablePointer<UInt32>,
    using scratch: UnsafeMutablePointer<UInt32>
  ) {
    guard count > 0, let bytes = postings.baseAddress else { return }
    let start = Int(blocks[block].postings) - postingsBase
    let first = Int(bytes.load(fromByteOffset: start + 1, as: UInt8.self))
    let second = Int(bytes.load(fromByteOffset: start + 2, as: UInt8.self))
    var place = end
    func field(_ width: Int, _ shift: UInt32) {
      guard width > 0 else { return }
      let size = BitPacking.byteCount(width: width, count: count)
      guard place + size <= postings.count - PostingsEncoder.padding else { return }
      BitPacking.unpack(bytes + place, count: count, width: width, into: scratch)
      for index in 0..<count { counts[index] |= scratch[index] &<< shift }
      place += size
    }
    for index in 0..<count { counts[index] = 0 }
    field(first & 15, 16)
    field(first >> 4, 0)
    field(second & 15, 8)
    field(second >> 4, 24)
  }

  /// Sets the bit of each passage that holds the term.
  func mark(_ bits: UnsafeMutableBufferPointer<UInt64>) {
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: PostingsEncoder.blockLength) { ordinals in
      guard let ordinals = ordinals.baseAddress, let words = bits.baseAddress else { return }
      let end = UInt32(bits.count * 64)
      for block in blocks.indices {
        let (count, _) = self.ordinals(of: block, into: ordinals)
        for place in 0..<count where ordinals[place] < end {
          words[Int(ordinals[place] &>> 6)] |= 1 &<< UInt64(ordinals[place] & 63)
        }
      }
    }
  }
}

extension PostingsList {
  /// Makes a posting list that no segment stores: that of a phrase. Returns nil where it is empty.
  init?(_ ordinals: [UInt32], counts: [UInt32], in segment: KeywordSegment) throws(SegmentError) {
    guard !ordinals.isEmpty else { return nil }
    var encoder = PostingsEncoder(lengths: Array(try segment.lengths()), means: segment.meta.means)
    for (ordinal, count) in zip(ordinals, counts) {
      encoder.add(ordinal, counts: count, positions: UnsafeRawBufferPointer(start: nil, count: 0))
    }
    encoder.endTerm()
    let memory = Memory(blocks: encoder.blocks, postings: encoder.paddedPostings())
    self.init(
      count: ordinals.count, owner: memory, blocks: UnsafeBufferPointer(memory.blocks),
      postings: UnsafeRawBufferPointer(memory.postings), postingsBase: 0)
  }

  /// Holds posting lists that no segment stores.
  private final class Memory {
    let blocks: UnsafeMutableBufferPointer<PostingsBlock>
    let postings: UnsafeMutableBufferPointer<UInt8>

    init(blocks: [PostingsBlock], postings: [UInt8]) {
      self.blocks = .allocate(capacity: blocks.count)
      self.postings = .allocate(capacity: postings.count)
      _ = self.blocks.initialize(from: blocks)
      _ = self.postings.initialize(from: postings)
    }

    deinit {
      blocks.deallocate()
      postings.deallocate()
    }
  }
}

/// Reads a posting list in ascending order of ordinals.
final class PostingsCursor {
  let list: PostingsList
  /// First block that does not end before the ordinal asked for last.
  private(set) var block = 0
  private(set) var length = 0
  /// Place within the decoded block at which to continue.
  var place = 0
  let ordinals: UnsafeMutablePointer<UInt32>
  let counts: UnsafeMutablePointer<UInt32>
  private let scratch: UnsafeMutablePointer<UInt32>
  private var decoded = -1

  init(_ list: PostingsList) {
    self.list = list
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: 3 * PostingsEncoder.blockLength)
    ordinals = memory
    counts = memory + PostingsEncoder.blockLength
    scratch = memory + 2 * PostingsEncoder.blockLength
  }

  deinit { ordinals.deallocate() }

  /// Skips blocks that end before an ordinal.
  @inline(__always)
  func leave(before ordinal: UInt32) {
    while block < list.blocks.count, list.blocks[block].last < ordinal { block += 1 }
  }

  /// Decodes the current block; false behind the last.
  @inline(__always)
  func decode() -> Bool {
    guard block < list.blocks.count else { return false }
    if decoded != block {
      let (count, end) = list.ordinals(of: block, into: ordinals)
      list.counts(of: block, count: count, from: end, into: counts, using: scratch)
      (length, place, decoded) = (count, 0, block)
    }
    return true
  }

  /// Returns upper bounds of the frequencies from `low` up to but not including `high`; earlier blocks are skipped.
  func maxima(from low: UInt32, until high: UInt32) -> BlockMaxima? {
    leave(before: low)
    var maxima: BlockMaxima?
    var place = block
    while place < list.blocks.count, place == 0 || list.blocks[place - 1].last &+ 1 < high {
      let found = BlockMaxima(packed: list.blocks[place].maxima)
      if maxima == nil { maxima = found } else { maxima?.formUnion(found) }
      place += 1
    }
    return maxima
  }

  /// Returns the place of an ordinal in the decoded block; nil where that passage does not hold the term. Calls must
  /// ask for ascending ordinals.
  @inline(__always)
  func find(_ ordinal: UInt32) -> Int? {
    leave(before: ordinal)
    guard decode() else { return nil }
    while place < length, ordinals[place] < ordinal { place += 1 }
    return place < length && ordinals[place] == ordinal ? place : nil
  }
}
