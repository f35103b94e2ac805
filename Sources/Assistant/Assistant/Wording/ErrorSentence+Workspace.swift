extension ErrorSentence {
  /// Says what cannot be found.
  package static func describe(_ error: WorkspaceError) -> String {
    switch error {
    case .noDocument(let name, let known):
      "no document is called '\(name)'"
        + (NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? "")
    case .severalDocuments(let name, let fitting):
      "'\(name)' fits several documents: " + fitting.joined(separator: ", ") + "; use the id"
    case .noText(let name): "there is no text on \(name)"
    case .nothingToContinue: "there is no session to continue"
    }
  }
}
