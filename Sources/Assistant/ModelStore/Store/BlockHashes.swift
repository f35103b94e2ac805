import Foundation
import Platform

/// The hash of each block of a file, by which a bad one is found and fetched alone.
package enum BlockHashes {
  /// Bytes of one block.
  package static let blockSize = 1 << 20

  /// Result of reading a whole file.
  package struct Whole: Sendable, Equatable {
    /// The hash of all of it, in hexadecimal.
    package var sha256: String
    /// The hashes of its blocks, one after another.
    package var blocks: [UInt8]
    /// Size of the file in bytes.
    package var byteCount: Int
  }

  /// Number of blocks that a number of bytes makes.
  package static func count(of byteCount: Int) -> Int {
    byteCount / blockSize + (byteCount % blockSize > 0 ? 1 : 0)
  }

  /// Reads a file once, block by block.
  /// - Parameter progress: told the bytes read; throwing from it stops.
  package static func read(
    _ path: String, progress: (Int) throws -> Void = { _ in }
  ) throws -> Whole {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ModelStoreError.file(path: path, call: "open", code: errno) }
    defer { close(descriptor) }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    var whole = SHA256()
    var blocks: [UInt8] = []
    var block = [UInt8](repeating: 0, count: blockSize)
    var total = 0
    while true {
      let count = try fill(&block, from: descriptor, at: total, path: path)
      if count == 0 { break }
      block.withUnsafeBytes { bytes in
        let part = UnsafeRawBufferPointer(rebasing: bytes[..<count])
        whole.add(part)
        blocks += of(part)
      }
      total += count
      try progress(total)
      if count < blockSize { break }
    }
    return Whole(sha256: whole.finish().hexadecimal, blocks: blocks, byteCount: total)
  }

  /// Reads until the buffer is full or the file ends; returns how many bytes came.
  static func fill(
    _ buffer: inout [UInt8], from descriptor: Int32, at offset: Int, path: String
  ) throws(ModelStoreError) -> Int {
    var count = 0
    while count < buffer.count {
      let more = buffer.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count, off_t(offset + count))
      }
      if more < 0 {
        if errno == EINTR { continue }
        throw .file(path: path, call: "read", code: errno)
      }
      if more == 0 { break }
      count += more
    }
    return count
  }

  /// The places of the blocks in which two lists differ.
  package static func differences(_ one: [UInt8], _ other: [UInt8]) -> [Int] {
    let size = byteCount
    return (0..<max(one.count, other.count) / size).filter { index in
      let range = index * size..<(index + 1) * size
      return range.upperBound > one.count || range.upperBound > other.count || one[range] != other[range]
    }
  }
}
