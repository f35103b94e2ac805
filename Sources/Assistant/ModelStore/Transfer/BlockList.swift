import Foundation

/// The blocks of an unfinished download that are here, with their hashes, kept in a small file next to it.
///
/// An entry is written after its block's bytes. What a crash or a power cut makes of either shows when the blocks are
/// read again, which happens whenever a download goes on.
package struct BlockList: Sendable {
  /// Content that the file is about: entries for other content count for nothing.
  package let representation: Representation
  /// Number of blocks of the whole.
  package let count: Int
  private let file: OpenFile
  private let path: String
  private var hashes: [UInt8]
  private var isHere: [Bool]

  private static let magic = Array("alcove blocks 2\n".utf8)
  private static let headSize = 512
  private static let longestText = 200
  private static let size = BlockHashes.byteCount

  /// Begins the list of a content, with no block here.
  package init(at path: String, _ representation: Representation) throws(ModelStoreError) {
    self.path = path
    self.representation = representation
    count = BlockHashes.count(of: representation.total)
    hashes = [UInt8](repeating: 0, count: count * Self.size)
    isHere = [Bool](repeating: false, count: count)
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, call: "open", code: errno) }
    file = OpenFile(descriptor)
    try write(hashes, at: Self.headSize)
    try write(Self.head(representation), at: 0)
  }

  /// Opens the list that a download left; nil where it is absent or damaged.
  package init?(at path: String) {
    self.path = path
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    file = OpenFile(descriptor)
    var head = [UInt8](repeating: 0, count: Self.headSize)
    guard let held = try? BlockHashes.fill(&head, from: descriptor, at: 0, path: path), held == head.count,
      let representation = Self.representation(head)
    else { return nil }
    self.representation = representation
    count = BlockHashes.count(of: representation.total)
    var hashes = [UInt8](repeating: 0, count: count * Self.size)
    let length = try? BlockHashes.fill(&hashes, from: descriptor, at: Self.headSize, path: path)
    self.hashes = hashes
    isHere = (0..<count).map { block in hashes[block * Self.size..<(block + 1) * Self.size].contains { $0 != 0 } }
    if length != hashes.count { return nil }
  }

  private static func head(_ representation: Representation) -> [UInt8] {
    func text(_ text: String?) -> [UInt8] {
      let bytes = Array((text ?? "").utf8)
      // A tag too long to keep is as good as none.
      let kept = bytes.count <= longestText ? bytes : []
      return [UInt8(kept.count)] + kept + [UInt8](repeating: 0, count: longestText - kept.count)
    }
    let total = (0..<8).map { UInt8(truncatingIfNeeded: representation.total >> (8 * $0)) }
    let head = magic + total + text(representation.tag) + text(representation.modified)
    return head + [UInt8](repeating: 0, count: headSize - head.count)
  }

  private static func representation(_ head: [UInt8]) -> Representation? {
    guard head.starts(with: magic) else { return nil }
    func text(at start: Int) -> String? {
      let count = Int(head[start])
      return count > 0 && count <= longestText
        ? String(decoding: head[start + 1..<start + 1 + count], as: UTF8.self) : nil
    }
    let total = (0..<8).reduce(0) { $0 | Int(head[16 + $1]) << (8 * $1) }
    guard total > 0, total < 1 << 44 else { return nil }
    return Representation(total: total, tag: text(at: 24), modified: text(at: 25 + longestText))
  }

  /// The bytes of a block.
  package func range(of block: Int) -> Range<Int> {
    let start = block * BlockHashes.blockSize
    return start..<min(start + BlockHashes.blockSize, representation.total)
  }

  /// Indicates whether a block is here.
  package func has(_ block: Int) -> Bool { isHere[block] }

  /// The hash of a block that is here, or nil.
  package func hash(of block: Int) -> [UInt8]? {
    isHere[block] ? Array(hashes[block * Self.size..<(block + 1) * Self.size]) : nil
  }

  /// Notes that a block is here.
  package mutating func add(_ block: Int, hash: [UInt8]) throws(ModelStoreError) {
    hashes.replaceSubrange(block * Self.size..<(block + 1) * Self.size, with: hash)
    isHere[block] = hash.contains { $0 != 0 }
    try write(hash, at: Self.headSize + block * Self.size)
  }

  /// Notes that a block is not here after all.
  package mutating func remove(_ block: Int) throws(ModelStoreError) {
    try add(block, hash: [UInt8](repeating: 0, count: Self.size))
  }

  /// Bytes that are here.
  package var byteCount: Int { (0..<count).reduce(0) { has($1) ? $0 + range(of: $1).count : $0 } }
  /// All hashes, one after another.
  package var all: [UInt8] { hashes }

  private func write(_ bytes: [UInt8], at offset: Int) throws(ModelStoreError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file.descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw .file(path: path, call: "write", code: errno)
      }
      done += count
    }
  }
}

/// An open file that closes with its last reference.
private final class OpenFile: Sendable {
  let descriptor: Int32

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}
