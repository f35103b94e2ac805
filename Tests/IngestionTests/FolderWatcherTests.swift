import Foundation
import Ingestion
import TestSupport
import Testing

@Suite(.serialized) struct FolderWatcherTests {
  private let folder: TemporaryFolder
  private let watcher: FolderWatcher

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("old/file.txt", "x")
    watcher = FolderWatcher(folders: [folder.url.path], quiet: .milliseconds(50))
  }

  /// Collects the changes that are told after some work, until every wanted one was.
  private func changes(_ wanted: Set<FolderChange>, after work: () throws -> Void) async throws -> Set<
    FolderChange
  > {
    var seen: Set<FolderChange> = []
    var isFirst = true
    for await batch in watcher.changes {
      if isFirst { try work() }
      isFirst = false
      seen.formUnion(batch)
      if wanted.isSubset(of: seen) { return seen }
    }
    return seen
  }

  private func path(_ name: String) -> String { folder.url.path + "/" + name }

  @Test(.timeLimit(.minutes(1))) func writtenFilesAreTold() async throws {
    let wanted: Set = [FolderChange.changed(path: path("new.txt")), .changed(path: path("old/file.txt"))]
    let seen = try await changes(wanted) {
      try folder.write("new.txt", "x")
      try folder.write("old/file.txt", "y")
      try folder.write(".hidden", "x")
    }
    #expect(!seen.contains(.changed(path: path(".hidden"))))
  }

  @Test(.timeLimit(.minutes(1))) func newAndMovedFoldersAreFollowed() async throws {
    let files = FileManager.default
    _ = try await changes([.rescan(folder: path("moved")), .gone(path: path("old"))]) {
      try files.moveItem(atPath: path("old"), toPath: path("moved"))
    }
    try folder.write("moved/deep.txt", "x")
    for await batch in watcher.changes where batch.contains(.changed(path: path("moved/deep.txt"))) { break }
  }

  @Test(.timeLimit(.minutes(1))) func removedFilesAndFoldersAreTold() async throws {
    _ = try await changes([.gone(path: path("old"))]) { try FileManager.default.removeItem(atPath: path("old")) }
  }

  @Test(.timeLimit(.minutes(1))) func changedRulesAskForARescan() async throws {
    _ = try await changes([.rescan(folder: path("old"))]) { try folder.write("old/.alcoveignore", "*.log") }
  }

  @Test(.timeLimit(.minutes(1))) func aFolderThatIsNotThereIsTold() async throws {
    let other = FolderWatcher(folders: [path("absent")], quiet: .milliseconds(20))
    for await batch in other.changes where batch == [.gone(path: path("absent"))] { return }
  }
}
