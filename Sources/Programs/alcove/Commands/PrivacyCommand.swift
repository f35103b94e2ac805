import Assistant
import Foundation
import JSON
import Platform
import Terminal

extension Command {
  static let privacy = Command(
    name: "privacy", summary: "show what is stored where, and prove that the network is refused",
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let report = PrivacyReport(
      directories: program.directories, systemRoot: program.environment["ALCOVE_SYSTEM_ROOT"] ?? "")
    if invocation.has("json") {
      program.output.writeLine(report.json.text)
    } else {
      Pager(environment: program.environment).show(
        report.text(ink: program.output.ink, width: program.width), on: program.output)
    }
    return report.isRefused ? .ok : .integrity
  }
}

/// Report of what Alcove keeps, what it may touch and what is refused to it, found by looking and trying.
struct PrivacyReport {
  private struct Kept {
    let what: String
    let path: String
    let byteCount: Int?
    let mode: Int?
  }

  private let kept: [Kept]
  private let disk: (folder: URL, encryption: DiskEncryption)?
  let attempts: [NetworkLock.Trial]

  /// Indicates whether every attempt was refused.
  var isRefused: Bool { attempts.allSatisfy(\.isRefused) }

  /// - Parameter systemRoot: stands before `/proc` and `/sys`.
  init(directories: Directories, systemRoot: String = "") {
    let places: [(String, URL)] = [
      ("settings", directories.settingsFile), ("library: texts, passages, index", directories.libraryDatabase),
      ("sessions, tickets, telemetry", directories.stateDatabase),
      ("lines typed at the prompt", directories.historyFile),
      ("models", directories.models), ("cache", directories.cache),
    ]
    kept = places.map { what, url in
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
      return Kept(
        what: what, path: url.path, byteCount: attributes == nil ? nil : Self.size(of: url),
        mode: attributes?[.posixPermissions] as? Int)
    }
    disk = DiskEncryption.weakest(
      of: [directories.data, directories.state, directories.config, directories.cache], root: systemRoot)
    attempts = NetworkLock.probe()
  }

  private static func size(of url: URL) -> Int {
    let keys: Set<URLResourceKey> = [.fileSizeKey, .isRegularFileKey]
    var files =
      FileManager.default.enumerator(at: url, includingPropertiesForKeys: Array(keys))?
      .compactMap { $0 as? URL } ?? []
    files += [url, URL(filePath: url.path + "-wal")]
    return files.reduce(0) { sum, file in
      // A file that is gone takes no room.
      let values = try? file.resourceValues(forKeys: keys)
      return sum + (values?.isRegularFile == true ? values?.fileSize ?? 0 : 0)
    }
  }

  var json: JSON {
    .document(
      "privacy",
      [
        (
          "stored",
          .array(
            kept.map {
              .object([
                ("what", .string($0.what)), ("path", .string($0.path)), ("exists", .bool($0.byteCount != nil)),
                ("bytes", .int($0.byteCount ?? 0)), ("mode", .optional($0.mode.map { String($0, radix: 8) })),
              ])
            })
        ),
        ("disk", diskObject),
        (
          "network",
          .array(
            attempts.map {
              .object([
                ("socket", .string($0.attempt)), ("refused", .bool($0.isRefused)),
                ("answer", .string(SystemMessage.of($0.error))),
              ])
            })
        ),
      ])
  }

  private var diskObject: JSON {
    guard let disk else { return .null }
    let (isEncrypted, how): (JSON, String?) =
      switch disk.encryption {
      case .encrypted(let method): (.bool(true), Self.name(method))
      case .notEncrypted: (.bool(false), nil)
      case .unknown: (.null, nil)
      }
    return .object([
      ("folder", .string(disk.folder.path)), ("encrypted", isEncrypted), ("how", .optional(how)),
    ])
  }

  private var diskSentence: String? {
    guard let disk else { return nil }
    switch disk.encryption {
    case .encrypted(let method): return "The disk below it is encrypted (\(Self.name(method)))."
    case .notEncrypted(let device):
      return
        "The disk below \(disk.folder.path) (device \(device)) is not encrypted, as far as the kernel tells: whoever has the disk can read it."
    case .unknown(let fileSystem):
      return "Whether the disk below \(disk.folder.path) is encrypted cannot be told"
        + (fileSystem.map { ": its file system (\($0)) names no disk." } ?? ": no mounted file system holds it.")
    }
  }

  private static func name(_ method: DiskEncryption.Method) -> String {
    switch method {
    case .deviceMapper: "dm-crypt"
    case .folder: "fscrypt"
    case .fileSystem(let type): type
    }
  }

  func text(ink: Ink, width: Int) -> String {
    var text = ink("What is stored, and where", .bold) + "\n"
    var table = Table(columns: [
      .init("what"), .init("size", isRightAligned: true), .init("mode"), .init("where", isFlexible: true),
    ])
    for place in kept {
      let size = place.byteCount.map { $0.formatted(.byteCount(style: .file)) } ?? "not there"
      table.add([place.what, size, place.mode.map { String($0, radix: 8) } ?? "", place.path])
    }
    text += table.text(width: nil, ink: ink)
    if let diskSentence {
      text += WordWrap.lines(diskSentence, columns: max(20, width)).map { $0 + "\n" }.joined()
    }
    text += "\n"
    text += ink("What Alcove may touch", .bold) + "\n"
    for (what, meaning) in Self.access {
      let lines = WordWrap.lines(meaning, columns: max(20, width - 4))
      text += "  " + what + "\n" + lines.map { "    " + $0 + "\n" }.joined()
    }
    text += "\n" + ink("What is refused, tried just now", .bold) + "\n"
    for attempt in attempts {
      let answer =
        attempt.isRefused
        ? "refused (\(SystemMessage.of(attempt.error)))"
        : attempt.error == 0
          ? ink("ALLOWED: the network filter is not in force", .failure)
          : "not there (\(SystemMessage.of(attempt.error)))"
      text += "  \(attempt.attempt): \(answer)\n"
    }
    return text
  }

  private static let access = [
    (
      "Your documents",
      "Only the files and folders you add are read. Each is opened by a process of its own that can neither write nor reach the network, and that ends when the file is read."
    ),
    (
      "The network",
      "Never. The kernel refuses internet sockets to this process and to every program it starts, the pager and the editor among them. Only `models pull`, `search`, `resume` and `verify --repair` fetch something, when you ask for it (a pull in the background goes on until it is done, also at the next prompt after a crash; the setting models.resume forbids that): through alcove-fetch, a program of its own that can write in the folder of models alone and see nothing of your documents and conversations."
    ),
    (
      "What you ask",
      "Questions and answers stay in the session database on this machine until you remove them (sessions remove). The prompt's history is a file only you can read."
    ),
    (
      "Removal",
      "library remove and sessions remove erase the text from the database and its log; nothing is kept aside."
    ),
    (
      "Telemetry",
      "A closed list of counters, kept on this machine for you to read. No event can hold text, and none is ever sent."
    ),
  ]
}
