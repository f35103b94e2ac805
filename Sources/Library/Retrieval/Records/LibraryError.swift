import Persistence

/// Errors of the library.
package enum LibraryError: Error, Sendable, Equatable {
  /// SQLite failed.
  case database(DatabaseError)
  /// A newer program wrote the library; it was left unchanged.
  case newer(found: Int, known: Int, path: String)
  /// The file failed SQLite's integrity check, with the problems found.
  case damaged(path: String, problems: [String])
  /// An index file next to the library could not be created.
  case index(path: String, call: String, code: Int32)
  /// A part of the keyword index is missing or damaged and could not be rebuilt.
  case segment(SegmentError)
  /// No document of that id is in the library.
  case unknownDocument(DocumentID)

  init(_ error: DatabaseError) {
    if case .newer(let found, let known, let path) = error {
      self = .newer(found: found, known: known, path: path)
    } else {
      self = .database(error)
    }
  }
}
