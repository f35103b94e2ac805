extension ErrorSentence {
  /// Says what is wrong with the variables of a chat template.
  /// - Parameter file: the file that they came from.
  package static func describe(_ error: VariablesError, in file: String) -> String {
    switch error {
    case .notJSON(let byte): "\(file) is not JSON from byte \(byte) on"
    case .noObject: "\(file) has to hold a JSON object"
    case .badTime: "now has to be a time such as 2026-01-15T10:30:00"
    }
  }
}
