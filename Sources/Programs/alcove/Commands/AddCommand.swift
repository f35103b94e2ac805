import Assistant
import Foundation
import Terminal

extension Command {
  static let add = Command(
    name: "add", summary: "add files and folders to the library",
    details: """
      Folders are searched with all folders in them; hidden files and those that a .alcoveignore names are passed \
      over. Files that the library holds and that have not changed cost nothing. Files that cannot be indexed are \
      listed with the reason, and the exit code is then 1.
      """,
    arguments: [Argument(name: "PATH", kind: .path, isRepeated: true)],
    options: [
      Option(name: "password", value: ("PASSWORD", .text), help: "password to try on protected files"),
      Option(name: "json", help: "write a line of JSON for each file, as it is done"),
    ],
    examples: ["alcove add ~/Documents report.pdf"]
  ) { invocation, program in
    let paths = program.addedPaths(invocation.list("PATH"))
    let found = try await program.interruptible { await FoundFiles.below(paths) }
    let report = ImportReport(program: program, isJSON: invocation.has("json"))
    try await program.importFiles(found, password: invocation.value("password"), report: report)
    let missing = found.refused.filter { $0.reason == .missing }
    return report.failures.isEmpty ? .ok : missing.count == report.failures.count ? .notFound : .failure
  }

  static let rescan = Command(
    name: "rescan", summary: "read changed files again, and report files that are gone",
    details:
      "The library keeps the text of files that are gone, and answers from it, until --prune or library remove.",
    options: [
      Option(name: "prune", help: "take files that are gone out of the library"),
      Option(name: "json", help: "write a line of JSON for each file, as it is done"),
    ]
  ) { invocation, program in
    let isPruned = invocation.has("prune")
    let rescan = try await Rescan(program.workspace(), prunes: isPruned)
    if isPruned { try await program.forget(documents: rescan.removed) }
    let report = ImportReport(program: program, isJSON: invocation.has("json"))
    report.gone = rescan.gone
    report.isPruned = isPruned
    try await program.importFiles(await FoundFiles.below(rescan.present), password: nil, report: report)
    return .ok
  }

  static let watch = Command(
    name: "watch", surface: .shell, summary: "add folders, and files in them as they change, until Ctrl-C",
    arguments: [Argument(name: "PATH", kind: .path, isRepeated: true)],
    options: [Option(name: "json", help: "write a line of JSON for each file, as it is done")]
  ) { invocation, program in
    let paths = program.addedPaths(invocation.list("PATH"))
    let follower = FolderFollower(paths, of: try await program.workspace())
    let isJSON = invocation.has("json")
    do {
      try await program.interruptible {
        try await follower.run { try await program.take($0, of: follower.folders, isJSON: isJSON) }
      }
    } catch is CancellationError {
      program.notice("No longer watching.")
    }
    return .ok
  }
}

extension Program {
  /// Returns the paths as they were meant: at the prompt, a path with blanks may be typed without quotes.
  func addedPaths(_ words: [String]) -> [String] {
    let whole = directories.absolutePath(words.joined(separator: " "))
    if words.count > 1,
      !words.contains(where: { FileManager.default.fileExists(atPath: directories.absolutePath($0)) }),
      FileManager.default.fileExists(atPath: whole)
    {
      return [whole]
    }
    return words.map { $0.hasPrefix("~/") ? directories.absolutePath($0) : $0 }
  }

  /// Reads and stores files, showing how far it has come.
  func importFiles(_ found: FoundFiles, password: String?, report: ImportReport) async throws {
    let importer = Importer(workspace: try await workspace(), settings: try settings())
    report.take(found)
    defer { report.end() }
    let asks = terminal.isInteractive && !report.isJSON && password == nil
    try await interruptible {
      try await importer.add(
        found.files, password: password,
        askPassword: asks ? { @MainActor [self] path in report.ask(path, at: terminal, environment) } : nil
      ) { @Sendable event in
        await report.take(event)
      }
    }
    refreshNames()
  }

  /// Imports what changed in folders that are watched.
  fileprivate func take(_ changes: FolderFollower.Changes, of folders: [String], isJSON: Bool) async throws {
    let report = ImportReport(program: self, isJSON: isJSON)
    for (folder, detail) in changes.unwatched { complain("\(folder) cannot be watched: \(detail)") }
    report.gone = changes.gone
    // Only who has just typed the command is there to type a password.
    if !changes.isFirst { report.givesUpAsking = true }
    try await importFiles(await FoundFiles.below(changes.files), password: nil, report: report)
    if changes.isFirst { notice("Watching \(folders.joined(separator: ", ")); Ctrl-C ends it.") }
  }
}
