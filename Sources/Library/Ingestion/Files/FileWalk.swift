import CPlatform
import Documents
import Glibc
import Platform

/// Recursive walk of files and folders, with the paths that were skipped and the reasons.
package struct FileWalk: Sendable {
  /// Regular files in the order of their paths, folder by folder.
  package private(set) var files: [String] = []
  /// Skipped paths; a folder stands for everything in it.
  package private(set) var skipped: [Skipped] = []

  /// A skipped path.
  package struct Skipped: Sendable, Equatable {
    /// Absolute path.
    package var path: String
    /// Reason for skipping it.
    package var reason: Reason
  }

  /// Reason for skipping a path.
  package enum Reason: Sendable, Equatable {
    /// Its name begins with a point.
    case hidden
    /// A pattern of a `.alcoveignore` matches it.
    case ignored(pattern: String)
    /// It is, through a link, a file or folder that was visited before.
    case sameAs(path: String)
    /// A pipe, socket or device.
    case notRegular
    /// A pseudo file system of the kernel, such as `/proc`.
    case kernelFiles
    /// Nothing exists there, or a dangling link.
    case missing
    /// It may not be opened, or its name is not UTF-8.
    case unreadable(detail: String)
  }

  private var seen: [Identity: String] = [:]

  private struct Identity: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  /// Ignore rules of one folder, and its depth.
  private struct Scope {
    let rules: IgnoreRules
    let depth: Int
  }

  private static let deepest = 256

  /// Walks files and folders. Paths named here are taken even where they are hidden.
  package init(_ paths: [String]) {
    for path in paths { visit(Self.settled(path), names: [], scopes: [], isNamed: true) }
  }

  /// Returns the absolute path, resolving every link but one in the last name.
  package static func settled(_ path: String) -> String {
    var bare = path[...]
    while bare.count > 1, bare.last == "/" { bare.removeLast() }
    let cut = bare.lastIndex(of: "/")
    let name = cut.map { bare[bare.index(after: $0)...] } ?? bare
    guard name != "." && name != ".." && !name.isEmpty else { return real(String(bare)) ?? String(bare) }
    let folder = cut.map { $0 == bare.startIndex ? "/" : String(bare[..<$0]) } ?? "."
    guard let parent = real(folder) else { return String(bare) }
    return parent == "/" ? "/" + name : parent + "/" + name
  }

  private static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(validatingCString: found)
  }

  // MARK: Walking

  private mutating func visit(_ path: String, names: [String], scopes: [Scope], isNamed: Bool) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      let isGone = errno == ENOENT || errno == ENOTDIR
      return skip(path, isGone ? .missing : .unreadable(detail: SystemMessage.of(errno)))
    }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if !isNamed, let reason = Self.refusal(of: names, isFolder: isFolder, scopes) { return skip(path, reason) }
    guard isFolder || status.st_mode & S_IFMT == S_IFREG else { return skip(path, .notRegular) }
    let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    if let first = seen[identity] { return first == path ? () : skip(path, .sameAs(path: first)) }
    if isFolder {
      seen[identity] = path
      visitFolder(path, names: names, scopes: scopes)
    } else if access(path, R_OK) != 0 {
      skip(path, .unreadable(detail: SystemMessage.of(errno)))
    } else {
      seen[identity] = path
      files.append(path)
    }
  }

  private mutating func visitFolder(_ path: String, names: [String], scopes: [Scope]) {
    guard names.count < Self.deepest else {
      return skip(path, .unreadable(detail: "too many folders in one another"))
    }
    guard let folder = opendir(path) else {
      return skip(path, .unreadable(detail: SystemMessage.of(errno)))
    }
    guard cp_is_kernel_file(dirfd(folder)) == 0 else {
      closedir(folder)
      return skip(path, .kernelFiles)
    }
    let base = path == "/" ? "/" : path + "/"
    var entries: [String] = []
    while let entry = readdir(folder) {
      let (name, shown) = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) {
          (String(validatingCString: $0), String(cString: $0))
        }
      }
      guard let name else {
        skip(base + shown, .unreadable(detail: "its name is not UTF-8; give it another one"))
        continue
      }
      if name != ".", name != ".." { entries.append(name) }
    }
    closedir(folder)
    var scopes = scopes
    if entries.contains(IgnoreRules.fileName), let rules = Self.rules(at: base + IgnoreRules.fileName) {
      scopes.append(Scope(rules: rules, depth: names.count))
    }
    for name in entries.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      visit(base + name, names: names + [name], scopes: scopes, isNamed: false)
    }
  }

  private mutating func skip(_ path: String, _ reason: Reason) {
    skipped.append(Skipped(path: path, reason: reason))
  }

  // MARK: Rules

  private static func refusal(of names: [String], isFolder: Bool, _ scopes: [Scope]) -> Reason? {
    if names.last?.first == "." { return .hidden }
    // The nearest folder takes precedence.
    for scope in scopes.reversed() {
      if let verdict = scope.rules.verdict(on: Array(names[scope.depth...]), isFolder: isFolder) {
        return verdict.isIgnored ? .ignored(pattern: verdict.pattern) : nil
      }
    }
    return nil
  }

  /// Reads an ignore file, if it is readable and smaller than 1 MiB.
  private static func rules(at path: String) -> IgnoreRules? {
    guard let file = try? OpenedFile(path: path), file.state.byteCount < 1 << 20 else { return nil }
    var bytes = [UInt8](repeating: 0, count: file.state.byteCount)
    let count = pread(file.descriptor, &bytes, bytes.count, 0)
    return count < 0 ? nil : IgnoreRules(String(decoding: bytes[..<count], as: UTF8.self))
  }
}
