import Foundation

/// The processes that this one started, and those that they started, as `/proc` tells.
enum ChildProcesses {
  /// Readers and their nurseries: children of this process and their children.
  static func descendants() -> [pid_t] {
    let table = readers()
    let children = table.filter { $0.parent == getpid() }.map(\.id)
    return children + table.filter { children.contains($0.parent) }.map(\.id)
  }

  /// Children of this process that have ended and were not waited for.
  static func zombies() -> [pid_t] {
    readers().filter { $0.parent == getpid() && $0.state == "Z" }.map(\.id)
  }

  private static func readers() -> [(id: pid_t, parent: pid_t, state: String)] {
    // A process that ends while its entry is read is simply not there.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { name in
      guard let id = pid_t(name), let text = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        text.contains("(alcove-reader)")
      else { return nil }
      let fields = text.components(separatedBy: ") ").last?.split(separator: " ") ?? []
      guard fields.count > 1, let parent = pid_t(fields[1]) else { return nil }
      return (id, parent, String(fields[0]))
    }
  }
}
