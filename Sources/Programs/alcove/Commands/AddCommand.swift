import Assistant
import Documents
import Foundation
import Ingestion
import Retrieval
import Terminal

extension Command {
  static let add = Command(
    name: "add", summary: "add files and folders to the library",
    details: """
      Folders are searched to their depth; hidden files and what a .alcoveignore names are passed over. Files that are in \
      the library as they are now cost nothing. What cannot be indexed is named with its reason, and makes the exit code 1.
      """,
    arguments: [Argument(name: "PATH", kind: .path, isRepeated: true)],
    options: [
      Option(name: "password", value: ("PASSWORD", .text), help: "try this on files that ask for one"),
      Option(name: "json", help: "write a line of JSON for each file, as it is done"),
    ],
    examples: ["alcove add ~/Documents report.pdf"]
  ) { invocation, program in
    let paths = program.addedPaths(invocation.list("PATH"))
    let walk = try await program.interruptible { await Task.detached { FileWalk(paths) }.value }
    let report = ImportReport(program: program, isJSON: invocation.has("json"))
    try await program.importFiles(walk, password: invocation.value("password"), report: report)
    let missing = walk.skipped.filter { $0.reason == .missing }
    return report.failures.isEmpty ? .ok : missing.count == report.failures.count ? .notFound : .failure
  }

  static let rescan = Command(
    name: "rescan", summary: "read again what has changed, and report what is gone",
    details: "Files that are gone stay in the library, and answer, until --prune or remove.",
    options: [
      Option(name: "prune", help: "take out what is gone"),
      Option(name: "json", help: "write a line of JSON for each file, as it is done"),
    ]
  ) { invocation, program in
    let library = try await program.library()
    let gone = try await library.markMissing()
    if invocation.has("prune") {
      let before = try await library.documents()
      _ = try await library.prune()
      let kept = Set(try await library.documents().map(\.hash))
      try await program.forget(documents: before.map(\.hash).filter { !kept.contains($0) })
    }
    let present = try await library.ledger().filter { !$0.isMissing }.map(\.file.path)
    let report = ImportReport(program: program, isJSON: invocation.has("json"))
    report.gone = gone.map(\.file.path)
    report.isPruned = invocation.has("prune")
    let walk = await Task.detached { FileWalk(present) }.value
    try await program.importFiles(walk, password: nil, report: report)
    return .ok
  }

  static let watch = Command(
    name: "watch", surface: .shell, summary: "add folders and follow what changes in them, until Ctrl-C",
    arguments: [Argument(name: "PATH", kind: .path, isRepeated: true)],
    options: [Option(name: "json", help: "write a line of JSON for each file, as it is done")]
  ) { invocation, program in
    let folders = program.addedPaths(invocation.list("PATH")).map(FileWalk.settled)
    let watcher = FolderWatcher(folders: folders)
    let isJSON = invocation.has("json")
    do {
      try await program.interruptible {
        for await changes in watcher.changes {
          try Task.checkCancellation()
          try await program.follow(changes, in: folders, isJSON: isJSON)
        }
        try Task.checkCancellation()
      }
    } catch is CancellationError {
      program.notice("No longer watching.")
    }
    return .ok
  }
}

extension Program {
  /// The paths as they were meant: at the prompt, a path with blanks may be typed without quotes.
  func addedPaths(_ words: [String]) -> [String] {
    let whole = absolutePath(words.joined(separator: " "))
    if words.count > 1, !words.contains(where: { FileManager.default.fileExists(atPath: absolutePath($0)) }),
      FileManager.default.fileExists(atPath: whole)
    {
      return [whole]
    }
    return words.map { $0.hasPrefix("~/") ? absolutePath($0) : $0 }
  }

  /// Reads and stores the files of a walk, showing how far it has come.
  func importFiles(_ walk: FileWalk, password: String?, report: ImportReport) async throws {
    let importer = Importer(workspace: try await workspace(), settings: try settings())
    report.take(walk.skipped)
    defer { report.end() }
    let asks = terminal.isInteractive && !report.isJSON && password == nil
    try await interruptible {
      try await importer.add(
        walk.files, password: password,
        askPassword: asks ? { @MainActor [self] path in report.ask(path, at: terminal, environment) } : nil
      ) { @Sendable event in
        await report.take(event)
      }
    }
    refreshNames()
  }

  fileprivate func follow(_ changes: [FolderChange], in folders: [String], isJSON: Bool) async throws {
    let report = ImportReport(program: self, isJSON: isJSON)
    var touched: Set<String> = []
    var scans = changes.isEmpty ? folders : []
    for change in changes {
      switch change {
      case .changed(let path): touched.insert(path)
      case .gone: break
      case .rescan(let folder): scans.append(folder)
      case .unwatched(let folder, let detail): complain("\(folder) cannot be watched: \(detail)")
      }
    }
    // A file counts only where a walk from the top finds it, so that the rules of all folders hold.
    let walk = await Task.detached { FileWalk(folders) }.value
    let files = walk.files.filter { file in
      touched.contains(file) || scans.contains { file == $0 || file.hasPrefix($0 + "/") }
    }
    report.gone = try await library().markMissing().map(\.file.path).filter { path in
      changes.contains {
        if case .gone(let gone) = $0 { path == gone || path.hasPrefix(gone + "/") } else { false }
      }
    }
    // Only who has just typed the command is there to type a password.
    if !changes.isEmpty { report.givesUpAsking = true }
    try await importFiles(await Task.detached { FileWalk(files) }.value, password: nil, report: report)
    if changes.isEmpty { notice("Watching \(folders.joined(separator: ", ")); Ctrl-C ends it.") }
  }
}
