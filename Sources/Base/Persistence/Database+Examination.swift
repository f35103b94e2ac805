import CSQLite
import Foundation

extension Database {
  /// Checks a database file without changing it: its structure (`quick_check`) and its references
  /// (`foreign_key_check`).
  /// - Returns: the problems found, empty where there are none; nil where there is no such file.
  package static func examine(_ url: URL) -> [String]? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
      return [handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"]
    }
    sqlite3_busy_timeout(handle, 10_000)
    var problems: [String] = []
    for sql in ["PRAGMA quick_check", "PRAGMA foreign_key_check"] {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      var code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
      while code == SQLITE_OK || code == SQLITE_ROW {
        code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { break }
        let text = sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? ""
        if text != "ok" {
          problems.append(sql.hasSuffix("key_check") ? "a reference in \(text) leads nowhere" : text)
        }
      }
      if code != SQLITE_DONE {
        problems.append(handle.map { String(cString: sqlite3_errmsg($0)) } ?? "error \(code)")
      }
    }
    return problems
  }

  /// Returns the schema version of a database (`user_version`); nil where the file is absent or not a database.
  package static func formVersion(_ url: URL) -> Int? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    var (handle, statement): (OpaquePointer?, OpaquePointer?) = (nil, nil)
    defer {
      sqlite3_finalize(statement)
      sqlite3_close_v2(handle)
    }
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
      sqlite3_prepare_v2(handle, "PRAGMA user_version", -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW
    else { return nil }
    return Int(sqlite3_column_int64(statement, 0))
  }

  /// Writes a consistent copy of a database, while others may be using it (`VACUUM INTO`).
  package static func snapshot(of url: URL, to target: URL) throws(DatabaseError) {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    func fail(_ code: Int32, _ sql: String) -> DatabaseError {
      .failed(code: code, message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory", sql: sql)
    }
    var code = sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else { throw fail(code, "open \(url.path)") }
    sqlite3_busy_timeout(handle, 10_000)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    let sql = "VACUUM INTO ?1"
    code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK else { throw fail(code, sql) }
    let keeps = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    sqlite3_bind_text(statement, 1, target.path, -1, keeps)
    code = sqlite3_step(statement)
    guard code == SQLITE_DONE else { throw fail(code, sql) }
  }

  /// Checkpoints a database's write-ahead log into its file, as far as possible.
  package static func foldLog(of url: URL) {
    var handle: OpaquePointer?
    // A database that cannot be opened has no log to save.
    if sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK {
      sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nil, nil, nil)
    }
    sqlite3_close_v2(handle)
  }

  /// Version of SQLite in use.
  package static var libraryVersion: String { String(cString: sqlite3_libversion()) }
}
