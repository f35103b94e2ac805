import Assistant
import Documents
import Terminal

/// Turns errors into a sentence and an exit code.
enum Failure {
  static func explain(_ error: any Error) -> (sentence: String, code: ExitCode) {
    switch error {
    case let error as NotFound: (error.sentence, .notFound)
    case let error as TerminalError: (sentence(error), .failure)
    case let error as ReadingFailure: (ErrorSentence.describe(error), .failure)
    case let error as SettingError: (error.sentence, .usage)
    case SessionError.blocked: (ErrorSentence.describe(error), .blocked)
    case let error as ContextError: (ErrorSentence.describe(error), .doesNotFit)
    case SessionError.noModel, SessionError.noSession, SessionError.nothingToUndo:
      (ErrorSentence.describe(error), .notFound)
    default:
      explainModelStore(error) ?? explainBackup(error) ?? explainModel(error) ?? (
        ErrorSentence.describe(error), .failure
      )
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
