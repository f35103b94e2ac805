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
    case .noEarlierSession: "there is no earlier session"
    case .noPage(let page, let document): "\(document) has no page \(page)"
    case .nothingListed: "there is nothing to open yet"
    case .noNumber(let number, let last): "there is no [\(number)]; the last is [\(last)]"
    case .removed(let name): "\(name) is no longer in the library"
    case .noModel(let path): "there is no model in \(path)"
    case .atWork(let model): "\(model) is at work; remove it when the answer is finished"
    case .noViewer(let picture): "there is no viewer (xdg-open); the picture is \(picture)"
    }
  }
}
