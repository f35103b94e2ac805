import Retrieval

/// State of the files of a library, compared with the disk.
package struct Rescan: Sendable {
  /// Paths that are gone.
  package let gone: [String]
  /// Paths that are there.
  package let present: [String]
  /// Hashes of the documents that were taken out because no file of theirs is left.
  package let removed: [String]

  /// Looks for every file of a library.
  /// - Parameter prunes: whether the files that are gone are taken out.
  /// - Throws: what the library throws.
  package init(_ workspace: Workspace, prunes: Bool) async throws {
    let library = workspace.library
    gone = try await library.markMissing().map(\.file.path)
    var removed: [String] = []
    if prunes {
      let before = try await library.documents()
      _ = try await library.prune()
      let kept = Set(try await library.documents().map(\.hash))
      removed = before.map(\.hash).filter { !kept.contains($0) }
    }
    self.removed = removed
    present = try await library.ledger().filter { !$0.isMissing }.map(\.file.path)
  }
}
