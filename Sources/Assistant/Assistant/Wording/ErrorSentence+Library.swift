import Foundation
import Persistence
import Platform
import Retrieval

extension ErrorSentence {
  static func describe(_ error: LibraryError) -> String {
    switch error {
    case .database(let error): describe(error)
    case .newer(let found, let known, let path):
      describe(DatabaseError.newer(found: found, known: known, path: path))
    case .damaged(let path, let problems):
      "\(path) is damaged (\(problems.first ?? "unknown")); take it from a backup, or remove it and add the "
        + "documents again"
    case .index(let path, let call, let code):
      "the index file \(path) cannot be written (\(call): \(SystemMessage.of(code))); make room "
        + "or set the folder's rights, nothing else is lost"
    case .segment(let error): "a part of the index cannot be rebuilt: " + describe(error)
    case .unknownDocument(let id): "there is no document \(id.rawValue); `alcove library list` shows them"
    }
  }

  private static func describe(_ error: SegmentError) -> String {
    switch error {
    case .missing(let path): "\(path) is not there"
    case .system(let path, let call, let code): "\(path) is refused (\(call): \(SystemMessage.of(code)))"
    case .otherVersion(let path, let found, let known):
      "\(path) is of version \(found), this program knows \(known)"
    case .notASegment(let path), .truncated(let path, _, _), .damaged(let path, _), .noSection(let path, _):
      "\(path) is damaged"
    }
  }
}
