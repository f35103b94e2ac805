import Foundation
import Persistence
import Retrieval

/// Backup that is made automatically before a database is migrated to a new schema.
///
/// There is at most one. It is removed when something is deleted, so that removed text is in no file, and after a
/// month.
package enum AutomaticBackup {
  /// Path of the backup.
  package static func file(_ directories: Directories) -> URL {
    directories.state.appending(path: "before-migration.alcove-backup")
  }

  /// Makes the backup where a database is about to be migrated.
  static func makeIfDue(_ directories: Directories) throws {
    let known = [
      (directories.libraryDatabase, Library.formVersion), (directories.stateDatabase, StateStore.migrations.count),
    ]
    let isDue = known.contains { url, version in
      // An empty file is a database that was never begun.
      Database.formVersion(url).map { $0 > 0 && $0 < version } ?? false
    }
    if isDue {
      try Backup.write(to: file(directories), from: directories)
    } else if let made = try? file(directories).resourceValues(forKeys: [.contentModificationDateKey])
      .contentModificationDate,
      made.timeIntervalSinceNow < -30 * 86_400
    {
      forget(directories)
    }
  }

  /// Removes the backup.
  package static func forget(_ directories: Directories) {
    // A missing file need not be removed.
    try? FileManager.default.removeItem(at: file(directories))
  }
}
