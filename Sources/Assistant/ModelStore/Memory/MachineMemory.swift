import Foundation

/// The memory of this machine as far as this process may use it: the system's, and every limit of its control groups.
package struct MachineMemory: Sendable, Equatable {
  /// All there is, or the tightest limit.
  package var total: Int
  /// Bytes that are available now without pushing other programs out.
  package var available: Int
  /// The limit that binds tighter than the machine does: where it stands.
  package var limitedBy: String?

  /// Makes a reading by hand.
  package init(total: Int, available: Int, limitedBy: String? = nil) {
    self.total = total
    self.available = available
    self.limitedBy = limitedBy
  }

  /// Reads it from the system.
  /// - Parameter root: stands before `/proc` and `/sys`.
  package init(root: String = "") {
    let facts = Self.facts("\(root)/proc/meminfo")
    total = facts["MemTotal"] ?? 0
    available = facts["MemAvailable"] ?? facts["MemFree"] ?? 0
    limitedBy = nil
    for line in (Self.text("\(root)/proc/self/cgroup") ?? "").split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      if fields[1].isEmpty {
        narrow(
          "\(root)/sys/fs/cgroup", String(fields[2]), limit: "memory.max", usage: "memory.current",
          cached: "inactive_file")
      } else if fields[1].split(separator: ",").contains("memory") {
        narrow(
          "\(root)/sys/fs/cgroup/memory", String(fields[2]), limit: "memory.limit_in_bytes",
          usage: "memory.usage_in_bytes", cached: "total_inactive_file")
      }
    }
  }

  /// The bytes of this process in memory that are no file's.
  package static func heldByThisProcess() -> Int { facts("/proc/self/status")["RssAnon"] ?? 0 }

  /// Heeds the limits of a group and of every group around it.
  private mutating func narrow(_ base: String, _ group: String, limit: String, usage: String, cached: String) {
    var folders = [base]
    for part in group.split(separator: "/") where part != ".." {
      folders.append((folders.last ?? base) + "/" + part)
    }
    for folder in folders {
      // "max", and the old form's number beyond all memory, mean no limit.
      guard let most = Self.text("\(folder)/\(limit)").flatMap({ Int($0) }), most >= 0 else { continue }
      if most < total {
        total = most
        limitedBy = "\(folder)/\(limit)"
      }
      guard let used = Self.text("\(folder)/\(usage)").flatMap({ Int($0) }) else { continue }
      // Files in the group's cache give way.
      let reclaimable = Self.facts("\(folder)/memory.stat")[cached] ?? 0
      let left = max(0, most - max(0, used - reclaimable))
      if left < available {
        available = left
        limitedBy = "\(folder)/\(limit)"
      }
    }
    available = min(available, total)
  }

  /// Lines of a name and a number; numbers followed by `kB` are thousands of bytes in the system's sense.
  private static func facts(_ path: String) -> [String: Int] {
    var facts: [String: Int] = [:]
    for line in (text(path) ?? "").split(separator: "\n") {
      let words = line.split(whereSeparator: { $0 == " " || $0 == ":" || $0 == "\t" })
      guard words.count >= 2, let number = Int(words[1]) else { continue }
      facts[String(words[0])] = words.count > 2 && words[2] == "kB" ? number.saturatingProduct(1024) : number
    }
    return facts
  }

  private static func text(_ path: String) -> String? {
    // A file that is absent or unreadable says nothing; the callers go on without it.
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
