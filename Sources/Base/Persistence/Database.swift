import CSQLite
import Foundation

/// Connection to one SQLite file. It belongs to one actor and must not leave it.
///
/// Opening sets WAL, `foreign_keys`, `secure_delete`, no trusted schema, no extension loading, temporary data in
/// memory, and files that only this user can read.
package final class Database {
  /// Durability of a commit.
  package enum Durability: String, Sendable {
    /// Each commit is on the disk (`synchronous=FULL`): for tickets, sessions, telemetry.
    case full = "FULL"
    /// A power cut may lose the last commits but never damages the file (`synchronous=NORMAL`): for data that can be
    /// rebuilt.
    case normal = "NORMAL"
  }

  /// File of the database.
  package let url: URL
  /// URL that stands for a database in memory, which is gone with its connection.
  package static let inMemory = URL(filePath: "/dev/null/memory")

  /// Time to wait for another process, in milliseconds.
  private static let patience: Int32 = 10_000

  let handle: OpaquePointer
  private var cache: [String: Statement] = [:]

  /// Opens the file, creates it where it is absent, and migrates its schema.
  /// - Parameters:
  ///   - migrations: every step since the first version; step n takes `user_version` from n to n + 1.
  ///   - initialize: runs on the open connection before any migration (custom functions and tokenizers).
  /// - Throws: ``DatabaseError/newer(found:known:path:)`` without writing anything where a newer program made the
  ///   file.
  package init(
    at url: URL, durability: Durability, migrations: [String],
    initialize: (OpaquePointer) throws(DatabaseError) -> Void = { _ throws(DatabaseError) in }
  ) throws(DatabaseError) {
    self.url = url
    let previousMask = umask(0o077)
    defer { umask(previousMask) }
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(url == Self.inMemory ? ":memory:" : url.path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw .failed(code: code, message: message, sql: "open \(url.path)")
    }
    handle = opened
    sqlite3_busy_timeout(handle, Self.patience)
    let known = migrations.count
    let found = try scalar("PRAGMA user_version")
    guard found <= known else { throw .newer(found: found, known: known, path: url.path) }
    try enterWAL()
    try execute("PRAGMA synchronous=\(durability.rawValue)")
    for pragma in [
      "foreign_keys=ON", "secure_delete=ON", "trusted_schema=OFF", "cell_size_check=ON", "temp_store=MEMORY",
    ] { try execute("PRAGMA \(pragma)") }
    try initialize(handle)
    if found < known { try migrate(migrations) }
  }

  deinit {
    cache.removeAll()
    sqlite3_close_v2(handle)
  }

  /// Switches the file to a write-ahead log. SQLite does not wait for a lock here, since two waiting connections
  /// could deadlock, and two processes that open a new file at once both ask for it: so this waits itself.
  private func enterWAL() throws(DatabaseError) {
    let pause: Int32 = 10
    for _ in 0..<Self.patience / pause {
      do { return try execute("PRAGMA journal_mode=WAL") } catch { guard error.isBusy else { throw error } }
      sqlite3_sleep(pause)
    }
    try execute("PRAGMA journal_mode=WAL")
  }

  private func migrate(_ migrations: [String]) throws(DatabaseError) {
    // Another process may have migrated before the lock was taken, so the version is read again under it.
    try transaction { () throws(DatabaseError) in
      let current = try scalar("PRAGMA user_version")
      guard current < migrations.count else { return }
      for step in migrations[current...] { try execute(step) }
      try execute("PRAGMA user_version=\(migrations.count)")
    }
  }

  /// Runs statements that return no rows of interest, separated by semicolons.
  package func execute(_ sql: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code, sql) }
  }

  /// Runs one statement with its arguments and returns the number of rows it changed.
  @discardableResult
  package func run(_ sql: String, _ arguments: any SQLValue...) throws(DatabaseError) -> Int {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(arguments)
    while try statement.step() {}
    return Int(sqlite3_changes64(handle))
  }

  /// Returns the result of `read` for each row of a query.
  package func rows<Value>(
    _ sql: String, _ arguments: any SQLValue..., read: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] {
    try rows(sql, arguments: arguments, read: read)
  }

  /// Returns the result of `read` for each row of a query whose arguments are in an array.
  package func rows<Value>(
    _ sql: String, arguments: [any SQLValue], read: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> [Value] {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(arguments)
    var values: [Value] = []
    while try statement.step() { values.append(try read(Row(statement))) }
    return values
  }

  /// Returns the result of `read` for the first row of a query, or nil where it has none.
  package func first<Value>(
    _ sql: String, _ arguments: any SQLValue..., read: (Row) throws(DatabaseError) -> Value
  ) throws(DatabaseError) -> Value? {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(arguments)
    return try statement.step() ? try read(Row(statement)) : nil
  }

  /// Returns the first column of the first row as an integer; 0 where there is none.
  package func scalar(_ sql: String, _ arguments: any SQLValue...) throws(DatabaseError) -> Int {
    let statement = try prepared(sql)
    defer { statement.reset() }
    try statement.bind(arguments)
    return try statement.step() ? Row(statement).int(0) : 0
  }

  /// Id of the row inserted last.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs `body` as one write transaction (`BEGIN IMMEDIATE`), rolled back where it throws. Transactions do not nest.
  package func transaction<Value>(_ body: () throws(DatabaseError) -> Value) throws(DatabaseError) -> Value {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      // SQLite may have rolled back by itself (a full disk); a failure here then says nothing new.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Empties the write-ahead log, so that deleted text is in no file any more.
  /// Not an error: a reader in another process can delay it; a later call then succeeds.
  package func truncateLog() throws(DatabaseError) { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Returns the problems found by SQLite's integrity check; empty where there are none.
  package func integrityProblems() throws(DatabaseError) -> [String] {
    try rows("PRAGMA quick_check") { row throws(DatabaseError) in row.text(0) }.filter { $0 != "ok" }
  }

  private func prepared(_ sql: String) throws(DatabaseError) -> Statement {
    if let known = cache[sql], !known.isBusy { return known }
    let statement = try Statement(sql, in: self)
    cache[sql] = statement
    return statement
  }

  func failure(_ code: Int32, _ sql: String) -> DatabaseError {
    .failed(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: sql)
  }
}
