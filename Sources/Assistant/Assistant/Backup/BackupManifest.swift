import Foundation

/// Contents of a backup, written as its first member.
package struct BackupManifest: Sendable, Equatable, Codable {
  /// Format of backups that this program writes.
  package static let currentForm = "alcove.backup/1"

  /// The format.
  package var form = Self.currentForm
  /// Date of the backup.
  package var created: String
  /// Members in their order.
  package var members: [Member]
  /// Models that were on the machine; their files are not in the backup.
  package var models: [Model]

  /// One file of a backup.
  package struct Member: Sendable, Equatable, Codable {
    /// Its name in the archive.
    package var name: String
    /// Its size.
    package var bytes: Int
    /// Its SHA-256 in hexadecimal.
    package var sha256: String
  }

  /// A model that was on the machine.
  package struct Model: Sendable, Equatable, Codable {
    /// Its name among the models.
    package var name: String
    /// Origin of the file: an address or a path.
    package var source: String
    /// Its SHA-256 in hexadecimal.
    package var sha256: String

    /// Makes a model.
    package init(name: String, source: String, sha256: String) {
      (self.name, self.source, self.sha256) = (name, source, sha256)
    }
  }

  /// Indicates whether a backup may hold a member of this name; no other name is ever written to disk.
  static func isKnown(_ name: String) -> Bool {
    if ["library.db", "state.db", "config.json", "catalog.json"].contains(name) { return true }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0] == "images" && !parts[1].isEmpty && !parts[1].hasPrefix(".")
      && name.utf8.count < 100
  }
}

/// Reasons for which a backup cannot be made or restored.
package enum BackupError: Error, Sendable, Equatable {
  /// A file cannot be read or written.
  case file(path: String, BackupFault)
  /// The archive is cut off, or is no archive.
  case damaged(path: String, BackupFault)
  /// A member does not match the manifest.
  case wrongMember(name: String, BackupFault)
  /// A newer program made the backup.
  case newer(form: String)
  /// Other processes have the databases open.
  case inUse(processes: [Int32])
}

/// Faults of a backup's file or of a member of it.
package enum BackupFault: Sendable, Equatable {
  /// The system's error number.
  case system(Int32)
  /// The file cannot be opened.
  case notOpened
  /// The file is shorter than its list of contents says.
  case endsEarly
  /// The file begins with something else.
  case notABackup
  /// The list of contents cannot be read.
  case unreadableManifest
  /// A member of that name is missing or out of place.
  case misplaced(String)
  /// The member changed while it was backed up.
  case changed
  /// The member has another SHA-256 than the list of contents says, both in hexadecimal.
  case wrongHash(found: String, expected: String)
  /// SQLite's findings about the database.
  case unsound([String])
  /// The member is not there.
  case missing
}
