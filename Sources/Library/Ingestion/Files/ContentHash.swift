import CGLib
import Documents
import Glibc

/// SHA-256 of bytes and files, in lower-case hexadecimal.
package enum ContentHash {
  /// Returns the hash of bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> String {
    var hash = RunningContentHash()
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      rest.prefix(RunningContentHash.pieceByteCount).withUnsafeBufferPointer {
        hash.add(UnsafeRawBufferPointer($0))
      }
      rest = rest.dropFirst(RunningContentHash.pieceByteCount)
    }
    return hash.finish()
  }

  /// Returns the hash of an opened file, read in pieces of 256 KiB.
  /// - Parameter limit: largest size of the file, in bytes.
  /// - Throws: `.limit` where the file is larger, `.unreadable` where it cannot be read or changes meanwhile.
  package static func of(_ file: borrowing OpenedFile, limit: Int = .max) throws(ReadingFailure) -> String {
    guard file.state.byteCount <= limit else { throw .limit(.fileBytes, limit) }
    var hash = RunningContentHash()
    var piece = [UInt8](repeating: 0, count: RunningContentHash.pieceByteCount)
    var offset = 0
    while true {
      let count = pread(file.descriptor, &piece, piece.count, off_t(offset))
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadable(detail: String(cString: strerror(errno)))
      }
      if count == 0 { break }
      piece.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
      guard offset <= limit else { throw .limit(.fileBytes, limit) }
    }
    guard offset == file.state.byteCount, file.isUnchanged else {
      throw .unreadable(detail: "it changed while it was read")
    }
    return hash.finish()
  }

  /// Returns the hash of the file at a path.
  package static func ofFile(at path: String, limit: Int = .max) throws(ReadingFailure) -> String {
    try of(OpenedFile(path: path), limit: limit)
  }
}

/// Incremental SHA-256.
package struct RunningContentHash: ~Copyable {
  static let pieceByteCount = 1 << 18
  private let checksum = g_checksum_new(G_CHECKSUM_SHA256)

  /// Begins a hash.
  package init() {}

  /// Adds bytes.
  package mutating func add(_ bytes: UnsafeRawBufferPointer) {
    g_checksum_update(checksum, bytes.baseAddress?.assumingMemoryBound(to: guchar.self), gssize(bytes.count))
  }

  /// Returns the hash of all bytes added, in lower-case hexadecimal.
  package func finish() -> String { String(cString: g_checksum_get_string(checksum)) }

  deinit { g_checksum_free(checksum) }
}
