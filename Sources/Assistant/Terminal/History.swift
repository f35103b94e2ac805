import Glibc

/// Lines entered before, oldest first, kept in a file that only this user may read.
///
/// The file holds one entry a line, with `\n` and `\\` for newlines and backslashes. Entries are appended one by one,
/// so several programs may share the file; a line truncated by a crash loses only itself.
package struct History: Sendable {
  /// Entries, oldest first.
  package private(set) var entries: [String] = []
  private let path: String?
  private let limit: Int
  private static let largestByteCount = 4 << 20

  /// Makes a history kept in a file, or only in memory.
  /// - Parameter limit: largest number of entries; the file is trimmed when it is read.
  package init(path: String? = nil, limit: Int = 2000) {
    self.path = path
    self.limit = max(limit, 0)
    guard let path, let bytes = Self.read(path) else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      append(Self.unescaped(String(decoding: line, as: UTF8.self)))
    }
    if entries.count > limit {
      entries.removeFirst(entries.count - limit)
      rewrite()
    }
  }

  /// Adds a line, here and in the file, unless it begins with a blank or repeats the line before.
  package mutating func add(_ line: String) {
    guard let first = line.first, first != " ", line != entries.last, !line.allSatisfy(\.isWhitespace) else {
      return
    }
    append(line)
    guard let path else { return }
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file < 0 { return }  // a history that cannot be kept is kept in memory
    ByteFile.write(Array((Self.escaped(line) + "\n").utf8), to: file)
    close(file)
  }

  /// Removes entries, here and in the file, which is rewritten.
  package mutating func remove(where isForgotten: (String) -> Bool) {
    let kept = entries.filter { !isForgotten($0) }
    if kept.count == entries.count { return }
    entries = kept
    rewrite()
  }

  /// Returns the newest entry before an index that contains a text, ignoring case where the text has no capital.
  package func lastIndex(of text: String, before end: Int) -> Int? {
    let isExact = text.contains { $0.isUppercase }
    return entries[..<min(max(end, 0), entries.count)].lastIndex { entry in
      isExact ? entry.contains(text) : entry.lowercased().contains(text.lowercased())
    }
  }

  /// Returns the oldest entry from an index on that contains a text, compared like ``lastIndex(of:before:)``.
  package func firstIndex(of text: String, from start: Int) -> Int? {
    guard start < entries.count else { return nil }
    let isExact = text.contains { $0.isUppercase }
    return entries[max(start, 0)...].firstIndex { entry in
      isExact ? entry.contains(text) : entry.lowercased().contains(text.lowercased())
    }
  }

  private mutating func append(_ line: String) { if line != entries.last { entries.append(line) } }

  private func rewrite() {
    guard let path else { return }
    let fresh = path + ".new"
    unlink(fresh)
    let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file < 0 { return }
    let isWhole =
      ByteFile.write(Array(entries.map { Self.escaped($0) + "\n" }.joined().utf8), to: file) && fsync(file) == 0
    close(file)
    if !isWhole || rename(fresh, path) != 0 { unlink(fresh) }
  }

  /// Reads the last part of the file, from the beginning of a line.
  private static func read(_ path: String) -> ArraySlice<UInt8>? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 { return nil }
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    let start = max(0, size - largestByteCount)
    lseek(file, start, SEEK_SET)
    guard let bytes = try? ByteFile.read(from: file) else { return nil }  // a folder in its place
    return start == 0 ? bytes[...] : bytes.drop { $0 != UInt8(ascii: "\n") }
  }

  static func escaped(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  static func unescaped(_ line: String) -> String {
    var result = String.UnicodeScalarView()
    var isEscaped = false
    for scalar in line.unicodeScalars {
      if isEscaped {
        result.append(scalar == "n" ? "\n" : scalar == "r" ? "\r" : scalar)
        isEscaped = false
      } else if scalar == "\\" {
        isEscaped = true
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
