import Foundation
import Persistence
import Threading

/// The models on this machine and the downloads on their way: one folder, with its own database `models.db` in it, so
/// that the download process, which can reach nothing else, can keep its records.
package actor ModelStore {
  private let thread = DedicatedThread(name: "models")
  /// The executor: a thread of the store's own.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// The folder of models.
  package nonisolated let folder: URL
  let database: Database

  /// Opens the store, creating it where it is absent.
  package init(at folder: URL) throws(ModelStoreError) {
    self.folder = folder
    for directory in [folder, Self.partials(folder)] {
      guard mkdir(directory.path, 0o700) != 0, errno != EEXIST else { continue }
      throw .file(path: directory.path, call: "mkdir", code: errno)
    }
    database = try stored { () throws(DatabaseError) in
      try Database(
        at: folder.appending(path: "models.db"), durability: .normal, migrations: Self.migrations)
    }
  }

  /// Folder of files that are not whole yet.
  package static func partials(_ folder: URL) -> URL {
    folder.appending(path: ".partial", directoryHint: .isDirectory)
  }

  /// The schema's steps; a step that has shipped is never changed.
  static let migrations = [
    """
    CREATE TABLE models(
      id INTEGER PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      path TEXT NOT NULL,
      is_linked INTEGER NOT NULL,
      bytes INTEGER NOT NULL,
      modified REAL NOT NULL,
      sha256 TEXT NOT NULL,
      source TEXT NOT NULL,
      added REAL NOT NULL,
      blocks BLOB NOT NULL
    );
    CREATE INDEX models_by_hash ON models(sha256);
    CREATE TABLE downloads(
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      url TEXT NOT NULL,
      file TEXT NOT NULL,
      model TEXT NOT NULL,
      title TEXT NOT NULL,
      sha256 TEXT NOT NULL,
      total INTEGER NOT NULL,
      bytes INTEGER NOT NULL DEFAULT 0,
      status TEXT NOT NULL,
      wish TEXT NOT NULL DEFAULT 'run',
      started REAL NOT NULL,
      completed REAL,
      path TEXT,
      reason TEXT,
      is_announced INTEGER NOT NULL DEFAULT 0,
      is_forced INTEGER NOT NULL DEFAULT 0,
      compares_blocks INTEGER NOT NULL DEFAULT 0
    );
    CREATE UNIQUE INDEX downloads_under_way ON downloads(file) WHERE status NOT IN ('completed', 'failed', 'cancelled');
    """,
    // The hashes of blocks are others now; the next look at a whole file makes them again.
    """
    UPDATE models SET blocks = x'';
    ALTER TABLE downloads ADD COLUMN is_background INTEGER NOT NULL DEFAULT 0;
    """,
  ]

  // MARK: Models

  /// The models by name.
  package func models() throws(ModelStoreError) -> [ModelRecord] {
    try stored { () throws(DatabaseError) in
      try database.rows("SELECT \(ModelRecord.columns) FROM models ORDER BY name") {
        row throws(DatabaseError) in try ModelRecord(row)
      }
    }
  }

  /// The model of a name, with or without its ending, or of the only name that begins so.
  package func model(_ name: String) throws(ModelStoreError) -> ModelRecord? {
    let sought = name.lowercased()
    let models = try models()
    let exact = models.first { $0.name.lowercased() == sought || $0.name.lowercased() == sought + ".gguf" }
    if let exact { return exact }
    let beginning = models.filter { $0.name.lowercased().hasPrefix(sought) }
    return beginning.count == 1 ? beginning.first : nil
  }

  /// The model with this content, if it is here already.
  package func model(hash: String) throws(ModelStoreError) -> ModelRecord? {
    try stored { () throws(DatabaseError) in
      try database.first("SELECT \(ModelRecord.columns) FROM models WHERE sha256 = ?1", hash) {
        row throws(DatabaseError) in try ModelRecord(row)
      }
    }
  }

  /// Remembers a model, in place of one of the same name.
  /// - Parameter blocks: the hashes of its blocks, one after another.
  @discardableResult
  package func register(
    name: String, path: String, isLinked: Bool, sha256: String, source: String, blocks: [UInt8]
  ) throws(ModelStoreError) -> ModelRecord {
    var facts = stat()
    guard stat(path, &facts) == 0 else { throw .file(path: path, call: "stat", code: errno) }
    let size = facts.st_mode & S_IFMT == S_IFDIR ? 0 : Int(facts.st_size)
    let modified = facts.modification
    _ = try stored { () throws(DatabaseError) in
      try database.run(
        """
        INSERT INTO models(name, path, is_linked, bytes, modified, sha256, source, added, blocks)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT(name) DO UPDATE SET path = ?2, is_linked = ?3, bytes = ?4, modified = ?5, sha256 = ?6, source = ?7,
          added = ?8, blocks = ?9
        """,
        name, path, isLinked, size, modified, sha256, source, Date().timeIntervalSince1970, Data(blocks))
    }
    guard let record = try models().first(where: { $0.name == name }) else { throw .unknown(name: name) }
    return record
  }

  /// The hashes of a model's blocks, one after another.
  package func blocks(of id: Int64) throws(ModelStoreError) -> [UInt8] {
    try stored { () throws(DatabaseError) in
      try database.first("SELECT blocks FROM models WHERE id = ?1", id) {
        row throws(DatabaseError) in Array(row.blob(0))
      } ?? []
    }
  }

  /// Keeps the hashes of a model's blocks, made from a whole that was found sound.
  package func keep(blocks: [UInt8], of id: Int64) throws(ModelStoreError) {
    try stored { () throws(DatabaseError) in
      _ = try database.run("UPDATE models SET blocks = ?1 WHERE id = ?2", Data(blocks), id)
    }
  }

  /// Forgets a model and frees its file, unless it stays where its owner keeps it.
  /// - Returns: the bytes that were freed: none for a link, or for a file that has another name too.
  @discardableResult
  package func remove(_ model: ModelRecord) throws(ModelStoreError) -> Int {
    let place = folder.appending(path: model.name).path
    var facts = stat()
    let isThere = lstat(place, &facts) == 0
    let isShared = isThere && facts.st_nlink > 1
    let isLink = isThere && facts.st_mode & S_IFMT == S_IFLNK
    if isThere {
      if facts.st_mode & S_IFMT == S_IFDIR {
        do { try FileManager.default.removeItem(atPath: place) } catch {
          throw .file(path: place, call: "remove", code: EACCES)
        }
      } else if unlink(place) != 0 {
        throw .file(path: place, call: "unlink", code: errno)
      }
    }
    _ = try stored { () throws(DatabaseError) in try database.run("DELETE FROM models WHERE id = ?1", model.id) }
    return isLink || isShared || !isThere ? 0 : model.byteCount
  }

  /// Problems that SQLite finds with the database: empty where it is sound.
  package func integrityProblems() throws(ModelStoreError) -> [String] {
    try stored { () throws(DatabaseError) in try database.integrityProblems() }
  }
}
