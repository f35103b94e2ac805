import Foundation
import Persistence
import Retrieval

/// The backup that is made by itself before a database takes a new form.
///
/// There is at most one. It goes when something is deleted, so that what was removed is in no file, and after a month.
package enum AutomaticBackup {
  /// Where it lies.
  package static func file(_ directories: Directories) -> URL {
    directories.state.appending(path: "before-migration.alcove-backup")
  }

  /// Makes it where a database is about to be migrated.
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

  /// Removes it.
  package static func forget(_ directories: Directories) {
    // Where it is not there it need not go.
    try? FileManager.default.removeItem(at: file(directories))
  }
}
