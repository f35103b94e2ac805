import Ingestion

/// Files that a walk through folders found, and what it passed over.
package struct FoundFiles: Sendable {
  /// Path that was named and is not read.
  package struct Refused: Sendable, Equatable {
    package let path: String
    package let reason: FileRefusal
  }

  /// Paths of the files to read.
  package private(set) var files: [String] = []
  /// Paths that are not read, in the order in which they were met.
  package private(set) var refused: [Refused] = []
  /// Number of hidden files and folders that were passed over.
  package private(set) var hiddenCount = 0
  /// Number of files and folders that a .alcoveignore names.
  package private(set) var ignoredCount = 0
  /// Number of files that were met before, under another path.
  package private(set) var repeatedCount = 0

  /// Walks through files and folders to their depth.
  package static func below(_ paths: [String]) async -> FoundFiles {
    await Task.detached { FoundFiles(FileWalk(paths)) }.value
  }

  private init(_ walk: FileWalk) {
    files = walk.files
    for item in walk.skipped {
      switch item.reason {
      case .hidden: hiddenCount += 1
      case .ignored: ignoredCount += 1
      case .sameAs: repeatedCount += 1
      case .notRegular: refused.append(Refused(path: item.path, reason: .notRegular))
      case .kernelFiles: refused.append(Refused(path: item.path, reason: .kernelFiles))
      case .missing: refused.append(Refused(path: item.path, reason: .missing))
      case .unreadable(let detail): refused.append(Refused(path: item.path, reason: .unreadable(detail: detail)))
      }
    }
  }
}
