import Documents
import Glibc
import Platform

/// SHA-256 of bytes and files, in lower-case hexadecimal.
package enum ContentHash {
  private static let pieceByteCount = 1 << 18

  /// Returns the hash of bytes.
  package static func of(_ bytes: some Sequence<UInt8>) -> String {
    Array(bytes).withUnsafeBytes { SHA256.of($0).hexadecimal }
  }

  /// Returns the hash of an opened file, read in pieces of 256 KiB.
  /// - Parameter limit: largest size of the file, in bytes.
  /// - Throws: `.limit` where the file is larger, `.unreadable` where it cannot be read or changes meanwhile.
  package static func of(_ file: borrowing OpenedFile, limit: Int = .max) throws(ReadingFailure) -> String {
    guard file.state.byteCount <= limit else { throw .limit(.fileBytes, limit) }
    var hash = SHA256()
    var piece = [UInt8](repeating: 0, count: pieceByteCount)
    var offset = 0
    while true {
      let count = pread(file.descriptor, &piece, piece.count, off_t(offset))
      if count < 0 {
        if errno == EINTR { continue }
        throw .unreadable(detail: SystemMessage.of(errno))
      }
      if count == 0 { break }
      piece.withUnsafeBytes { hash.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      offset += count
      guard offset <= limit else { throw .limit(.fileBytes, limit) }
    }
    guard offset == file.state.byteCount, file.isUnchanged else {
      throw .unreadable(detail: "it changed while it was read")
    }
    return hash.finish().hexadecimal
  }

  /// Returns the hash of the file at a path.
  package static func ofFile(at path: String, limit: Int = .max) throws(ReadingFailure) -> String {
    try of(OpenedFile(path: path), limit: limit)
  }
}
