import Foundation
import Persistence

/// A model on this machine.
package struct ModelRecord: Sendable, Equatable {
  /// Number of the model.
  package var id: Int64
  /// Name: the file's in the folder of models.
  package var name: String
  /// Path of the file, or of the picture model's folder.
  package var path: String
  /// Indicates whether it stays where its owner keeps it, with a link among the models.
  package var isLinked: Bool
  /// Size in bytes when it came.
  package var byteCount: Int
  /// Time at which the file was changed last, as seen when it came.
  package var modified: Double
  /// SHA-256 in hexadecimal.
  package var sha256: String
  /// Source it came from: an address, or a path.
  package var source: String
  /// Time at which it came.
  package var added: Date

  /// Result of a look at the file without reading it.
  package enum Presence: String, Sendable {
    case present, gone, changed
  }

  /// Indicates whether the file is there as it came.
  package var presence: Presence {
    var facts = stat()
    guard stat(path, &facts) == 0 else { return .gone }
    // A picture model's folder counts as it is; its files are checked by their hashes.
    if facts.st_mode & S_IFMT == S_IFDIR { return .present }
    return Int(facts.st_size) == byteCount && facts.modification == modified ? .present : .changed
  }

  init(_ row: Row) throws(DatabaseError) {
    id = Int64(row.int(0))
    name = row.text(1)
    path = row.text(2)
    isLinked = row.int(3) != 0
    byteCount = row.int(4)
    modified = row.double(5)
    sha256 = row.text(6)
    source = row.text(7)
    added = Date(timeIntervalSince1970: row.double(8))
  }

  static let columns = "id, name, path, is_linked, bytes, modified, sha256, source, added"
}

extension stat {
  /// Time at which the content was changed last, in seconds since 1970.
  var modification: Double { Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9 }
}
