import Documents
import Foundation
import Persistence
import Threading

/// Documents with their pages and passages in `library.db`, and the index over them, most of which is in
/// `library.index` next to it.
///
/// Every change is one transaction: after a crash at any moment, the library holds each document wholly or not at
/// all. Several processes may use one library at the same time.
package actor Library {
  private let thread = DedicatedThread(name: "library")
  /// Thread of the library: SQLite never runs on the shared pool.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// URL that stands for a library in memory, which is gone with the actor.
  package static let inMemory = Database.inMemory
  /// Version of the database's form that this program makes.
  package static var formVersion: Int { LibrarySchema.migrations.count }

  /// File of the library.
  package nonisolated let url: URL
  let database: Database
  let index: KeywordIndex
  let vectors: VectorIndex
  let segmentUpdater: VectorSegmentUpdater
  let segmentSizes: ClosedRange<Int>
  /// Number of vectors stored since the segments were last updated.
  var gatheredVectorCount = 0
  private let lock: OpenLock
  let merger = IndexMerger()
  /// Background work under way.
  var maintenance: Task<Void, Never>?
  var isMaintenanceAsked = false
  var storedSinceMaintenance = 0
  var maintenanceError: LibraryError?

  /// Opens the library, creates it where it is absent, and checks the file where the last process did not close it.
  /// - Throws: ``LibraryError/newer(found:known:path:)`` without writing anything where a newer program made it;
  ///   ``LibraryError/damaged(path:problems:)`` where an integrity check fails.
  /// - Parameter segmentSizes: numbers of vectors in a segment: fewer are kept in memory, segments are merged up to
  ///   the upper bound.
  package init(at url: URL, segmentSizes: ClosedRange<Int> = 4_096...131_072) async throws(LibraryError) {
    self.url = url
    lock = OpenLock(beside: url)
    // A write-ahead log that was not checkpointed and that nobody writes: its writer crashed.
    let log = try? FileManager.default.attributesOfItem(atPath: url.path + "-wal")
    let hasCrashed = (log?[.size] as? Int ?? 0) > 0 && lock.isAlone
    do {
      database = try LibrarySchema.open(url)
    } catch {
      throw LibraryError(error)
    }
    let folder = url == Self.inMemory ? nil : url.deletingPathExtension().appendingPathExtension("index")
    index = KeywordIndex(database: database, folder: folder)
    segmentUpdater = VectorSegmentUpdater(url: url, sizes: segmentSizes)
    vectors = VectorIndex(
      database: database, segments: VectorSegments(beside: url, database: database, sizes: segmentSizes),
      updater: segmentUpdater)
    self.segmentSizes = segmentSizes
    if hasCrashed { try verify() }
    lock.share()
    try rebuildIndexIfOutdated()
    startMaintenance()
  }

  /// Checks the database's structure and the checksums of the keyword index, and rebuilds damaged segments.
  /// - Returns: the number of segments rebuilt.
  @discardableResult
  package func verify() throws(LibraryError) -> Int {
    let problems = try wrapped { () throws(DatabaseError) in try database.integrityProblems() }
    guard problems.isEmpty else { throw .damaged(path: url.path, problems: problems) }
    guard try !wrapped({ () throws(DatabaseError) in try index.isOutdated() }) else { return 0 }
    return try changing { () throws(LibraryError) in try index.repair() }
  }

  /// Rebuilds the index where another version of the analyzer built it.
  private func rebuildIndexIfOutdated() throws(LibraryError) {
    try wrapped { () throws(DatabaseError) in
      guard try index.isOutdated() else { return }
      try database.transaction { () throws(DatabaseError) in
        if try index.isOutdated() { try index.rebuild() }
      }
    }
  }

  /// Returns the numbers of documents, pages and passages.
  package func size() throws(LibraryError) -> LibrarySize {
    try wrapped { () throws(DatabaseError) in
      let sum = try database.first(
        "SELECT count(*), total(indexed_page_count), total(passage_count) FROM documents"
      ) { row throws(DatabaseError) in
        LibrarySize(documentCount: row.int(0), pageCount: row.int(1), passageCount: row.int(2))
      }
      return sum ?? LibrarySize(documentCount: 0, pageCount: 0, passageCount: 0)
    }
  }

  func wrapped<Value>(_ body: () throws(DatabaseError) -> Value) throws(LibraryError) -> Value {
    do { return try body() } catch { throw LibraryError(error) }
  }

  /// Runs a change as one transaction, and invalidates the loaded index.
  func changed<Value>(_ body: () throws(DatabaseError) -> Value) throws(LibraryError) -> Value {
    defer { index.invalidate() }
    return try wrapped { () throws(DatabaseError) in try database.transaction(body) }
  }
}
