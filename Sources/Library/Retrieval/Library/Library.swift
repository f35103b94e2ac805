import Documents
import Foundation
import Persistence
import Threading

/// The documents, their pages and passages: `library.db`; and the index over them, of which the larger part is beside it in
/// `library.index`.
///
/// Every change is one transaction: after a crash at any moment, the library holds each document wholly or not at all.
/// Several processes may use one library at the same time.
package actor Library {
  private let thread = DedicatedThread(name: "library")
  /// The library's own thread: SQLite never runs on the shared pool.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Stands for a library that lives in memory and goes with the actor.
  package static let inMemory = Database.inMemory
  /// Version of the database's form that this program makes.
  package static var formVersion: Int { LibrarySchema.migrations.count }

  /// The file.
  package nonisolated let url: URL
  let database: Database
  let index: KeywordIndex
  let vectors: VectorIndex
  let vectorKeeper: VectorKeeper
  let segmentSizes: ClosedRange<Int>
  /// Vectors stored since the segments were last tended.
  var gatheredVectorCount = 0
  private let lock: OpenLock
  let merger = IndexMerger()
  /// The background work under way.
  var maintenance: Task<Void, Never>?
  var isMaintenanceAsked = false
  var storedSinceMaintenance = 0
  var maintenanceError: LibraryError?

  /// Opens the library, creates it where it is absent, and checks the file where the last process did not close it.
  /// - Throws: ``LibraryError/newer(found:known:path:)`` without writing anything where a newer program made it;
  ///   ``LibraryError/damaged(path:problems:)`` where the file is not sound.
  /// - Parameter segmentSizes: the vectors of a segment: fewer are kept in memory, segments are merged up to the upper bound.
  package init(at url: URL, segmentSizes: ClosedRange<Int> = 4_096...131_072) async throws(LibraryError) {
    self.url = url
    lock = OpenLock(beside: url)
    // A log that was not folded in, and nobody who still writes it: its writer crashed.
    let log = try? FileManager.default.attributesOfItem(atPath: url.path + "-wal")
    let hasCrashed = (log?[.size] as? Int ?? 0) > 0 && lock.isAlone
    do {
      database = try LibrarySchema.open(url)
    } catch {
      throw LibraryError(error)
    }
    let folder = url == Self.inMemory ? nil : url.deletingPathExtension().appendingPathExtension("index")
    index = KeywordIndex(database: database, folder: folder)
    vectorKeeper = VectorKeeper(url: url, sizes: segmentSizes)
    vectors = VectorIndex(
      database: database, segments: VectorSegments(beside: url, database: database, sizes: segmentSizes),
      keeper: vectorKeeper)
    self.segmentSizes = segmentSizes
    if hasCrashed { try verify() }
    lock.share()
    try rebuildIndexIfOutdated()
    startMaintenance()
  }

  /// Checks the database's structure, and every byte of the keyword index, of which what is damaged is made anew.
  /// - Returns: how many segments were.
  @discardableResult
  package func verify() throws(LibraryError) -> Int {
    let problems = try wrapped { () throws(DatabaseError) in try database.integrityProblems() }
    guard problems.isEmpty else { throw .damaged(path: url.path, problems: problems) }
    guard try !wrapped({ () throws(DatabaseError) in try index.isOutdated() }) else { return 0 }
    return try changing { () throws(LibraryError) in try index.repair() }
  }

  /// Makes the index anew where another version of the program cut the words differently.
  private func rebuildIndexIfOutdated() throws(LibraryError) {
    try wrapped { () throws(DatabaseError) in
      guard try index.isOutdated() else { return }
      try database.transaction { () throws(DatabaseError) in
        if try index.isOutdated() { try index.makeAnew() }
      }
    }
  }

  /// How much the library holds.
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

  /// Runs a change as one transaction; what is remembered of the index is forgotten.
  func changed<Value>(_ body: () throws(DatabaseError) -> Value) throws(LibraryError) -> Value {
    defer { index.forget() }
    return try wrapped { () throws(DatabaseError) in try database.transaction(body) }
  }
}
