import Foundation

/// Identity of a running process: a process id alone is reused in time.
package struct ProcessIdentity: Sendable, Hashable, Codable {
  /// Process id.
  package let pid: Int32
  /// Start time, in clock ticks since boot (`/proc/PID/stat`, field 22).
  package let start: Int64
  /// Id of the boot (`/proc/sys/kernel/random/boot_id`).
  package let boot: String

  /// Makes an identity from its parts.
  package init(pid: Int32, start: Int64, boot: String) {
    self.pid = pid
    self.start = start
    self.boot = boot
  }

  /// Identity of this process.
  package static let current = ProcessIdentity(
    pid: getpid(), start: startTime(of: getpid()) ?? 0, boot: currentBoot)

  /// Indicates whether that very process is still running.
  package var isAlive: Bool {
    boot == Self.currentBoot && Self.startTime(of: pid) == start
  }

  private static let currentBoot =
    // Without a boot id from the kernel, all processes count as being of one boot.
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""

  /// Reads the start time of a process from `/proc` (proc(5)): the command may hold spaces and parentheses, so fields
  /// are counted behind the last one. A zombie counts as gone.
  private static func startTime(of pid: Int32) -> Int64? {
    // A process that is gone has no file.
    guard let line = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let close = line.lastIndex(of: ")")
    else { return nil }
    let fields = line[line.index(after: close)...].split(separator: " ")
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return Int64(fields[19])
  }
}
