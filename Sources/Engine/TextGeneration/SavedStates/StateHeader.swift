import Compute
import Foundation
import Tokenization

/// Header of a saved KV cache file: the model it belongs to and the tokens evaluated.
///
/// Layout, little-endian: `ALCVSTAT`, version (4 bytes), length of the rest of the header (4), the model's identity
/// (16), counts of tokens, tags and marks (4 each), tokens (4 each), tags (length, UTF-8), lengths of the marks (4
/// each); then the numbers of the marks, the cache's bytes, and a checksum over everything before it (8).
struct StateHeader: Equatable {
  var identity: [UInt8]
  var tokens: [TokenID]
  var tags: [String]
  var markLengths: [Int]
  /// Number of bytes of the header, at which the numbers of the marks begin.
  private(set) var byteCount = 0

  static let magic = Array("ALCVSTAT".utf8)
  static let version: UInt32 = 1
  private static let headerLimit = 64 << 20

  init(identity: [UInt8], tokens: [TokenID], tags: [String], markLengths: [Int]) {
    (self.identity, self.tokens, self.tags, self.markLengths) = (identity, tokens, tags, markLengths)
    byteCount = bytes.count
  }

  /// The header as it is written.
  var bytes: [UInt8] {
    var rest = identity
    func append(_ value: UInt32, to list: inout [UInt8]) {
      withUnsafeBytes(of: value.littleEndian) { list.append(contentsOf: $0) }
    }
    for count in [tokens.count, tags.count, markLengths.count] { append(UInt32(count), to: &rest) }
    for token in tokens { append(UInt32(bitPattern: token), to: &rest) }
    for tag in tags {
      append(UInt32(tag.utf8.count), to: &rest)
      rest.append(contentsOf: tag.utf8)
    }
    for length in markLengths { append(UInt32(length), to: &rest) }
    // What follows is copied fastest from a boundary.
    while (rest.count + 16) % 64 != 0 { rest.append(0) }
    var all = Self.magic
    append(Self.version, to: &all)
    append(UInt32(rest.count), to: &all)
    return all + rest
  }

  /// Reads only the header of a file; its checksum is not looked at.
  init(path: String) throws(StateFileError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw .system(path: path, call: "open", code: errno) }
    defer { close(descriptor) }
    func read(_ count: Int) throws(StateFileError) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: count)
      var done = 0
      while done < count {
        let got = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + done, count - done) }
        guard got > 0 else { throw .damaged(path: path) }
        done += got
      }
      return bytes
    }
    let start = try read(16)
    let length = start[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.headerLimit else { throw .damaged(path: path) }
    let rest = try read(length)
    let parsed = (start + rest).withUnsafeBytes { bytes in
      Result { () throws(StateFileError) in try Self(parsing: bytes, path: path) }
    }
    self = try parsed.get()
  }

  /// Reads a header at the beginning of some bytes.
  init(parsing bytes: UnsafeRawBufferPointer, path: String) throws(StateFileError) {
    guard bytes.count >= 16, bytes[0..<8].elementsEqual(Self.magic) else { throw .foreign(path: path) }
    func number(_ place: Int) -> Int {
      Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
    }
    guard number(8) == Int(Self.version) else { throw .foreign(path: path) }
    let end = 16 + number(12)
    guard number(12) <= Self.headerLimit, end <= bytes.count else { throw .damaged(path: path) }
    var place = 16
    func take(_ count: Int) throws(StateFileError) -> Int {
      guard count <= end - place else { throw .damaged(path: path) }
      defer { place += count }
      return place
    }
    func count() throws(StateFileError) -> Int { number(try take(4)) }
    identity = Array(bytes[try take(16)..<place])
    let (tokenCount, tagCount, markCount) = (try count(), try count(), try count())
    guard tokenCount <= end / 4, tagCount <= end / 4, markCount <= end / 4 else { throw .damaged(path: path) }
    tokens = []
    for _ in 0..<tokenCount { tokens.append(TokenID(truncatingIfNeeded: try count())) }
    tags = []
    for _ in 0..<tagCount {
      let length = try count()
      let start = try take(length)
      guard let tag = String(validating: bytes[start..<start + length], as: UTF8.self) else {
        throw .damaged(path: path)
      }
      tags.append(tag)
    }
    markLengths = []
    for _ in 0..<markCount { markLengths.append(try count()) }
    guard markLengths.allSatisfy({ $0 > 0 && $0 <= tokenCount }), markLengths == markLengths.sorted() else {
      throw .damaged(path: path)
    }
    byteCount = end
  }
}

/// A checksum that takes bytes in any portions: four lanes of 64 bits, each byte multiplied through.
struct StateChecksum {
  private var lanes: (UInt64, UInt64, UInt64, UInt64) = (
    0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5
  )
  private var length: UInt64 = 0
  private static let factor: UInt64 = 0x9FB2_1C65_1E98_DF25

  @inline(__always)
  private static func mix(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = (lane ^ word) &* factor
    return mixed ^ mixed >> 32
  }

  /// Takes a portion; the boundaries of portions count.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    length &+= UInt64(bytes.count)
    var place = 0
    var (one, two, three, four) = lanes
    func word(_ offset: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    while place + 32 <= bytes.count {
      one = Self.mix(one, word(place))
      two = Self.mix(two, word(place + 8))
      three = Self.mix(three, word(place + 16))
      four = Self.mix(four, word(place + 24))
      place += 32
    }
    while place < bytes.count {
      one = Self.mix(one, UInt64(bytes[place]) | 1 << 32)
      place += 1
    }
    lanes = (one, two, three, four)
  }

  /// The sum of all portions.
  var value: UInt64 {
    [lanes.0, lanes.1, lanes.2, lanes.3, length].reduce(0x51_7CC1_B727_220A) { sum, lane in
      let mixed = Self.mix(sum, lane)
      return mixed << 29 | mixed >> 35
    }
  }
}
