extension ErrorSentence {
  /// Says why nothing can be fetched.
  package static func describe(_ error: DownloadError) -> String {
    switch error {
    case .notInCatalogue(let name, let known):
      "the catalogue has no '\(name)'"
        + (NearestName.of(name, among: known).map { "; did you mean '\($0)'?" } ?? "")
        + " (hf:OWNER/REPO and addresses can be fetched too)"
    case .noSuchForm(let model, let forms, let asked):
      "\(model) comes as \(forms.joined(separator: ", ")), not as \(asked)"
    case .notInRepository(let repository, let file): "\(repository) has no file '\(file)'"
    case .noModelInRepository(let repository): "\(repository) has no GGUF file"
    case .notWaiting(let id): "no download \(id) waits to go on"
    case .notUnderWay(let id): "no download \(id) is under way"
    }
  }
}
