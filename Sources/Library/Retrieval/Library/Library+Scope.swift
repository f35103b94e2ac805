import Documents
import Foundation
import Linguistics
import Persistence

/// Passages of the documents that a search is restricted to.
struct ScopeRows: Sendable {
  var passages: RowRanges
  var documentCount: Int
}

extension Library {
  /// Returns the documents in a scope that have one of the names; nil where all are.
  func documents(in scope: SearchScope, files: [String]) throws(LibraryError) -> Set<DocumentID>? {
    guard scope != .everything || !files.isEmpty else { return nil }
    var found: Set<DocumentID> = []
    try forEachDocument(in: scope, files: files) { row in found.insert(DocumentID(rawValue: Int64(row.int(0)))) }
    return found
  }

  /// Returns the passages in a scope whose document has one of the names; nil where all are.
  func scopeRows(_ scope: SearchScope, files: [String]) throws(LibraryError) -> ScopeRows? {
    guard scope != .everything || !files.isEmpty else { return nil }
    var found: [Range<UInt32>] = []
    var count = 0
    try forEachDocument(in: scope, files: files) { row in
      let first = UInt32(clamping: row.int(1))
      found.append(first..<first + UInt32(clamping: row.int(2)))
      count += 1
    }
    return ScopeRows(passages: RowRanges(found), documentCount: count)
  }

  /// The number of passages in a part of the library.
  package func passageCount(in scope: SearchScope) throws(LibraryError) -> Int {
    guard scope != .everything else { return try size().passageCount }
    var count = 0
    try forEachDocument(in: scope, files: []) { row in count += row.int(2) }
    return count
  }

  private func forEachDocument(
    in scope: SearchScope, files: [String], _ take: (Row) -> Void
  ) throws(LibraryError) {
    var conditions = ["1"]
    var arguments: [any SQLValue] = []
    if let kinds = scope.kinds {
      conditions.append("kind IN (SELECT value FROM json_each(?))")
      arguments.append("[\(kinds.map { "\"\($0.rawValue)\"" }.joined(separator: ","))]")
    }
    if let documents = scope.documents {
      conditions.append("documents.id IN (SELECT value FROM json_each(?))")
      arguments.append("[\(documents.map { String($0.rawValue) }.joined(separator: ","))]")
    }
    if let since = scope.since {
      conditions.append("documents.modified >= ?")
      arguments.append(since.timeIntervalSince1970)
    }
    if let before = scope.before {
      conditions.append("documents.modified < ?")
      arguments.append(before.timeIntervalSince1970)
    }
    if let folder = scope.folder {
      let prefix = folder.hasSuffix("/") ? folder : folder + "/"
      conditions.append(
        """
        EXISTS (SELECT 1 FROM files WHERE files.document = documents.id
        AND substr(path, 1, length(?)) = ?)
        """)
      arguments += [prefix, prefix]
    }
    try wrapped { () throws(DatabaseError) in
      let named = try documents(named: files)
      _ = try database.rows(
        "SELECT id, first_passage, passage_count FROM documents WHERE \(conditions.joined(separator: " AND "))",
        arguments: arguments
      ) { row throws(DatabaseError) in
        if named?.contains(row.int(0)) ?? true { take(row) }
      }
    }
  }

  /// Returns the documents with a file name that is, or contains, one of the names; nil where no names are given.
  private func documents(named files: [String]) throws(DatabaseError) -> Set<Int>? {
    guard !files.isEmpty else { return nil }
    let names = files.map(Folding.fold)
    var found: Set<Int> = []
    _ = try database.rows("SELECT document, path FROM files WHERE document IS NOT NULL") {
      row throws(DatabaseError) in
      let path = Folding.fold(row.text(1))
      let last = path.split(separator: "/").last.map(String.init) ?? path
      if names.contains(where: { last.contains($0) || ($0.contains("/") && path.contains($0)) }) {
        found.insert(row.int(0))
      }
    }
    return found
  }
}
