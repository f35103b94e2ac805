import Foundation
import Persistence

extension ModelStore {
  /// The downloads, newest first.
  package func downloads() throws(ModelStoreError) -> [DownloadRecord] {
    try stored { () throws(DatabaseError) in
      try database.rows("SELECT \(DownloadRecord.columns) FROM downloads ORDER BY id DESC") {
        row throws(DatabaseError) in try DownloadRecord(row)
      }
    }
  }

  /// The download of a number.
  package func download(_ id: Int64) throws(ModelStoreError) -> DownloadRecord? {
    try stored { () throws(DatabaseError) in
      try database.first("SELECT \(DownloadRecord.columns) FROM downloads WHERE id = ?1", id) {
        row throws(DatabaseError) in try DownloadRecord(row)
      }
    }
  }

  /// Remembers what is to be fetched, or finds the download of the same file that is not over yet.
  ///
  /// A download that failed goes on where it stopped; one whose whole had the wrong hash is compared block by block.
  /// - Throws: `.exists` where a model of that name is here and whole.
  package func begin(_ request: DownloadRequest) throws(ModelStoreError) -> DownloadRecord {
    if let model = try models().first(where: { $0.name == request.file }), model.presence == .present {
      throw .exists(name: request.file)
    }
    // One look for both: what another process begins between two would seem to be another's.
    let records = try downloads()
    let known = records.first {
      $0.file == request.file && $0.status != .completed && $0.url == request.url
    }
    if let known, !known.status.isOver || FileManager.default.fileExists(atPath: partial(known.id).path) {
      try change(
        known.id,
        "status = CASE WHEN status IN ('running', 'verifying', 'waiting-for-network') THEN status ELSE 'queued' END, "
          + "wish = 'run', reason = NULL, completed = NULL, is_announced = 0, is_forced = ?1, "
          + "sha256 = CASE WHEN ?2 = '' THEN sha256 ELSE ?2 END", request.isForced, request.sha256)
      return try download(known.id) ?? known
    }
    let other = records.first { $0.file == request.file && !$0.status.isOver }
    if let other { throw .busy(name: other.file) }
    let id = try stored { () throws(DatabaseError) in
      let added = try database.run(
        """
        INSERT INTO downloads(url, file, model, title, sha256, total, status, started, is_forced)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'queued', ?7, ?8) ON CONFLICT DO NOTHING
        """,
        request.url, request.file, request.model, request.title, request.sha256, request.total,
        Date().timeIntervalSince1970, request.isForced)
      return added > 0 ? database.lastInsertedRow : nil
    }
    // Another process remembered it since the look.
    guard let id else { return try begin(request) }
    guard let record = try download(id) else { throw .unknown(name: request.file) }
    return record
  }

  /// File of a download until it is whole.
  package nonisolated func partial(_ id: Int64) -> URL { Self.partials(folder).appending(path: "\(id).part") }
  /// File of the hashes of its blocks meanwhile.
  package nonisolated func blockList(_ id: Int64) -> URL { Self.partials(folder).appending(path: "\(id).blocks") }

  /// Records how far a download is; the number of bytes never goes back, unless the whole begins again.
  package func progress(
    _ id: Int64, bytes: Int, total: Int, status: DownloadStatus, reason: String? = nil
  ) throws(ModelStoreError) {
    try change(
      id, "bytes = max(bytes, ?1), total = max(total, ?2), status = ?3, reason = ?4", bytes, total,
      status.rawValue, reason)
  }

  /// Records that the content is another one than before, so that all begins again.
  package func restart(_ id: Int64) throws(ModelStoreError) { try change(id, "bytes = 0, total = 0") }

  /// Records the hash that the whole must have, learnt on the way, where none was known.
  package func expect(_ id: Int64, sha256: String) throws(ModelStoreError) {
    try change(id, "sha256 = CASE WHEN sha256 = '' THEN ?1 ELSE sha256 END", sha256)
  }

  /// Records that every block is to be compared, or no longer.
  package func compareBlocks(_ id: Int64, _ compares: Bool) throws(ModelStoreError) {
    try change(id, "compares_blocks = ?1", compares)
  }

  /// Records the end of a download.
  package func end(
    _ id: Int64, status: DownloadStatus, path: String? = nil, reason: String? = nil
  ) throws(ModelStoreError) {
    try change(
      id,
      "status = ?1, path = ?2, reason = ?3, completed = ?4, bytes = CASE WHEN ?1 = 'completed' THEN total ELSE bytes END",
      status.rawValue, path, reason, Date().timeIntervalSince1970)
  }

  /// Records whether a download goes on by itself, also after a crash or a restart of the machine.
  package func goesOnAlone(_ id: Int64, _ isBackground: Bool) throws(ModelStoreError) {
    try change(id, "is_background = ?1", isBackground)
  }

  /// The downloads whose process is gone although nobody stopped them, oldest first.
  package func interrupted() throws(ModelStoreError) -> [DownloadRecord] {
    try downloads().filter { $0.status.isActive && $0.wish == .run && !isAttended($0.id) }.reversed()
  }

  /// Tells the process that fetches it what the user wants.
  package func wish(_ id: Int64, _ wish: DownloadWish) throws(ModelStoreError) {
    try change(id, "wish = ?1", wish.rawValue)
  }

  /// The downloads that ended since this was last asked; each is told exactly once.
  package func takeAnnouncements() throws(ModelStoreError) -> [DownloadRecord] {
    try stored { () throws(DatabaseError) in
      try database.transaction { () throws(DatabaseError) in
        let ended = try database.rows(
          """
          SELECT \(DownloadRecord.columns) FROM downloads
          WHERE is_announced = 0 AND status IN ('completed', 'failed') ORDER BY id
          """
        ) { row throws(DatabaseError) in try DownloadRecord(row) }
        for record in ended { try database.run("UPDATE downloads SET is_announced = 1 WHERE id = ?1", record.id) }
        return ended
      }
    }
  }

  /// Counts a download's end as told: it was shown as it happened.
  package func announced(_ id: Int64) throws(ModelStoreError) { try change(id, "is_announced = 1") }

  /// Gives up a download that no process is at work on, and frees what is here of it.
  package func discard(_ id: Int64) throws(ModelStoreError) {
    try change(id, "status = 'cancelled', completed = ?1, is_announced = 1", Date().timeIntervalSince1970)
    unlink(partial(id).path)
    unlink(blockList(id).path)
  }

  /// Indicates whether a process is at work on a download: it holds the lock of its file.
  package nonisolated func isAttended(_ id: Int64) -> Bool {
    let descriptor = open(partial(id).path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0
  }

  private func change(_ id: Int64, _ assignments: String, _ arguments: any SQLValue...) throws(ModelStoreError) {
    try stored { () throws(DatabaseError) in
      let numbered = "UPDATE downloads SET \(assignments) WHERE id = ?\(arguments.count + 1)"
      _ = try database.rows(numbered, arguments: arguments + [id]) { _ throws(DatabaseError) in () }
    }
  }
}
