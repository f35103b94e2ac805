import Foundation
import Persistence
import Threading

/// The files of vectors beside a library: which there are stands in `vector_segments`, what is in them in `vector_batches`.
///
/// A segment holds all batches of one embedder between two ids, so that making, merging, purging and mending are one thing:
/// writing the range anew. Only the holder of the lock writes or removes files; readers never wait.
struct VectorSegments {
  private let folder: URL
  private let database: Database
  private let sizes: ClosedRange<Int>

  /// The segments beside a library's file; nil for a library in memory.
  /// - Parameter sizes: batches are searched from memory until they have at least so many vectors; segments are not merged beyond
  ///   the upper bound.
  init?(beside url: URL, database: Database, sizes: ClosedRange<Int>) {
    guard url != Database.inMemory else { return nil }
    self.sizes = sizes
    folder = url.deletingPathExtension().appendingPathExtension("index").appending(path: "vectors")
    self.database = database
  }

  /// One segment as the table has it.
  struct Entry: Hashable {
    var name: String
    var embedder: Int64
    var firstBatch: Int64
    var lastBatch: Int64
    var rowCount: Int
    /// Whether it holds vectors of passages that are gone.
    var isDue: Bool
  }

  /// The segments of an embedder, oldest batches first.
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

  /// The batches of an embedder between two ids.
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

  /// Brings the files up to date: segments with removed vectors and damaged ones are written anew, what has gathered since becomes
  /// a segment, small ones are merged, and files that no row names go.
  /// - Parameters:
  ///   - damaged: segments of which a file could not be read.
  ///   - waits: false leaves it all to another process where one is at it.
  func tend(damaged: Set<String> = [], waits: Bool) throws(LibraryError) {
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

  /// Whether vectors of removed passages are in a file.
  func isPurgeDue() throws(DatabaseError) -> Bool {
    try database.scalar("SELECT count(*) FROM vector_segments WHERE is_due") > 0
  }

  /// Whether a file is there and as it was written.
  func isSound(_ name: String) -> Bool {
    do throws(SegmentError) {
      try SegmentFile(at: file(name), kind: .vector, version: VectorBlock.version).verify()
      return true
    } catch {
      return false
    }
  }

  /// Makes a segment of what has gathered behind the last one, and of smaller ones before it.
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

  /// Writes one segment in place of some that follow each other, up to a batch.
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
        // Without the file the vectors are searched from the table; what is wrong with the folder shows elsewhere too.
        return
      }
    }
    try database.transaction { () throws(DatabaseError) in
      for entry in replaced { try database.run("DELETE FROM vector_segments WHERE name=?", entry.name) }
      guard rowCount > 0 else { return }
      // What was removed while the file was written is in it.
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
    // Where the folder cannot be listed, there is nothing to be removed.
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    where !known.contains(name) {
      unlink(file(name).path)
    }
  }

  /// The right to change the folder.
  private struct Lock {
    let descriptor: Int32

    /// Takes it; nil where another has it and is not waited for.
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

/// Tends the segments of a library on a thread and a connection of its own, so that searches go on meanwhile.
actor VectorKeeper {
  private let thread = DedicatedThread(name: "vector-keeper")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let url: URL
  private let sizes: ClosedRange<Int>
  private var segments: VectorSegments?

  init(url: URL, sizes: ClosedRange<Int>) {
    self.url = url
    self.sizes = sizes
  }

  /// See ``VectorSegments/tend(damaged:waits:)``.
  func tend(damaged: Set<String> = [], waits: Bool = false) throws(LibraryError) {
    if segments == nil {
      do { segments = VectorSegments(beside: url, database: try LibrarySchema.open(url), sizes: sizes) } catch {
        throw LibraryError(error)
      }
    }
    try segments?.tend(damaged: damaged, waits: waits)
  }
}
