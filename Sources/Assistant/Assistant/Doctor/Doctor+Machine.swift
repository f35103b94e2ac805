import Compute
import Foundation
import ModelStore
import Persistence
import Threading

/// Checks of the programs, the processor, the memory and the disk.
extension Doctor {
  /// Reports the compiler that built the programs, and whether there is one here. Packages need none.
  func checkToolchain() {
    let folders = (access.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/swift" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    add(
      "toolchain", .ok,
      "built with Swift \(Self.compilerVersion); "
        + (found.map { "Swift is at \($0)" } ?? "no Swift on the PATH, which only building needs"))
  }

  private static var compilerVersion: String {
    #if swift(>=6.4)
      "6.4 or newer"
    #elseif swift(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  func checkPrograms() {
    do {
      let installation = try Installation(environment: access.environment)
      for name in ["alcove-reader", "alcove-fetch"] {
        let path = installation.programs.appending(path: name).path
        guard FileManager.default.isExecutableFile(atPath: path) else {
          add("program \(name)", .failed, "not at \(path)", "run ./run install again")
          continue
        }
        let missing = missingLibraries(of: path)
        if missing.isEmpty {
          add("program \(name)", .ok, path)
        } else {
          add(
            "program \(name)", .failed, "lacks \(missing.joined(separator: ", "))",
            "install these libraries with your system's package manager")
        }
      }
      add("resources", .ok, installation.root.path)
    } catch {
      add("resources", .failed, Explanation.of(error).sentence, "run ./run install again, or set ALCOVE_SHARE")
    }
    add("SQLite", .ok, Database.libraryVersion)
    do {
      _ = try access.models.settings.current()
      add("settings", .ok, access.directories.settingsFile.path)
    } catch {
      add(
        "settings", .failed, Explanation.of(error).sentence,
        "mend or remove \(access.directories.settingsFile.path)")
    }
  }

  /// Returns the libraries that the loader does not find.
  private func missingLibraries(of path: String) -> [String] {
    let environment = ProcessInfo.processInfo.environment.merging(["LD_TRACE_LOADED_OBJECTS": "1"]) { $1 }
    guard let (_, text) = ChildOutput.of(path, environment: environment) else {
      return ["a loader that can start it"]
    }
    return text.split(separator: "\n").filter { $0.contains("not found") }.map {
      String($0.split(separator: " ").first ?? "").trimmingCharacters(in: .whitespaces)
    }
  }

  func checkProcessor() {
    let set = InstructionSet.best
    let cores = ProcessorCount.usable
    let isSlow = "\(set)" == "scalar"
    add(
      "processor", isSlow ? .warning : .ok, "\(set) kernels on \(cores) core\(cores == 1 ? "" : "s")",
      isSlow ? "models will be slow: this processor has none of the vector instructions that the kernels use" : nil
    )
    let power = PowerCondition(root: access.environment["ALCOVE_SYSTEM_ROOT"] ?? "")
    if !power.strains.isEmpty {
      add(
        "power and heat", .warning, power.strains.map(Self.text).joined(separator: ", "),
        "models run with less context and fewer threads meanwhile (power.step-down)")
    } else {
      add("power and heat", .ok, "nothing strains the machine")
    }
  }

  private static func text(_ strain: PowerCondition.Strain) -> String {
    switch strain {
    case .battery(let percent): "the battery is at \(percent) %"
    case .lowPowerProfile: "the low-power profile is on"
    case .throttled: "the processor is throttled for heat"
    }
  }

  func checkMemory() {
    let memory = access.models.memory()
    let limit = memory.limitedBy.map { ", limited by \($0)" } ?? ""
    let detail = "\(Self.size(memory.available)) of \(Self.size(memory.total)) free\(limit)"
    add(
      "memory", memory.available < 1 << 30 ? .warning : .ok, detail,
      memory.available < 1 << 30 ? "close other programs before a model is loaded" : nil)
  }

  func checkDisk() {
    for (name, folder) in [("data", access.directories.data), ("state", access.directories.state)] {
      do {
        try access.directories.prepare()
        let values = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let free = (values[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        let status: Status = free < 64 << 20 ? .failed : free < 1 << 30 ? .warning : .ok
        add(
          "disk of \(name)", status, "\(Self.size(free)) free at \(folder.path)",
          status == .ok ? nil : "free some space; `alcove models list` shows what models take")
      } catch {
        add("disk of \(name)", .failed, Explanation.of(error).sentence, "set ALCOVE_HOME to a folder of your own")
      }
    }
  }

  private static func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
}
