import ModelFormats
import ModelStore

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

  /// Says why a download or a question to the hub did not end well.
  static func describe(_ failure: FetchFailure) -> String {
    switch failure {
    case .noProcess: "the download process cannot be started from here; use `alcove models …` in the shell"
    case .noAnswer: "the download process gave no answer"
    case .unanswered(let reason): describe(download: reason)
    case .noResult(let file): "\(file): the download process ended before it reported a result"
    case .ended(let file, let status, let reason, _): "\(file): \(status.rawValue): \(describe(download: reason))"
    case .interrupted(let file, let status): "\(file): \(status.rawValue): interrupted"
    case .givenUp(let file): "\(file): given up"
    }
  }

  /// Says what is wrong with a file that is no model, to follow its name.
  package static func describe(_ fault: ModelFileFault) -> String {
    switch fault {
    case .webPage: "is a web page, not a model: an error or a log-in was saved in its place"
    case .empty: "is empty"
    // Its name is before this one's already.
    case .header(.inFile(_, let error)), .header(let error): "is no sound model: " + describe(error)
    case .tensors(let error): "is no sound model: " + describe(error)
    case .unknownForm: "is neither a GGUF nor a safetensors file, nor the folder of a picture model"
    }
  }

  /// Says that a download in the background ended.
  static func announcement(of record: DownloadRecord) -> String {
    record.status == .completed
      ? "\(record.file) is here: `/models use \(record.file)` lets it answer."
      : "\(record.file) could not be fetched: "
        + (record.reason.map(describe(download:)) ?? "no reason given")
  }

  /// Says that a download was interrupted, and whether it goes on.
  static func interruption(of record: DownloadRecord, goesOn: Bool) -> String {
    let share = record.total > 0 ? " at \(record.bytes * 100 / record.total) %" : ""
    return "\(record.file) was interrupted\(share)"
      + (goesOn
        ? " and goes on; `/models pause \(record.id)` stops it." : "; `/models resume \(record.id)` goes on.")
  }
}
