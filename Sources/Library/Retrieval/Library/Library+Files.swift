import Documents
import Foundation
import Persistence

/// Relation of a known content to a path.
package enum Recognition: Sendable, Hashable {
  /// The path holds what it held before.
  case unchanged(DocumentID)
  /// The content was at another path that no longer exists; the document now answers for the new one.
  case moved(DocumentID, from: String)
  /// Another path holds the same content; the document answers for both.
  case copied(DocumentID, of: String)
}

extension Library {
  /// The document of a content hash, if the library has it.
  package func document(hash: String) throws(LibraryError) -> LibraryDocument? {
    try documents(where: "documents.hash=?", hash).first
  }

  /// Finds a file's content in the library by its hash and, if it is there, records the file's path; the file need
  /// not be read.
  ///
  /// A path that held other content is unlinked from it in the same transaction.
  package func recognize(hash: String, file: FileFacts) throws(LibraryError) -> Recognition? {
    guard let known = try document(hash: hash) else { return nil }
    if known.paths.contains(file.path) {
      try changed { () throws(DatabaseError) in try link(file, hash: hash, to: known.id.rawValue) }
      return .unchanged(known.id)
    }
    let gone = known.paths.first { !FileManager.default.fileExists(atPath: $0) }
    try changed { () throws(DatabaseError) in
      try link(file, hash: hash, to: known.id.rawValue)
      if let gone { try database.run("DELETE FROM files WHERE path=?", gone) }
    }
    if let gone { return .moved(known.id, from: gone) }
    return .copied(known.id, of: known.path)
  }

  /// Returns the outcome of the last attempt to read a path; nil where there was none.
  package func ledgerEntry(path: String) throws(LibraryError) -> LedgerEntry? {
    try ledger(where: "files.path=?", path).first
  }

  /// Returns every file that was ever tried and not removed, by path.
  package func ledger() throws(LibraryError) -> [LedgerEntry] { try ledger(where: "1") }

  /// Checks every file of the ledger, records the missing ones, and returns those, by path.
  ///
  /// Missing files are kept, and their documents are still found, until ``prune()`` or ``remove(_:)``.
  package func markMissing() throws(LibraryError) -> [LedgerEntry] {
    let entries = try ledger()
    let gone = entries.filter { !FileManager.default.fileExists(atPath: $0.file.path) }
    let gonePaths = Set(gone.map(\.file.path))
    let differing = entries.filter { $0.isMissing != gonePaths.contains($0.file.path) }
    if !differing.isEmpty {
      try changed { () throws(DatabaseError) in
        for entry in differing {
          try database.run("UPDATE files SET is_missing=? WHERE path=?", !entry.isMissing, entry.file.path)
        }
      }
    }
    return try ledger(where: "is_missing")
  }

  /// Removes missing files, and documents that no file holds any more; returns the removed ledger entries.
  package func prune() throws(LibraryError) -> [LedgerEntry] {
    let gone = try markMissing()
    try remove(paths: gone.map(\.file.path))
    return gone
  }

  /// Removes documents with all their paths, and every trace of their text from the files of the library.
  ///
  /// They are not found any more when this returns. Their text is erased from the files in the background:
  /// ``settle()`` waits for that.
  package func remove(_ ids: [DocumentID]) throws(LibraryError) {
    var paths: [String] = []
    for id in ids {
      guard let document = try document(id) else { throw .unknownDocument(id) }
      paths += document.paths
    }
    try remove(paths: paths)
  }

  /// Removes paths from the ledger, and documents that no other path holds with every trace of their text.
  ///
  /// They are not found any more when this returns. Their text is erased from the files in the background:
  /// ``settle()`` waits for that. Not an error: paths that are not in the ledger.
  package func remove(paths: [String]) throws(LibraryError) {
    guard !paths.isEmpty else { return }
    try changed { () throws(DatabaseError) in
      var removesText = false
      for path in paths {
        let document = try linkedDocument(of: path)
        try database.run("DELETE FROM files WHERE path=?", path)
        if let document {
          try removeUnlinked(document)
          removesText = true
        }
      }
      if removesText { try requestScrub() }
    }
    startMaintenance()
  }

  /// Number of removals so far, where text of some is still in the files; 0 where nothing is to be erased.
  func pendingScrub() throws(LibraryError) -> Int {
    try wrapped { () throws(DatabaseError) in
      try database.scalar(
        """
        SELECT CASE WHEN asked > done THEN asked ELSE 0 END FROM (SELECT
          coalesce((SELECT value FROM facts WHERE name='scrub'), 0) asked,
          coalesce((SELECT value FROM facts WHERE name='scrubbed'), 0) done)
        """)
    }
  }

  private func requestScrub() throws(DatabaseError) {
    try database.execute("INSERT INTO facts VALUES('scrub', 1) ON CONFLICT DO UPDATE SET value=value+1")
  }

  /// Erases removed text from the database: after a removal, or where a crash or a reader prevented it.
  /// - Parameter mark: the value of ``pendingScrub()`` before the index was cleared; later removals remain to be
  ///   erased.
  /// - Returns: whether nothing is left to be erased.
  @discardableResult
  func scrub(upTo mark: Int) throws(LibraryError) -> Bool {
    guard mark > 0 else { return true }
    try purgeVectors()
    return try wrapped { () throws(DatabaseError) in
      // Both counts only grow, so two processes that erase at once cannot take each other's removals for done.
      let isDone = try database.scrub(
        andRun: "INSERT INTO facts VALUES('scrubbed', \(mark)) ON CONFLICT DO UPDATE SET value=max(value, \(mark))"
      )
      // Where the write-ahead log could not be emptied, the text is still in it.
      if !isDone { try database.transaction { () throws(DatabaseError) in try requestScrub() } }
      return isDone
    }
  }

  private func ledger(where condition: String, _ arguments: any SQLValue...) throws(LibraryError) -> [LedgerEntry]
  {
    try wrapped { () throws(DatabaseError) in
      try database.rows(
        """
        SELECT path, files.byte_count, files.modified, files.hash, document, failure, indexed_page_count, page_count,
        tried, is_missing FROM files LEFT JOIN documents ON documents.id = files.document
        WHERE \(condition) ORDER BY path
        """, arguments: arguments
      ) { row throws(DatabaseError) in
        LedgerEntry(
          file: FileFacts(
            path: row.text(0), byteCount: row.int(1), modified: Date(timeIntervalSince1970: row.double(2))),
          hash: row.optionalText(3), document: row.isNull(4) ? nil : DocumentID(rawValue: Int64(row.int(4))),
          failure: row.optionalText(5).map(FailureCoding.decode), indexedPageCount: row.int(6),
          pageCount: row.int(7), tried: Date(timeIntervalSince1970: row.double(8)), isMissing: row.int(9) != 0)
      }
    }
  }
}
