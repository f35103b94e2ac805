import Assistant

extension Failure {
  /// Says what is wrong with a backup, or nil for another kind of error.
  static func explainBackup(_ error: any Error) -> (sentence: String, code: ExitCode)? {
    guard let error = error as? BackupError else { return nil }
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
