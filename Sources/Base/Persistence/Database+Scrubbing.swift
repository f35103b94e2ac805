import CSQLite

extension Database {
  /// Overwrites remains of deleted rows in the unused part of pages, so that they are in no file any more.
  ///
  /// `secure_delete` overwrites a row where it is deleted, but not the copies that stayed behind when pages were
  /// rebalanced (SQLite's own `scrub` extension exists for that). Here the gap of every b-tree page is zeroed in
  /// place: nothing reads it, so a crash in between does no harm.
  /// - Parameter statement: runs in the same transaction, for example to record the scrub; it must change something,
  ///   so that other connections drop their cached pages.
  /// - Returns: false, with nothing done, where another process held the write-ahead log for too long to empty it.
  package func scrub(andRun statement: String) throws(DatabaseError) -> Bool {
    for _ in 0..<3 {
      guard try emptyLog() else { return false }
      try execute("BEGIN IMMEDIATE")
      do throws(DatabaseError) {
        // While the write lock is held over an empty log, nobody else writes to the file.
        var isScrubbed = try logIsEmpty()
        if isScrubbed { isScrubbed = try zeroGaps() }
        if isScrubbed { try execute(statement) }
        try execute("COMMIT")
        if isScrubbed { return try emptyLog() }
      } catch {
        // SQLite may have rolled back by itself; a failure here then says nothing new.
        try? execute("ROLLBACK")
        throw error
      }
    }
    return false
  }

  /// Checkpoints the write-ahead log and empties it; false where another process still reads from it.
  private func emptyLog() throws(DatabaseError) -> Bool {
    try first("PRAGMA wal_checkpoint(TRUNCATE)") { row throws(DatabaseError) in row.int(0) == 0 } ?? false
  }

  private func file(_ operation: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(handle, "main", operation, &file)
    return code == SQLITE_OK ? file : nil
  }

  private func logIsEmpty() throws(DatabaseError) -> Bool {
    guard let log = file(SQLITE_FCNTL_JOURNAL_POINTER), let methods = log.pointee.pMethods else { return true }
    var size: sqlite3_int64 = 0
    let code = methods.pointee.xFileSize(log, &size)
    guard code == SQLITE_OK else { throw failure(code, "size of the log") }
    return size == 0
  }

  /// Zeroes the unused middle of every b-tree page (sqlite.org/fileformat2.html#b_tree_pages), through SQLite's own
  /// open file.
  private func zeroGaps() throws(DatabaseError) -> Bool {
    let pageSize = try scalar("PRAGMA page_size")
    let pageCount = try scalar("PRAGMA page_count")
    // In a larger file, an overflow page's first byte could be taken for a page type.
    guard pageCount < 0x0200_0000, let file = file(SQLITE_FCNTL_FILE_POINTER), let methods = file.pointee.pMethods
    else { return false }
    sqlite3_db_release_memory(handle)
    // Pages are read in batches: a call for each would take longer than the inspection.
    let most = max(1, (1 << 20) / pageSize)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: most * pageSize, alignment: 8)
    defer { memory.deallocate() }
    for first in stride(from: 0, to: pageCount, by: most) {
      let count = min(most, pageCount - first)
      let offset = sqlite3_int64(first) * sqlite3_int64(pageSize)
      let code = methods.pointee.xRead(file, memory.baseAddress, Int32(count * pageSize), offset)
      guard code == SQLITE_OK else { throw failure(code, "read page \(first + 1)") }
      for place in 0..<count {
        let page = UnsafeMutableRawBufferPointer(rebasing: memory[place * pageSize..<(place + 1) * pageSize])
        guard let gap = Self.gap(of: page, headerAt: first + place == 0 ? 100 : 0) else { continue }
        let zeros = UnsafeMutableRawBufferPointer(rebasing: page[gap])
        zeros.initializeMemory(as: UInt8.self, repeating: 0)
        let code = methods.pointee.xWrite(
          file, zeros.baseAddress, Int32(gap.count),
          offset + sqlite3_int64(place * pageSize + gap.lowerBound))
        guard code == SQLITE_OK else { throw failure(code, "write page \(first + place + 1)") }
      }
    }
    let code = methods.pointee.xSync(file, SQLITE_SYNC_NORMAL)
    guard code == SQLITE_OK else { throw failure(code, "sync") }
    return true
  }

  /// Returns the range between a b-tree page's cell pointers and its cells; nil where it is empty or already zero.
  private static func gap(of page: UnsafeMutableRawBufferPointer, headerAt start: Int) -> Range<Int>? {
    let headerSize: Int
    switch page[start] {
    case 2, 5: headerSize = 12
    case 10, 13: headerSize = 8
    default: return nil
    }
    func number(at offset: Int) -> Int { Int(page[start + offset]) << 8 | Int(page[start + offset + 1]) }
    let from = start + headerSize + 2 * number(at: 3)
    let to = number(at: 5) == 0 ? 65_536 : number(at: 5)
    guard from < to, to <= page.count, !isZero(page[from..<to]) else { return nil }
    return from..<to
  }

  private static func isZero(_ bytes: Slice<UnsafeMutableRawBufferPointer>) -> Bool {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let whole = bytes.count / 8 * 8
    for place in stride(from: 0, to: whole, by: 8)
    where bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self) != 0 {
      return false
    }
    return bytes[whole...].allSatisfy { $0 == 0 }
  }
}
