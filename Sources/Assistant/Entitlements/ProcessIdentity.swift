import Foundation

/// One run of one program: a process number alone is given to others in time.
package struct ProcessIdentity: Sendable, Hashable, Codable {
  /// The process number.
  package let pid: Int32
  /// When it started, in clock ticks since boot (`/proc/PID/stat`, field 22).
  package let start: Int64
  /// The boot it belongs to (`/proc/sys/kernel/random/boot_id`).
  package let boot: String

  /// Makes an identity from its parts.
  package init(pid: Int32, start: Int64, boot: String) {
    self.pid = pid
    self.start = start
    self.boot = boot
  }

  /// This process.
  package static let current = ProcessIdentity(
    pid: getpid(), start: startTime(of: getpid()) ?? 0, boot: currentBoot)

  /// Whether that very process still runs.
  package var isAlive: Bool {
    boot == Self.currentBoot && Self.startTime(of: pid) == start
  }

  private static let currentBoot =
    // Where the kernel hides it, all processes are taken to be of one boot.
    (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8))?
    .trimmingCharacters(in: .whitespacesAndNewlines) ?? ""

  /// proc(5): the command may hold spaces and parentheses, so fields are counted behind the last one. A zombie is gone.
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
