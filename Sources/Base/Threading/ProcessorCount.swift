import CPlatform
import Foundation

/// Number of compute threads this process should run.
package enum ProcessorCount {
  /// Number of physical cores this process may use, within its affinity mask and its cgroup's quota; at least 1.
  package static let usable: Int = max(1, min(physical(), quota() ?? .max))

  /// Number of distinct physical cores among the processors of the affinity mask.
  static func physical() -> Int {
    var processors = [Int32](repeating: 0, count: 4096)
    let count = min(Int(cp_allowed_processors(&processors, Int32(processors.count))), processors.count)
    guard count > 0 else { return ProcessInfo.processInfo.activeProcessorCount }
    // Hyper-threads of one core list the same siblings; where the system says nothing each counts as a core.
    let cores = Set(
      processors[..<count].map { processor in
        let topology = "/sys/devices/system/cpu/cpu\(processor)/topology"
        return text("\(topology)/core_cpus_list") ?? text("\(topology)/thread_siblings_list") ?? "\(processor)"
      })
    return cores.count
  }

  /// Number of whole processors that the tightest enclosing cgroup grants, or nil where none sets a limit.
  static func quota() -> Int? {
    var smallest: Double?
    func consider(_ quota: Double?, _ period: Double?) {
      guard let quota, let period, quota > 0, period > 0 else { return }
      smallest = min(smallest ?? .infinity, quota / period)
    }
    for line in (text("/proc/self/cgroup") ?? "").split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let isUnified = fields[1].isEmpty
      guard isUnified || fields[1].split(separator: ",").contains("cpu") else { continue }
      var folder = URL(filePath: isUnified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu")
      var folders = [folder]
      for part in fields[2].split(separator: "/") {
        folder.append(path: String(part))
        folders.append(folder)
      }
      for folder in folders {
        if let limit = text("\(folder.path)/cpu.max") {
          let parts = limit.split(separator: " ")
          if parts.count == 2 { consider(Double(parts[0]), Double(parts[1])) }
        }
        consider(
          text("\(folder.path)/cpu.cfs_quota_us").flatMap(Double.init),
          text("\(folder.path)/cpu.cfs_period_us").flatMap(Double.init))
      }
    }
    return smallest.map { max(1, Int($0)) }
  }

  private static func text(_ path: String) -> String? {
    // An absent or unreadable file is not an error: the callers go on without it.
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
