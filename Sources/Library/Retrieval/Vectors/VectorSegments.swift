import Foundation
import Persistence
import Threading

/// Vector segment files of a library, listed in `vector_segments`; their content is stored in `vector_batches`.
///
/// A segment holds all batches of one embedder between two ids, so that writing, merging, purging and repairing are
/// one operation: rewriting the range. Only the holder of the lock writes or removes files; readers never wait.
struct VectorSegments {
  private let folder: URL
  private let database: Database
  private let sizes: ClosedRange<Int>

  /// Makes the segments of a library's file; nil for a library in memory.
  /// - Parameter sizes: batches are searched in memory until they hold as many vectors as the lower bound; segments
  ///   are not merged beyond the upper bound.
  init?(beside url: URL, database: Database, sizes: ClosedRange<Int>) {
    guard url != Database.inMemory else { return nil }
    self.sizes = sizes
    folder = url.deletingPathExtension().appendingPathExtension("index").appending(path: "vectors")
    self.database = database
  }

  /// Row of the table of segments.
  struct Entry: Hashable {
    var name: String
    var embedder: Int64
    var firstBatch: Int64
    var lastBatch: Int64
    var rowCount: Int
    /// Indicates whether it holds vectors of removed passages, and is due for rewriting.
    var isDue: Bool
  }

  /// Returns the segments of an embedder, oldest batches first.
  static func entries(of embedder: Int64, in database: Database) throws(DatabaseError) -> [Entry] {
    try database.rows(
      """
      SELECT name, first_batch, last_batch, row_count, is_due FROM vector_segments WHERE embedder=?
      ORDER BY first_batch
      """, embedder
    ) { row throws(DatabaseError) in
      Entry(
        name: row.text(0), embedder: embedder, firstBatch: Int64(row.int(1)), lastBatch: Int64(row.int(2)),
        rowCount: row.int(3), isDue: row.int(4) != 0)
    }
  }

  /// Returns the batches of an embedder between two ids.
  static func batches(
    of embedder: Int64, dimension: Int, _ range: ClosedRange<Int64>, in database: Database
  ) throws(DatabaseError) -> [VectorBatch] {
    try database.rows(
      """
      SELECT id, document, first_passage, windows, vectors FROM vector_batches
      WHERE embedder=? AND id BETWEEN ? AND ? ORDER BY id
      """, embedder, range.lowerBound, range.upperBound
    ) { row throws(DatabaseError) in
      let batch = VectorBatch(
        id: Int64(row.int(0)), document: Int64(row.int(1)), firstPassage: Int64(row.int(2)), windows: row.blob(3),
        halves: row.blob(4), dimension: dimension)
      guard let batch else { throw .malformed(column: "vector_batches", value: "\(row.int(0))") }
      return batch
    }
  }

  func file(_ name: String) -> URL { folder.appending(path: name) }

  /// Updates the files: rewrites segments that are damaged or hold removed vectors, makes a segment of the batches
  /// stored since, merges small ones, and deletes files that no row names.
  /// - Parameters:
  ///   - damaged: names of segments whose file could not be read.
  ///   - waits: whether to wait for another process that does the same; otherwise the work is left to it.
  func update(damaged: Set<String> = [], waits: Bool) throws(LibraryError) {
    guard let lock = try Lock(folder, waits: waits) else { return }
    defer { lock.release() }
    do throws(DatabaseError) {
      let embedders = try database.rows(
        "SELECT id, dimension FROM embedders WHERE role<>'leaving'"
      ) { row throws(DatabaseError) in (id: Int64(row.int(0)), dimension: row.int(1)) }
      try database.run(
        "DELETE FROM vector_segments WHERE embedder NOT IN (SELECT id FROM embedders WHERE role<>'leaving')")
      for (id, dimension) in embedders {
        for entry in try Self.entries(of: id, in: database) where entry.isDue || damaged.contains(entry.name) {
          try write([entry], embedder: id, dimension: dimension, to: entry.lastBatch)
        }
        try gather(embedder: id, dimension: dimension)
      }
      let known = Set(
        try database.rows("SELECT name FROM vector_segments") { row throws(DatabaseError) in row.text(0) })
      try removeFiles(except: known)
    } catch {
      throw LibraryError(error)
    }
  }

  /// Indicates whether vectors of removed passages are in a file.
  func isPurgeDue() throws(DatabaseError) -> Bool {
    try database.scalar("SELECT count(*) FROM vector_segments WHERE is_due") > 0
  }

  /// Indicates whether a file is there and its checksums fit.
  func isSound(_ name: String) -> Bool {
    do throws(SegmentError) {
      try SegmentFile(at: file(name), kind: .vector, version: VectorBlock.version).verify()
      return true
    } catch {
      return false
    }
  }

  /// Makes a segment of the batches behind the last one, merged with smaller segments before it.
  private func gather(embedder: Int64, dimension: Int) throws(DatabaseError) {
    let entries = try Self.entries(of: embedder, in: database)
    let behind = entries.last?.lastBatch ?? 0
    let tail = try database.first(
      "SELECT total(length(windows)), max(id) FROM vector_batches WHERE embedder=? AND id>?", embedder, behind
    ) { row throws(DatabaseError) in (rows: row.int(0) / VectorBatch.entrySize, last: Int64(row.int(1))) }
    guard let tail, tail.rows >= sizes.lowerBound else { return }
    var rows = tail.rows
    var merged: [Entry] = []
    for entry in entries.reversed() {
      guard entry.rowCount < 4 * rows, rows + entry.rowCount <= sizes.upperBound else { break }
      rows += entry.rowCount
      merged.insert(entry, at: 0)
    }
    try write(merged, behind: behind, embedder: embedder, dimension: dimension, to: tail.last)
  }

  /// Writes one segment in place of consecutive ones, up to a batch.
  private func write(
    _ replaced: [Entry], behind: Int64 = 0, embedder: Int64, dimension: Int, to last: Int64
  ) throws(DatabaseError) {
    let first = replaced.first?.firstBatch ?? behind + 1
    let batches = try Self.batches(of: embedder, dimension: dimension, first...last, in: database)
    let rowCount = batches.reduce(0) { $0 + $1.entries.count }
    let name = UUID().uuidString.lowercased()
    if rowCount > 0 {
      do {
        try VectorBlock.encode(batches, dimension: dimension).write(to: file(name))
      } catch {
        // Without the file the vectors are searched from the table; a fault of the folder shows elsewhere too.
        return
      }
    }
    try database.transaction { () throws(DatabaseError) in
      for entry in replaced { try database.run("DELETE FROM vector_segments WHERE name=?", entry.name) }
      guard rowCount > 0 else { return }
      // Batches removed while the file was written are in it.
      let remaining = try database.scalar(
        "SELECT count(*) FROM vector_batches WHERE embedder=? AND id BETWEEN ? AND ?", embedder, first, last)
      try database.run(
        """
        INSERT INTO vector_segments(name, embedder, first_batch, last_batch, row_count, is_due) VALUES(?,?,?,?,?,?)
        """, name, embedder, first, last, rowCount, remaining < batches.count)
    }
    for entry in replaced { unlink(file(entry.name).path) }
  }

  /// Removes files that were replaced or never finished.
  private func removeFiles(except known: Set<String>) throws(DatabaseError) {
    // A folder that cannot be listed has nothing to remove.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where !known.contains(name) {
      unlink(file(name).path)
    }
  }

  /// Exclusive lock on changes to the folder.
  private struct Lock {
    let descriptor: Int32

    /// Takes the lock; nil where another process has it and `waits` is false.
    init?(_ folder: URL, waits: Bool) throws(LibraryError) {
      do {
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .index(path: folder.path, call: "create", code: EACCES)
      }
      let path = folder.path + ".lock"
      descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw .index(path: path, call: "open", code: errno) }
      var code = flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB)
      while code != 0, errno == EINTR { code = flock(descriptor, LOCK_EX) }
      guard code == 0 else {
        close(descriptor)
        return nil
      }
    }

    func release() { close(descriptor) }
  }
}

/// Maintains the vector segments of a library on a thread and a connection of its own, so that searches go on
/// meanwhile.
actor VectorSegmentUpdater {
  private let thread = DedicatedThread(name: "vector-updater")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let url: URL
  private let sizes: ClosedRange<Int>
  private var segments: VectorSegments?

  init(url: URL, sizes: ClosedRange<Int>) {
    self.url = url
    self.sizes = sizes
  }

  /// Updates the segments; see ``VectorSegments/update(damaged:waits:)``.
  func update(damaged: Set<String> = [], waits: Bool = false) throws(LibraryError) {
    if segments == nil {
      do { segments = VectorSegments(beside: url, database: try LibrarySchema.open(url), sizes: sizes) } catch {
        throw LibraryError(error)
      }
    }
    try segments?.update(damaged: damaged, waits: waits)
  }
}
