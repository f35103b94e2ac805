import Foundation

/// What a backup holds, written as its first member.
package struct BackupManifest: Sendable, Equatable, Codable {
  /// The form of backups that this program writes.
  package static let currentForm = "alcove.backup/1"

  /// The form.
  package var form = Self.currentForm
  /// When it was made.
  package var created: String
  /// What is in it, in order.
  package var members: [Member]
  /// The models there were, which are not in it.
  package var models: [Model]

  /// One file in it.
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
    /// Where it came from.
    package var source: String
    /// Its SHA-256 in hexadecimal.
    package var sha256: String

    /// Makes a model.
    package init(name: String, source: String, sha256: String) {
      (self.name, self.source, self.sha256) = (name, source, sha256)
    }
  }

  /// Whether a name is one that a backup may hold: nothing else is ever written anywhere.
  static func isKnown(_ name: String) -> Bool {
    if ["library.db", "state.db", "config.json", "catalog.json"].contains(name) { return true }
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0] == "images" && !parts[1].isEmpty && !parts[1].hasPrefix(".")
      && name.utf8.count < 100
  }
}

/// Why a backup could not be made or brought back.
package enum BackupError: Error, Sendable, Equatable {
  /// A file cannot be read or written.
  case file(path: String, reason: String)
  /// The archive is cut off or is none.
  case damaged(path: String, reason: String)
  /// A member is not what the manifest says.
  case wrongMember(name: String, reason: String)
  /// It was made by a newer program.
  case newer(form: String)
  /// Other processes have the databases open.
  case inUse(processes: [Int32])
}
