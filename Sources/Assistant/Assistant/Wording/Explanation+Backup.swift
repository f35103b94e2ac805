extension Explanation {
  /// Returns the explanation of an error of a backup; nil for another kind of error.
  static func ofBackup(_ error: any Error) -> Explanation? {
    guard let error = error as? BackupError else { return nil }
    let (sentence, code) = describe(error)
    return Explanation(sentence, code)
  }

  private static func describe(_ error: BackupError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .file(let path, let reason): return ("\(path): \(reason)", .failure)
    case .damaged(let path, let reason): return ("\(path) is damaged: \(reason); nothing was changed", .integrity)
    case .wrongMember(let name, let reason):
      return ("the backup's \(name) is damaged: \(reason); nothing was changed", .integrity)
    case .newer(let form):
      return ("the backup has the form \(form), which this Alcove does not know; update it", .failure)
    case .inUse(let processes):
      let list = processes.map(String.init).joined(separator: ", ")
      return ("another Alcove is at work (process \(list)); close it first", .failure)
    }
  }
}
