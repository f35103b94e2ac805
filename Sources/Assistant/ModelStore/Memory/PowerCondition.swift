import Foundation

/// Reasons for a machine to work less hard, as the kernel reports them.
package struct PowerCondition: Sendable, Equatable {
  /// One reason to step down.
  package enum Strain: Sendable, Equatable {
    /// Running on a battery with this charge, in percent.
    case battery(percent: Int)
    /// The user chose to save power.
    case lowPowerProfile
    /// The processor has become slower because it is hot.
    case throttled
  }

  /// Strains on the machine now; empty where there are none.
  package var strains: [Strain]
  /// Number of times that processors have been throttled since the start, to compare with an earlier reading.
  package var throttleCount: Int

  /// Below this a battery counts as low, in percent.
  package static let lowBattery = 20

  /// Reads it from sysfs.
  /// - Parameters:
  ///   - root: stands before `/sys`.
  ///   - earlier: a reading of some time ago: heat counts only if there was more of it since.
  package init(root: String = "", since earlier: PowerCondition? = nil) {
    strains = []
    if let percent = Self.batteryInUse("\(root)/sys/class/power_supply"), percent < Self.lowBattery {
      strains.append(.battery(percent: percent))
    }
    let profile = Self.text("\(root)/sys/firmware/acpi/platform_profile") ?? ""
    let preference = Self.text("\(root)/sys/devices/system/cpu/cpu0/cpufreq/energy_performance_preference") ?? ""
    if ["low-power", "quiet"].contains(profile) || preference == "power" { strains.append(.lowPowerProfile) }
    throttleCount = Self.throttles("\(root)/sys/devices/system/cpu")
    if Self.isHot("\(root)/sys/class/thermal") || throttleCount > earlier?.throttleCount ?? throttleCount {
      strains.append(.throttled)
    }
  }

  /// The context to use instead of one asked for: 4,096 at most where power is short.
  package func context(_ wanted: Int) -> Int { strains.isEmpty ? wanted : min(wanted, 4096) }

  /// The threads to use instead of those asked for: half of them, at least one.
  package func threads(_ wanted: Int) -> Int { strains.isEmpty ? wanted : max(1, wanted / 2) }

  /// Charge in percent of the battery that the machine runs on; nil on mains, or without a battery.
  private static func batteryInUse(_ folder: String) -> Int? {
    var lowest: Int?
    for name in names(folder) {
      let supply = "\(folder)/\(name)"
      switch text("\(supply)/type") {
      case "Mains", "USB": if text("\(supply)/online") == "1" { return nil }
      case "Battery":
        // Batteries of mice and pens say that they belong to a device.
        guard text("\(supply)/scope") != "Device", text("\(supply)/status") == "Discharging" else { continue }
        guard let percent = text("\(supply)/capacity").flatMap({ Int($0) }) else { continue }
        lowest = min(lowest ?? percent, percent)
      default: continue
      }
    }
    return lowest
  }

  private static func throttles(_ folder: String) -> Int {
    names(folder).reduce(0) { sum, name in
      let counts = ["core_throttle_count", "package_throttle_count"].compactMap {
        text("\(folder)/\(name)/thermal_throttle/\($0)").flatMap { Int($0) }
      }
      return sum.saturatingSum(counts.max() ?? 0)
    }
  }

  /// Indicates whether the kernel is slowing a processor down to cool it, or a zone has passed its passive or hot mark.
  private static func isHot(_ folder: String) -> Bool {
    names(folder).contains { name in
      let device = "\(folder)/\(name)"
      if name.hasPrefix("cooling_device") {
        guard text("\(device)/type") == "Processor" else { return false }
        return (text("\(device)/cur_state").flatMap { Int($0) } ?? 0) > 0
      }
      guard let now = text("\(device)/temp").flatMap({ Int($0) }) else { return false }
      return (0..<12).contains { point in
        guard let kind = text("\(device)/trip_point_\(point)_type"), kind == "passive" || kind == "hot",
          let mark = text("\(device)/trip_point_\(point)_temp").flatMap({ Int($0) })
        else { return false }
        return mark > 0 && now >= mark
      }
    }
  }

  private static func names(_ folder: String) -> [String] {
    // Where there is no such folder the machine has no such devices.
    (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
  }

  private static func text(_ path: String) -> String? {
    // What cannot be read strains nothing.
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
