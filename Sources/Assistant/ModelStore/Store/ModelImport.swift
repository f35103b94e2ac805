import Foundation
import Platform

/// Takes in model files that are on this machine already.
package enum ModelImport {
  /// Outcome for one file or folder.
  package enum Outcome: Sendable, Equatable {
    /// Imported: among the models now.
    case added(ModelRecord)
    /// The same content is there already, under this name.
    case duplicate(ModelRecord)
  }

  /// The models below a path: the path itself where it is a file or a picture model's folder, else every model's file
  /// in it.
  ///
  /// Of a model split into parts the first stands for all.
  package static func candidates(_ path: String) -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
      !FileManager.default.fileExists(atPath: path + "/model_index.json")
    else { return [path] }
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return names.filter { ModelName.isModel($0) && !SplitModel.isLaterPart($0) }.sorted().map { path + "/" + $0 }
  }

  /// Checks a model and links it among the models, or copies it there.
  /// - Parameters:
  ///   - name: its name among the models; nil: the file's own.
  ///   - progress: told the bytes read; throwing from it stops, and nothing is left behind.
  package static func take(
    _ path: String, as name: String? = nil, copies: Bool, into store: ModelStore,
    progress: (Int) throws -> Void = { _ in }
  ) async throws -> [Outcome] {
    let file = try ModelFile(at: path)
    var outcomes: [Outcome] = []
    for part in file.form == .picture ? [path] : SplitModel.parts(path) {
      let source = URL(filePath: part).resolvingSymlinksInPath().path
      let target = store.folder.appending(path: name ?? URL(filePath: part).lastPathComponent).path
      let whole = try file.form == .picture ? picture(source) : BlockHashes.read(source, progress: progress)
      if let twin = try await store.model(hash: whole.sha256), twin.presence == .present {
        outcomes.append(.duplicate(twin))
        continue
      }
      let known = URL(filePath: target).lastPathComponent
      let isInPlace = source == URL(filePath: target).resolvingSymlinksInPath().path
      if !isInPlace {
        var facts = stat()
        if lstat(target, &facts) == 0 {
          guard facts.st_mode & S_IFMT == S_IFLNK, access(target, F_OK) != 0 else {
            throw ModelStoreError.exists(name: known)
          }
          // A link whose file is gone makes room.
          unlink(target)
        }
        try copies ? copy(source, to: target) : link(source, to: target)
      }
      let isLinked = !copies && !isInPlace
      outcomes.append(
        .added(
          try await store.register(
            name: known, path: isLinked ? source : target, isLinked: isLinked, sha256: whole.sha256,
            source: source,
            blocks: whole.blocks)))
    }
    return outcomes
  }

  private static func link(_ source: String, to target: String) throws(ModelStoreError) {
    guard symlink(source, target) == 0 else { throw .file(path: target, call: "symlink", code: errno) }
  }

  /// Copies under a temporary name that becomes the real one when all is on the disk.
  private static func copy(_ source: String, to target: String) throws {
    let temporary = target + ".copy-\(getpid())"
    try? FileManager.default.removeItem(atPath: temporary)
    do {
      try FileManager.default.copyItem(atPath: source, toPath: temporary)
    } catch {
      try? FileManager.default.removeItem(atPath: temporary)
      throw error
    }
    chmod(temporary, 0o600)
    try DurableFile.publish(temporary, as: target)
  }

  /// A picture model's hash: that of its files' names and hashes.
  private static func picture(_ folder: String) throws -> BlockHashes.Whole {
    var hash = SHA256()
    var total = 0
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for name in names.sorted() {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder + "/" + name, isDirectory: &isFolder),
        !isFolder.boolValue
      else { continue }
      let file = try BlockHashes.read(folder + "/" + name)
      hash.add(Array("\(name)\n\(file.sha256)\n".utf8))
      total += file.byteCount
    }
    return BlockHashes.Whole(sha256: hash.finish().hexadecimal, blocks: [], byteCount: total)
  }
}

/// Files that count only once they are whole and on the disk.
package enum DurableFile {
  /// Writes a file's data out, gives it its name, and writes the folder out.
  package static func publish(_ temporary: String, as target: String) throws(ModelStoreError) {
    try sync(temporary)
    guard rename(temporary, target) == 0 else { throw .file(path: target, call: "rename", code: errno) }
    try sync(URL(filePath: target).deletingLastPathComponent().path)
  }

  /// Writes a file's data, or a folder's names, out to the disk.
  package static func sync(_ path: String) throws(ModelStoreError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, call: "open", code: errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .file(path: path, call: "fsync", code: errno) }
  }
}
