import Ingestion
import Retrieval

/// Follows what changes in folders, for `alcove watch`.
package struct FolderFollower: Sendable {
  /// Changes in the folders.
  package struct Changes: Sendable {
    /// Files to read again.
    package let files: [String]
    /// Paths of the library's files that are gone.
    package let gone: [String]
    /// Folders that cannot be watched, with the system's reason.
    package let unwatched: [(folder: String, detail: String)]
    /// Indicates whether it is the first look, at everything that is there.
    package let isFirst: Bool
  }

  /// Paths of the folders, as they begin the paths of the files in them.
  package let folders: [String]
  private let watcher: FolderWatcher
  private let library: Library

  /// Begins to watch folders.
  package init(_ paths: [String], of workspace: Workspace) {
    folders = paths.map(FileWalk.settled)
    watcher = FolderWatcher(folders: folders)
    library = workspace.library
  }

  /// Calls `take` for the first look and then for each batch of changes, until the task is cancelled.
  /// - Throws: `CancellationError`, what the library throws, and what `take` throws.
  @MainActor package func run(_ take: (Changes) async throws -> Void) async throws {
    for await changes in watcher.changes {
      try Task.checkCancellation()
      try await take(try await described(changes))
    }
    try Task.checkCancellation()
  }

  private func described(_ changes: [FolderChange]) async throws -> Changes {
    var touched: Set<String> = []
    var scans = changes.isEmpty ? folders : []
    var unwatched: [(folder: String, detail: String)] = []
    for change in changes {
      switch change {
      case .changed(let path): touched.insert(path)
      case .gone: break
      case .rescan(let folder): scans.append(folder)
      case .unwatched(let folder, let detail): unwatched.append((folder, detail))
      }
    }
    // A file counts only where a walk from the top finds it, so that the rules of all folders hold.
    let files = await FoundFiles.below(folders).files.filter { file in
      touched.contains(file) || scans.contains { file == $0 || file.hasPrefix($0 + "/") }
    }
    let gone = try await library.markMissing().map(\.file.path).filter { path in
      changes.contains {
        if case .gone(let gone) = $0 { path == gone || path.hasPrefix(gone + "/") } else { false }
      }
    }
    return Changes(files: files, gone: gone, unwatched: unwatched, isFirst: changes.isEmpty)
  }
}
