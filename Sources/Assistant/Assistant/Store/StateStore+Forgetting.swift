import Persistence

extension StateStore {
  /// Text in place of an answer whose document was removed.
  package static let removedAnswer = "(This answer quoted a document that was removed from the library.)"

  /// Takes the text of removed documents out of the sessions: answers that quote one are replaced, with their sources.
  /// - Parameter hashes: the SHA-256 of each document's bytes, in lower-case hexadecimal.
  /// - Returns: the number of answers replaced.
  @discardableResult
  package func forget(documents hashes: [String]) throws(DatabaseError) -> Int {
    try deleting { () throws(DatabaseError) in
      var count = 0
      for hash in hashes {
        // A hash is hexadecimal, so nothing in it is a pattern.
        count += try database.run(
          """
          UPDATE turns SET answer = ?, sources = '[]', transcript = ''
          WHERE sources LIKE ? OR transcript LIKE ?
          """, Self.removedAnswer, "%\(hash)%", "%\(hash)%")
      }
      return count
    }
  }
}
