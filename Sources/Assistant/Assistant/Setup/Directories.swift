import Foundation
import Platform

/// Folders of Alcove's files: the XDG base directories, or folders below `ALCOVE_HOME`.
///
/// Every directory belongs to this user alone (0700), and so do the files in it (the program sets its umask to 077).
package struct Directories: Sendable, Equatable {
  /// The user's settings: `config.json`.
  package let config: URL
  /// The library, models and pictures.
  package let data: URL
  /// Sessions, tickets and telemetry: `state.db`, and the prompt's history.
  package let state: URL
  /// Files that can be made again at any time.
  package let cache: URL
  /// The home that `~` stands for.
  private let home: String

  /// Reads the places from the environment; nothing is created yet.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    func absolute(_ name: String) -> URL? {
      // The XDG specification: a relative path is to be ignored.
      environment[name].flatMap { $0.hasPrefix("/") ? URL(filePath: $0, directoryHint: .isDirectory) : nil }
    }
    self.home = environment["HOME"] ?? "~"
    if let home = environment["ALCOVE_HOME"], !home.isEmpty {
      let root = URL(filePath: home, directoryHint: .isDirectory).absoluteURL
      config = root.appending(path: "config", directoryHint: .isDirectory)
      data = root.appending(path: "data", directoryHint: .isDirectory)
      state = root.appending(path: "state", directoryHint: .isDirectory)
      cache = root.appending(path: "cache", directoryHint: .isDirectory)
      return
    }
    let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
    func place(_ variable: String, _ fallback: String) -> URL {
      (absolute(variable) ?? home.appending(path: fallback)).appending(path: "alcove", directoryHint: .isDirectory)
    }
    config = place("XDG_CONFIG_HOME", ".config")
    data = place("XDG_DATA_HOME", ".local/share")
    state = place("XDG_STATE_HOME", ".local/state")
    cache = place("XDG_CACHE_HOME", ".cache")
  }

  /// Returns a path that a person typed as an absolute one: `~/` is the user's home.
  package func absolutePath(_ path: String) -> String {
    let expanded = path.hasPrefix("~/") ? home + path.dropFirst() : path
    return URL(filePath: expanded).standardizedFileURL.path
  }

  /// The library of documents.
  package var libraryDatabase: URL { data.appending(path: "library.db") }
  /// Sessions, tickets and telemetry.
  package var stateDatabase: URL { state.appending(path: "state.db") }
  /// The user's settings.
  package var settingsFile: URL { config.appending(path: "config.json") }
  /// The lines typed at the prompt.
  package var historyFile: URL { state.appending(path: "history") }
  /// Pictures that were made.
  package var images: URL { data.appending(path: "images", directoryHint: .isDirectory) }
  /// Model files.
  package var models: URL { data.appending(path: "models", directoryHint: .isDirectory) }

  /// Creates the directories where they are absent and ensures that nobody else can read or redirect them.
  package func prepare() throws(DirectoryError) {
    umask(0o077)
    for directory in [config, data, state, cache] { try Self.prepare(directory) }
  }

  private static func prepare(_ directory: URL) throws(DirectoryError) {
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .notCreated(path: directory.path, reason: error.localizedDescription)
    }
    // A link on the way is followed only where nobody but this user or root made it.
    var path = directory.standardizedFileURL.path
    while path != "/" {
      var facts = stat()
      guard lstat(path, &facts) == 0 else {
        throw .notCreated(path: path, reason: SystemMessage.of(errno))
      }
      if facts.st_mode & S_IFMT == S_IFLNK, facts.st_uid != geteuid(), facts.st_uid != 0 {
        throw .foreignLink(path: path, owner: facts.st_uid)
      }
      path = URL(filePath: path).deletingLastPathComponent().standardizedFileURL.path
    }
    var facts = stat()
    guard stat(directory.path, &facts) == 0 else {
      throw .notCreated(path: directory.path, reason: SystemMessage.of(errno))
    }
    guard facts.st_uid == geteuid() else { throw .foreignOwner(path: directory.path, owner: facts.st_uid) }
    if facts.st_mode & 0o077 != 0, chmod(directory.path, 0o700) != 0 {
      throw .notCreated(path: directory.path, reason: SystemMessage.of(errno))
    }
  }
}

/// Reasons for which a directory cannot be used.
package enum DirectoryError: Error, Sendable, Equatable {
  /// It could not be created or examined.
  case notCreated(path: String, reason: String)
  /// It belongs to another user.
  case foreignOwner(path: String, owner: UInt32)
  /// A symbolic link on the way to it belongs to another user.
  case foreignLink(path: String, owner: UInt32)
}
