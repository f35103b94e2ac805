import Assistant
import Diffusion
import Documents
import Platform
import Images
import Terminal

/// Turns errors into a sentence and an exit code.
enum Failure {
  static func explain(_ error: any Error) -> (sentence: String, code: ExitCode) {
    switch error {
    case let error as NotFound: (error.sentence, .notFound)
    case let error as TerminalError: (sentence(error), .failure)
    case let error as ReadingFailure: (ErrorSentence.describe(error), .failure)
    case let error as SettingError: (error.sentence, .usage)
    case let error as ImageError: (ErrorSentence.describe(error), code(error))
    case let error as DiffusionError: (ErrorSentence.describe(error), code(error))
    case GalleryError.noPicture: (ErrorSentence.describe(error), .notFound)
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

  private static func code(_ error: ImageError) -> ExitCode {
    switch error {
    case .badSize, .emptyPrompt: .usage
    case .badPicture, .noParameters, .badSketchFile: .integrity
    case .noModel, .notRead: .notFound
    case .cancelled: .interrupted
    case .busy, .noOutput, .drawingFailed, .notWritten: .failure
    }
  }

  private static func code(_ error: DiffusionError) -> ExitCode {
    switch error {
    case .notFound, .noLoRA: .notFound
    case .badStepCount, .badRequest, .promptTooLong: .usage
    case .doesNotFit: .doesNotFit
    case .compute(let error): explainModel(error)?.code ?? .integrity
    case .stopped: .interrupted
    case .unsupported, .foreignLoRA: .failure
    default: .integrity
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
