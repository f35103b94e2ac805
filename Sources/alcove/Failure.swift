import Assistant
import Documents
import Terminal

/// Turns errors into a sentence and an exit code.
enum Failure {
  static func explain(_ error: any Error) -> (sentence: String, code: ExitCode) {
    switch error {
    case let error as SettingError: return (error.sentence, .usage)
    case let error as DirectoryError: return (sentence(error), .failure)
    case InstallationError.resourcesMissing(let looked):
      return (
        "Alcove's own files (Resources and Config) are missing; looked in \(looked.joined(separator: ", "))",
        .failure
      )
    case let error as TerminalError: return (sentence(error), .failure)
    case let error as NotFound: return (error.sentence, .notFound)
    default: return explainModel(error) ?? ("\(error)", .failure)
    }
  }

  static func sentence(_ failure: ReadingFailure) -> String { failure.name }

  private static func sentence(_ error: DirectoryError) -> String {
    switch error {
    case .notCreated(let path, let reason): "the folder \(path) cannot be used: \(reason)"
    case .foreignOwner(let path, let owner):
      "the folder \(path) belongs to user \(owner), so it is not safe to use"
    case .foreignLink(let path, let owner):
      "\(path) is a link that user \(owner) controls, so it is not safe to follow"
    }
  }

  private static func sentence(_ error: TerminalError) -> String {
    switch error {
    case .modeRefused(let number): "the terminal does not let itself be set: \(SystemMessage.of(number))"
    case .inputOutput(let number): "reading or writing failed: \(SystemMessage.of(number))"
    case .programFailed(let command, let status): "'\(command)' ended with status \((status >> 8) & 0xFF)"
    }
  }
}
