import Retrieval

extension ErrorSentence {
  static func describe(_ error: LibraryError) -> String {
    switch error {
    case .database(let error): describe(error)
    case .newer(let found, let known, let path): describe(.newer(found: found, known: known, path: path))
    case .damaged(let path, let problems):
      "\(path) is damaged (\(problems.first ?? "unknown")); take it from a backup, or remove it and add the documents again"
    case .index(let path, let call, let code):
      "the index file \(path) cannot be written (\(call): error \(code)); make room or set the folder's rights, nothing else is lost"
    case .segment(let error): "a part of the index cannot be made anew: \(error)"
    case .unknownDocument(let id): "there is no document \(id.rawValue); `alcove library list` shows them"
    }
  }
}
