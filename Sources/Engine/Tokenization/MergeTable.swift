/// The merges of a byte-pair vocabulary: two pieces, how early they merge and what they become.
struct MergeTable: Sendable {
  struct Merge {
    let rank: UInt32
    let piece: Int32
  }

  /// Pairs of pieces; all ones is a free slot.
  private var keys: [UInt64]
  private var merges: [Merge]
  private static let free = UInt64.max

  /// Reads merges and gives pieces that are no tokens numbers after them; of equal pairs the first counts.
  init(_ list: ByteStrings, table: inout ByteStringTable) throws(TokenizationError) {
    let limit = TokenizerDefinition.largestCount
    guard list.count <= limit else { throw .tooMany(.merges, count: list.count, limit: limit) }
    var slotCount = 64
    while slotCount < list.count * 2 { slotCount *= 2 }
    keys = [UInt64](repeating: Self.free, count: slotCount)
    merges = [Merge](repeating: Merge(rank: 0, piece: 0), count: slotCount)
    let longest = TokenizerDefinition.longestToken * 2 + 1
    var scratch: [UInt8] = []
    for rank in 0..<list.count {
      let range = list.range(of: rank)
      guard range.count <= longest else { throw .tooLong(.merges, index: rank, byteCount: range.count) }
      list.bytes.withUnsafeBufferPointer { bytes in
        guard range.count > 2 else { return }
        // The space that parts the halves is never the first character.
        guard let space = bytes[range].dropFirst().firstIndex(of: 0x20), space + 1 < range.upperBound else {
          return
        }
        let left = UnsafeBufferPointer(rebasing: bytes[range.lowerBound..<space])
        let right = UnsafeBufferPointer(rebasing: bytes[space + 1..<range.upperBound])
        scratch.removeAll(keepingCapacity: true)
        scratch.append(contentsOf: left)
        scratch.append(contentsOf: right)
        let key = Self.key(Int32(table.intern(left)), Int32(table.intern(right)))
        let merged = scratch.withUnsafeBufferPointer { Int32(table.intern($0)) }
        insert(key, Merge(rank: UInt32(rank), piece: merged))
      }
    }
  }

  @inline(__always)
  static func key(_ left: Int32, _ right: Int32) -> UInt64 {
    UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
  }

  @inline(__always)
  func find(_ left: Int32, _ right: Int32) -> Merge? {
    guard left >= 0, right >= 0 else { return nil }
    let key = Self.key(left, right)
    var slot = Self.slot(key) & (keys.count - 1)
    while keys[slot] != Self.free {
      if keys[slot] == key { return merges[slot] }
      slot = (slot + 1) & (keys.count - 1)
    }
    return nil
  }

  private mutating func insert(_ key: UInt64, _ merge: Merge) {
    var slot = Self.slot(key) & (keys.count - 1)
    while keys[slot] != Self.free {
      if keys[slot] == key { return }
      slot = (slot + 1) & (keys.count - 1)
    }
    keys[slot] = key
    merges[slot] = merge
  }

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int {
    let mixed = (key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed >> 20)
  }
}

/// The words of one text that were encoded already.
struct WordCache {
  private var table = ByteStringTable(capacity: 512, bytes: 4096)
  private var ends: [Int] = []
  private(set) var ids: [TokenID] = []
  /// Longer words hardly come twice.
  private static let longestWord = 48
  private static let capacity = 1 << 16

  func find(_ word: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
    guard word.count <= Self.longestWord, let number = table.find(word) else { return nil }
    return (number == 0 ? 0 : ends[number - 1])..<ends[number]
  }

  mutating func insert(_ word: UnsafeBufferPointer<UInt8>, _ wordIDs: ArraySlice<TokenID>) {
    guard word.count <= Self.longestWord, table.count < Self.capacity else { return }
    table.append(word)
    ids.append(contentsOf: wordIDs)
    ends.append(ids.count)
  }
}
