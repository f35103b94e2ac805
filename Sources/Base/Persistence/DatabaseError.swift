import CSQLite

/// What can go wrong with a database.
package enum DatabaseError: Error, Sendable, Equatable {
  /// SQLite refused; `code` is its extended result code.
  case failed(code: Int32, message: String, sql: String)
  /// A newer program made this file; it was left as it is.
  case newer(found: Int, known: Int, path: String)
  /// A stored value is not what its column should hold.
  case malformed(column: String, value: String)

  /// Whether another process held the file for longer than the patience of ten seconds.
  package var isBusy: Bool {
    if case .failed(let code, _, _) = self { return code & 0xff == SQLITE_BUSY }
    return false
  }

  /// Whether the disk is full.
  package var isFull: Bool {
    if case .failed(let code, _, _) = self { return code & 0xff == SQLITE_FULL }
    return false
  }
}
