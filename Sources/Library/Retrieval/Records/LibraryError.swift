import Persistence

/// What can go wrong with the library.
package enum LibraryError: Error, Sendable, Equatable {
  /// SQLite refused.
  case database(DatabaseError)
  /// A newer program made the library; it was left as it is.
  case newer(found: Int, known: Int, path: String)
  /// The file is not sound: what SQLite finds wrong with it.
  case damaged(path: String, problems: [String])
  /// A file of the index beside the library could not be made.
  case index(path: String, call: String, code: Int32)
  /// A part of the keyword index is missing or damaged, and could not be made anew.
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
