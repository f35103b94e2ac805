extension ErrorSentence {
  /// Says what is wrong with a setting and what is allowed.
  package static func describe(_ error: SettingError) -> String {
    switch error {
    case .unknown(let name, let nearest):
      "there is no setting '\(name)'" + (nearest.map { "; did you mean '\($0)'?" } ?? "; /set lists them")
    case .malformed(let name, let given, let expected): "\(name) takes \(expected), not '\(given)'"
    case .outOfRange(let name, let given, let range):
      "\(name) takes a number from \(plain(range.lowerBound)) to \(plain(range.upperBound)), not \(given)"
    case .notAChoice(let name, let given, let choices):
      "\(name) takes \(choices.joined(separator: ", ")), not '\(given)'"
    case .unreadable(let path, let reason): "the settings in \(path) cannot be read: \(reason)"
    case .inFile(let path, let error): "in \(path): " + describe(error)
    }
  }

  private static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }
}
