import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let backup = Command(
    name: "backup", summary: "write library, sessions, settings, pictures and the list of models into one file",
    details: """
      The file is a tar archive with a list of its contents and their hashes; it is read back and checked before it \
      gets its name. Other Alcoves may be at work meanwhile. The models themselves are not in it, only where they \
      came from. Before a database is changed to a new format, such a backup is made automatically and kept for a \
      month, or until something is deleted.
      """,
    arguments: [Argument(name: "FILE", kind: .path)],
    options: [Option(name: "json", help: "write JSON")],
    examples: ["alcove backup ~/alcove.backup"]
  ) { invocation, program in
    try program.directories.prepare()
    let target = URL(filePath: program.directories.absolutePath(invocation.value("FILE") ?? ""))
    let models = try await BackupManifest.models(of: program.models.store())
    let directories = program.directories
    let manifest = try await Task.detached { try Backup.write(to: target, from: directories, models: models) }
      .value
    program.tell(manifest, as: "backup", done: "written to \(target.path)", isJSON: invocation.has("json"))
    return .ok
  }

  static let restore = Command(
    name: "restore", surface: .shell, summary: "replace what is there with what a backup holds",
    details: """
      Every file in the backup is compared with its hash, and the databases are checked before anything that is \
      there is touched. No other Alcove may be at work.
      """,
    arguments: [Argument(name: "FILE", kind: .path)],
    options: [
      Option(name: "check", help: "only check the backup; change nothing"),
      Option(name: "json", help: "write JSON"),
    ]
  ) { invocation, program in
    let file = URL(filePath: program.directories.absolutePath(invocation.value("FILE") ?? ""))
    if invocation.has("check") {
      let manifest = try await Task.detached { try Backup.check(file) }.value
      program.tell(manifest, as: "backup", done: "sound", isJSON: invocation.has("json"))
      return .ok
    }
    let manifest = try await Backup.restore(file, into: program.directories)
    program.tell(manifest, as: "restore", done: "brought back", isJSON: invocation.has("json"))
    let store = try program.models.store()
    for model in try await manifest.models(missingFrom: store) {
      let way =
        model.source.contains("://")
        ? "alcove models pull \(model.source)" : "alcove models import \(model.source)"
      program.notice("The model \(model.name) is not on this machine; `\(way)` adds it.")
    }
    return .ok
  }
}

extension Program {
  fileprivate func tell(_ manifest: BackupManifest, as kind: String, done: String, isJSON: Bool) {
    guard !isJSON else {
      output.writeLine(
        JSON.document(
          kind,
          [
            ("created", .string(manifest.created)),
            (
              "members",
              .array(
                manifest.members.map {
                  .object([("name", .string($0.name)), ("bytes", .int($0.bytes)), ("sha256", .string($0.sha256))])
                })
            ), ("models", .strings(manifest.models.map(\.name))),
          ]
        ).text)
      return
    }
    let total = manifest.members.reduce(0) { $0 + $1.bytes }
    output.writeLine(
      TextSanitizer.line(
        "Backup of \(manifest.created): \(manifest.members.count) files, \(Self.size(total)); \(done)."))
  }
}
