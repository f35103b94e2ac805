/// Reason that a file did not become a document.
///
/// ``name`` is stored in the ledger and printed by `--json`; it never changes. The caller turns a failure into a
/// sentence.
package enum ReadingFailure: Error, Sendable, Hashable, Codable {
  /// No page of the file holds text: a scan, or an empty file.
  case emptyText(pageCount: Int)
  /// A password is needed and none was given.
  case encrypted
  /// The password given does not open the file.
  case wrongPassword
  /// The file violates its format.
  case damaged(detail: String)
  /// A limit was reached before there was anything to keep.
  case limit(ReadingLimit, Int)
  /// The file is not text and in no readable format.
  case binary
  /// The format is known, but cannot be read.
  case unsupported(detail: String)
  /// The reader was killed at its deadline.
  case timeout(seconds: Int)
  /// The reader was killed by a signal; 0 where it exited without a proper answer.
  case crashed(signal: Int32)
  /// The file could not be opened or read, or changed while it was read.
  case unreadable(detail: String)

  /// Stable name of the failure, without its facts.
  package var name: String {
    switch self {
    case .emptyText: "empty-text"
    case .encrypted: "encrypted"
    case .wrongPassword: "wrong-password"
    case .damaged: "damaged"
    case .limit: "limit"
    case .binary: "binary"
    case .unsupported: "unsupported"
    case .timeout: "timeout"
    case .crashed: "crashed"
    case .unreadable: "unreadable"
    }
  }
}

/// Resources of which a reader may use only a limited amount.
package enum ReadingLimit: String, Sendable, Hashable, Codable, CaseIterable {
  case fileBytes = "file-bytes"
  case pages
  case characters
  /// Memory of the reader, in bytes.
  case memory
  /// Processor time, in seconds.
  case processorTime = "processor-time"
  /// Unpacked size of an archive, in bytes.
  case unpackedBytes = "unpacked-bytes"
  /// Number of files in an archive.
  case members
  /// Nesting depth of markup.
  case nesting
}
