/// Why a file did not become a document.
///
/// ``name`` is what the ledger stores and `--json` prints; it never changes. Turning a failure into a sentence is the
/// caller's work.
package enum ReadingFailure: Error, Sendable, Hashable, Codable {
  /// The file opened, but no page holds text: a scan, or an empty file.
  case emptyText(pageCount: Int)
  /// A password is needed and none was given.
  case encrypted
  /// A password was given and does not open the file.
  case wrongPassword
  /// The file is not what its form demands.
  case damaged(detail: String)
  /// A limit was reached before there was anything to keep.
  case limit(ReadingLimit, Int)
  /// The file is not text and not in a form that can be read.
  case binary
  /// The form is known, but cannot be read.
  case unsupported(detail: String)
  /// The reader was still at work at its deadline and was ended.
  case timeout(seconds: Int)
  /// The reader was ended by a signal; 0 where it ended by itself without a proper answer.
  case crashed(signal: Int32)
  /// The file could not be opened or read, or changed while it was read.
  case unreadable(detail: String)

  /// The stable name of the failure, without its facts.
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

/// What a reader may not use more of.
package enum ReadingLimit: String, Sendable, Hashable, Codable, CaseIterable {
  case fileBytes = "file-bytes"
  case pages
  case characters
  /// The reader's memory, in bytes.
  case memory
  /// Processor time, in seconds.
  case processorTime = "processor-time"
  /// What a packed file unpacks to, in bytes.
  case unpackedBytes = "unpacked-bytes"
  /// The files inside a packed file.
  case members
  /// How deep marks nest.
  case nesting
}
