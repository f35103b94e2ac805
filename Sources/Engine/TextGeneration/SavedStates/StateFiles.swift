import Foundation
import Tokenization

/// Folder of saved KV caches, so that a prompt that begins as an earlier one starts at once.
///
/// Each file holds the tokens and the KV cache of one prefix, for one model file and cache layout. A file that is
/// damaged, of another model, another user or another version is never used. The files hold what was said, as tokens:
/// they are tagged with the sessions and documents they come from, and go with them.
package struct StateFiles: Sendable, Equatable {
  /// The folder.
  package let directory: URL
  /// Largest number of bytes of all files together; the least recently used go first.
  package let byteLimit: Int

  /// Names a folder, which is made when something is saved.
  package init(directory: URL, byteLimit: Int = 2 << 30) {
    self.directory = directory
    self.byteLimit = byteLimit
  }

  static let suffix = "alcove-state"

  /// Removes what comes from a session or document, and files that cannot be read.
  /// - Returns: the number of files removed.
  @discardableResult
  package func remove(taggedWith tag: String) throws -> Int {
    try remove { header in header?.tags.contains(tag) ?? true }
  }

  /// Removes everything.
  @discardableResult
  package func removeAll() throws -> Int { try remove { _ in true } }

  /// The bytes that all files take.
  package var byteCount: Int { files().reduce(0) { $0 + $1.byteCount } }

  private func remove(where isGone: (StateHeader?) -> Bool) throws -> Int {
    var count = 0
    for file in files() where isGone(try? StateHeader(path: file.path)) {
      try FileManager.default.removeItem(atPath: file.path)
      count += 1
    }
    // Left behind by a save that was killed.
    for name in names() where name.hasSuffix(".partial") {
      try FileManager.default.removeItem(at: directory.appending(path: name))
    }
    return count
  }

  struct File {
    var path: String
    var byteCount: Int
    var used: timespec
  }

  private func names() -> [String] {
    // Without the folder there are no files.
    (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
  }

  /// The files that belong to this user alone, those used last first.
  func files() -> [File] {
    names().filter { $0.hasSuffix("." + Self.suffix) }.compactMap { name in
      let path = directory.appending(path: name).path
      var facts = stat()
      guard lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_uid == geteuid() else {
        return nil
      }
      return File(path: path, byteCount: Int(facts.st_size), used: facts.st_mtim)
    }.sorted { ($0.used.tv_sec, $0.used.tv_nsec, $0.path) > ($1.used.tv_sec, $1.used.tv_nsec, $1.path) }
  }

  /// Removes the least recently used files until `needed` bytes more fit in.
  func makeRoom(for needed: Int) {
    var left = byteLimit - needed
    for file in files() {
      left -= file.byteCount
      // A file that cannot be removed is tried again next time.
      if left < 0 { try? FileManager.default.removeItem(atPath: file.path) }
    }
  }
}

/// Errors of saving and restoring a KV cache.
package enum StateFileError: Error, Sendable, Equatable {
  /// Refusal by the system.
  case system(path: String, call: String, code: Int32)
  /// File that holds no saved KV cache, or one of another version.
  case foreign(path: String)
  /// File that is cut off, or whose bytes are not those that were written.
  case damaged(path: String)
  /// KV cache larger than all saved ones together may be.
  case tooLarge(byteCount: Int, limit: Int)
}
