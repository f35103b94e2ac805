import CSQLite
import Foundation

/// Value that SQLite can store.
package protocol SQLValue {
  /// Storage form.
  var sqlStorage: SQLStorage { get }
}

/// SQLite's storage classes.
package enum SQLStorage {
  case null, integer(Int64), real(Double), text(String), blob(Data)
}

extension Int: SQLValue {
  /// Stored as an integer.
  package var sqlStorage: SQLStorage { .integer(Int64(self)) }
}

extension Int64: SQLValue {
  /// Stored as an integer.
  package var sqlStorage: SQLStorage { .integer(self) }
}

extension Bool: SQLValue {
  /// Stored as 0 or 1.
  package var sqlStorage: SQLStorage { .integer(self ? 1 : 0) }
}

extension Double: SQLValue {
  /// Stored as a real.
  package var sqlStorage: SQLStorage { .real(self) }
}

extension String: SQLValue {
  /// Stored as text.
  package var sqlStorage: SQLStorage { .text(self) }
}

extension Data: SQLValue {
  /// Stored as a blob.
  package var sqlStorage: SQLStorage { .blob(self) }
}

extension Optional: SQLValue where Wrapped: SQLValue {
  /// Stored as the value, or NULL.
  package var sqlStorage: SQLStorage { self?.sqlStorage ?? .null }
}

/// Prepared statement, cached by its text.
final class Statement {
  let handle: OpaquePointer
  private unowned let database: Database
  private let sql: String
  private(set) var isBusy = false

  init(_ sql: String, in database: Database) throws(DatabaseError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw database.failure(code, sql) }
    handle = prepared
    self.database = database
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ arguments: [any SQLValue]) throws(DatabaseError) {
    precondition(arguments.count == Int(sqlite3_bind_parameter_count(handle)), "wrong number of arguments: \(sql)")
    isBusy = true
    // SQLITE_TRANSIENT: SQLite copies what it is given.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (place, argument) in arguments.enumerated() {
      let at = Int32(place + 1)
      let code =
        switch argument.sqlStorage {
        case .null: sqlite3_bind_null(handle, at)
        case .integer(let value): sqlite3_bind_int64(handle, at, value)
        case .real(let value): sqlite3_bind_double(handle, at, value)
        case .text(let value): sqlite3_bind_text(handle, at, value, Int32(clamping: value.utf8.count), copies)
        case .blob(let value):
          value.withUnsafeBytes {
            $0.isEmpty
              ? sqlite3_bind_zeroblob(handle, at, 0)
              : sqlite3_bind_blob64(handle, at, $0.baseAddress, UInt64($0.count), copies)
          }
        }
      guard code == SQLITE_OK else { throw database.failure(code, sql) }
    }
  }

  func step() throws(DatabaseError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.failure(code, sql)
    }
  }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    isBusy = false
  }
}

/// Current row of a query; valid only inside the closure it is given to. Columns count from 0.
package struct Row {
  private let statement: Statement

  init(_ statement: Statement) { self.statement = statement }

  /// Indicates whether the column is NULL.
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(statement.handle, Int32(column)) == SQLITE_NULL
  }

  /// Returns the column as an integer (0 for NULL).
  package func int(_ column: Int) -> Int { Int(sqlite3_column_int64(statement.handle, Int32(column))) }

  /// Returns the column as a floating-point number (0 for NULL).
  package func double(_ column: Int) -> Double { sqlite3_column_double(statement.handle, Int32(column)) }

  /// Returns the column as text (empty for NULL); ill-formed UTF-8 is repaired.
  package func text(_ column: Int) -> String {
    guard let start = sqlite3_column_text(statement.handle, Int32(column)) else { return "" }
    let count = Int(sqlite3_column_bytes(statement.handle, Int32(column)))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Returns the column as text, or nil for NULL.
  package func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  /// Returns the column as bytes (empty for NULL).
  package func blob(_ column: Int) -> Data {
    guard let start = sqlite3_column_blob(statement.handle, Int32(column)) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement.handle, Int32(column))))
  }
}
