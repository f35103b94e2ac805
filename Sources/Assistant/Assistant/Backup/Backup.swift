import Foundation
import Ingestion
import Persistence
import Platform
import Retrieval

/// Everything that a user would miss, in one archive: library, sessions with tickets and telemetry, settings,
/// pictures, and the list of models. Each member has its hash; a member that does not match it is never restored.
package enum Backup {
  /// Writes a backup of one moment, while other processes may be at work.
  /// - Returns: its manifest.
  @discardableResult
  package static func write(
    to target: URL, from directories: Directories, models: [BackupManifest.Model] = []
  ) throws -> BackupManifest {
    let scratch = target.deletingLastPathComponent().appending(path: ".\(target.lastPathComponent).\(getpid())")
    try? FileManager.default.removeItem(at: scratch)
    try FileManager.default.createDirectory(
      at: scratch, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Remains of a failed attempt are hidden and harm nothing.
    defer { try? FileManager.default.removeItem(at: scratch) }
    var files: [(name: String, url: URL)] = []
    for (name, database) in [("library.db", directories.libraryDatabase), ("state.db", directories.stateDatabase)]
    where FileManager.default.fileExists(atPath: database.path) {
      let copy = scratch.appending(path: name)
      try Database.snapshot(of: database, to: copy)
      files.append((name, copy))
    }
    for name in ["config.json", "catalog.json"] {
      let file = directories.config.appending(path: name)
      if FileManager.default.fileExists(atPath: file.path) { files.append((name, file)) }
    }
    let pictures = directories.data.appending(path: "images")
    // A missing gallery means that there are no pictures.
    for name in ((try? FileManager.default.contentsOfDirectory(atPath: pictures.path)) ?? []).sorted()
    where BackupManifest.isKnown("images/\(name)") {
      files.append(("images/\(name)", pictures.appending(path: name)))
    }
    let members = try files.map { file in
      BackupManifest.Member(
        name: file.name, bytes: try size(file.url), sha256: try ContentHash.ofFile(at: file.url.path))
    }
    let manifest = BackupManifest(created: Date().formatted(.iso8601), members: members, models: models)
    let archive = scratch.appending(path: "archive")
    try pack(manifest, files, into: archive)
    // Read back before it counts.
    _ = try check(archive)
    try publish(archive, as: target)
    return manifest
  }

  /// Reads a backup and compares every member with its hash; changes nothing.
  package static func check(_ file: URL) throws -> BackupManifest {
    try read(file) { _, _ in nil }
  }

  /// Restores a backup in place of the present files, which are kept until all of it is in place.
  /// - Returns: its manifest.
  package static func restore(_ file: URL, into directories: Directories) async throws -> BackupManifest {
    try directories.prepare()
    let users = processes(holding: [directories.libraryDatabase, directories.stateDatabase])
    guard users.isEmpty else { throw BackupError.inUse(processes: users) }
    let scratch = directories.data.appending(path: ".restore-\(getpid())")
    try? FileManager.default.removeItem(at: scratch)
    defer { try? FileManager.default.removeItem(at: scratch) }
    try FileManager.default.createDirectory(
      at: scratch.appending(path: "images"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    let manifest = try read(file) { name, _ in scratch.appending(path: name) }
    for (name, known) in [("library.db", Library.formVersion), ("state.db", StateStore.migrations.count)]
    where manifest.members.contains(where: { $0.name == name }) {
      let form = Database.formVersion(scratch.appending(path: name)) ?? 0
      guard form <= known else { throw BackupError.newer(form: "\(form) of \(name)") }
      guard let problems = Database.examine(scratch.appending(path: name)) else {
        throw BackupError.wrongMember(name: name, .missing)
      }
      guard problems.isEmpty else { throw BackupError.wrongMember(name: name, .unsound(problems)) }
    }
    try replace(manifest, from: scratch, directories)
    return manifest
  }

  // MARK: The archive

  private static func pack(_ manifest: BackupManifest, _ files: [(name: String, url: URL)], into archive: URL)
    throws
  {
    guard
      FileManager.default.createFile(atPath: archive.path, contents: nil, attributes: [.posixPermissions: 0o600])
    else { throw BackupError.file(path: archive.path, .system(errno)) }
    let output = try FileHandle(forWritingTo: archive)
    defer { try? output.close() }
    func pad(_ byteCount: Int) -> Data {
      Data(count: (TarArchive.blockSize - byteCount % TarArchive.blockSize) % TarArchive.blockSize)
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let text = try encoder.encode(manifest)
    try output.write(
      contentsOf: Data(TarArchive.header(name: "manifest.json", byteCount: text.count)) + text + pad(text.count))
    for (file, member) in zip(files, manifest.members) {
      try output.write(contentsOf: Data(TarArchive.header(name: member.name, byteCount: member.bytes)))
      let input = try FileHandle(forReadingFrom: file.url)
      defer { try? input.close() }
      var left = member.bytes
      while left > 0, let piece = try input.read(upToCount: min(left, 1 << 20)), !piece.isEmpty {
        try output.write(contentsOf: piece)
        left -= piece.count
      }
      guard left == 0 else {
        throw BackupError.wrongMember(name: member.name, .changed)
      }
      try output.write(contentsOf: pad(member.bytes))
    }
    try output.write(contentsOf: Data(count: 2 * TarArchive.blockSize))
    try output.synchronize()
  }

  /// Walks through an archive, writes each member to the file that `place` returns, and compares all with the
  /// manifest.
  private static func read(_ file: URL, place: (String, Int) -> URL?) throws -> BackupManifest {
    let input: FileHandle
    do { input = try FileHandle(forReadingFrom: file) } catch {
      throw BackupError.file(path: file.path, .notOpened)
    }
    defer { try? input.close() }
    func take(_ count: Int) throws -> Data {
      let data = try input.read(upToCount: count) ?? Data()
      guard data.count == count else { throw BackupError.damaged(path: file.path, .endsEarly) }
      return data
    }
    guard let first = TarArchive.member(Array(try take(TarArchive.blockSize))), first.name == "manifest.json",
      first.byteCount < 64 << 20
    else { throw BackupError.damaged(path: file.path, .notABackup) }
    let text = try take(first.byteCount)
    _ = try take((TarArchive.blockSize - first.byteCount % TarArchive.blockSize) % TarArchive.blockSize)
    guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: text) else {
      throw BackupError.damaged(path: file.path, .unreadableManifest)
    }
    guard manifest.form == BackupManifest.currentForm else { throw BackupError.newer(form: manifest.form) }
    for member in manifest.members {
      guard let found = TarArchive.member(Array(try take(TarArchive.blockSize))), found.name == member.name,
        found.byteCount == member.bytes, BackupManifest.isKnown(member.name)
      else { throw BackupError.damaged(path: file.path, .misplaced(member.name)) }
      try copy(member, from: take, to: place(member.name, member.bytes))
      _ = try take((TarArchive.blockSize - member.bytes % TarArchive.blockSize) % TarArchive.blockSize)
    }
    return manifest
  }

  private static func copy(_ member: BackupManifest.Member, from take: (Int) throws -> Data, to target: URL?)
    throws
  {
    var output: FileHandle?
    if let target {
      guard
        FileManager.default.createFile(atPath: target.path, contents: nil, attributes: [.posixPermissions: 0o600])
      else { throw BackupError.file(path: target.path, .system(errno)) }
      output = try FileHandle(forWritingTo: target)
    }
    defer { try? output?.close() }
    var hash = SHA256()
    var left = member.bytes
    while left > 0 {
      let piece = try take(min(left, 1 << 20))
      piece.withUnsafeBytes { hash.add($0) }
      try output?.write(contentsOf: piece)
      left -= piece.count
    }
    try output?.synchronize()
    let found = hash.finish().hexadecimal
    guard found == member.sha256 else {
      throw BackupError.wrongMember(name: member.name, .wrongHash(found: found, expected: member.sha256))
    }
  }

  // MARK: In place of what is there

  private static func replace(_ manifest: BackupManifest, from scratch: URL, _ directories: Directories) throws {
    func move(_ name: String, to target: URL) throws {
      guard manifest.members.contains(where: { $0.name == name }) else { return }
      try publish(scratch.appending(path: name), as: target)
    }
    for database in [directories.libraryDatabase, directories.stateDatabase]
    where manifest.members.contains(where: { $0.name == database.lastPathComponent }) {
      // The old database's log must not be taken for the new one's. Its content is folded into the old database first,
      // which stays as it was if the restore ends here. A missing file need not go.
      Database.foldLog(of: database)
      for ending in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database.path + ending) }
    }
    // The index is built again from the documents.
    let index = directories.libraryDatabase.deletingPathExtension().appendingPathExtension("index")
    if manifest.members.contains(where: { $0.name == "library.db" }) {
      try? FileManager.default.removeItem(at: index)
    }
    try move("library.db", to: directories.libraryDatabase)
    try move("state.db", to: directories.stateDatabase)
    try move("config.json", to: directories.settingsFile)
    try move("catalog.json", to: directories.config.appending(path: "catalog.json"))
    let pictures = manifest.members.filter { $0.name.hasPrefix("images/") }
    if !pictures.isEmpty {
      try FileManager.default.createDirectory(
        at: directories.data.appending(path: "images"), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    }
    for picture in pictures { try move(picture.name, to: directories.data.appending(path: picture.name)) }
  }

  /// Renames a file that is synchronised to disk to its final name, and synchronises the folder.
  private static func publish(_ file: URL, as target: URL) throws {
    guard rename(file.path, target.path) == 0 else {
      throw BackupError.file(path: target.path, .system(errno))
    }
    let folder = open(target.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private static func size(_ file: URL) throws -> Int {
    var facts = stat()
    guard stat(file.path, &facts) == 0 else {
      throw BackupError.file(path: file.path, .system(errno))
    }
    return Int(facts.st_size)
  }

  /// Other processes of this user that have one of these files open.
  private static func processes(holding files: [URL]) -> [Int32] {
    let paths = Set(files.map(\.path))
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { process in
      guard process != getpid() else { return false }
      // Processes of other users cannot be inspected; they cannot have these files open either.
      let folder = "/proc/\(process)/fd"
      return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")).map(paths.contains)
          ?? false
      }
    }.sorted()
  }
}
