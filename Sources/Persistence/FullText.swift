import CSQLite

/// What FTS5 is extended by: `tally(table)`, which counts the matches of a one-phrase query in each column of the current row.
///
/// Its value is one integer, sixteen bits a column, the first column lowest; at most four columns.
public enum FullText {
  /// Registers `tally` on an open connection; for the `initialize` parameter of ``Database``.
  public static func register(on handle: OpaquePointer) throws(DatabaseError) {
    var statement: OpaquePointer?
    var code = sqlite3_prepare_v2(handle, "SELECT fts5(?1)", -1, &statement, nil)
    defer { sqlite3_finalize(statement) }
    var api: UnsafeMutablePointer<fts5_api>?
    if code == SQLITE_OK {
      let kind: StaticString = "fts5_api_ptr"
      code = kind.utf8Start.withMemoryRebound(to: CChar.self, capacity: kind.utf8CodeUnitCount + 1) {
        sqlite3_bind_pointer(statement, 1, &api, $0, nil)
      }
    }
    if code == SQLITE_OK { sqlite3_step(statement) }
    guard let api, let create = api.pointee.xCreateFunction else {
      throw .failed(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: "fts5()")
    }
    code = create(api, "tally", nil, tally, nil)
    guard code == SQLITE_OK else {
      throw .failed(code: code, message: String(cString: sqlite3_errmsg(handle)), sql: "tally()")
    }
  }

  private static let tally: fts5_extension_function = { api, context, result, _, _ in
    guard let api = api?.pointee, let first = api.xPhraseFirst, let next = api.xPhraseNext else { return }
    var iterator = Fts5PhraseIter()
    var (column, offset): (Int32, Int32) = (0, 0)
    var counts: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    let code = first(context, 0, &iterator, &column, &offset)
    guard code == SQLITE_OK else {
      sqlite3_result_error_code(result, code)
      return
    }
    while column >= 0 {
      switch column {
      case 0: counts.0 += 1
      case 1: counts.1 += 1
      case 2: counts.2 += 1
      default: counts.3 += 1
      }
      next(context, &iterator, &column, &offset)
    }
    let packed =
      min(counts.0, 0xffff) | min(counts.1, 0xffff) << 16 | min(counts.2, 0xffff) << 32
      | min(counts.3, 0x7fff) << 48
    sqlite3_result_int64(result, sqlite3_int64(packed))
  }
}
