import CSQLite

/// Errors of a database.
package enum DatabaseError: Error, Sendable, Equatable, Codable {
  /// SQLite failed; `code` is its extended result code.
  case failed(code: Int32, message: String, sql: String)
  /// A newer program made this file; it was left unchanged.
  case newer(found: Int, known: Int, path: String)
  /// A stored value is invalid for its column.
  case malformed(column: String, value: String)

  /// Indicates whether another process held the file for longer than the time-out of ten seconds.
  package var isBusy: Bool {
    if case .failed(let code, _, _) = self { return code & 0xff == SQLITE_BUSY }
    return false
  }

  /// Indicates whether the disk is full.
  package var isFull: Bool {
    if case .failed(let code, _, _) = self { return code & 0xff == SQLITE_FULL }
    return false
  }
}
