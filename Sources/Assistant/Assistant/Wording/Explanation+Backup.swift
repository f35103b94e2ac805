import Platform

extension Explanation {
  /// Returns the explanation of an error of a backup; nil for another kind of error.
  static func ofBackup(_ error: any Error) -> Explanation? {
    guard let error = error as? BackupError else { return nil }
    let (sentence, code) = describe(error)
    return Explanation(sentence, code)
  }

  private static func describe(_ error: BackupError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .file(let path, let fault): return ("\(path): \(describe(fault))", .failure)
    case .damaged(let path, let fault):
      return ("\(path) is damaged: \(describe(fault)); nothing was changed", .integrity)
    case .wrongMember(let name, let fault):
      return ("the backup's \(name) is damaged: \(describe(fault)); nothing was changed", .integrity)
    case .newer(let form):
      return ("the backup has the form \(form), which this Alcove does not know; update it", .failure)
    case .inUse(let processes):
      let list = processes.map(String.init).joined(separator: ", ")
      return ("another Alcove is at work (process \(list)); close it first", .failure)
    }
  }

  private static func describe(_ fault: BackupFault) -> String {
    switch fault {
    case .system(let number): SystemMessage.of(number)
    case .notOpened: "it cannot be opened"
    case .endsEarly: "it ends early"
    case .notABackup: "it is not an Alcove backup"
    case .unreadableManifest: "its list of contents cannot be read"
    case .misplaced(let name): "'\(name)' is missing or out of place"
    case .changed: "it changed during the backup"
    case .wrongHash(let found, let expected): "its SHA-256 is \(found), not \(expected)"
    case .unsound(let problems): problems.joined(separator: "; ")
    case .missing: "it is missing"
    }
  }
}
