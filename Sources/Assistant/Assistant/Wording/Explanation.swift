import Diffusion
import Documents
import Foundation
import Images

/// Sentence about an error, with the exit code that goes with it.
package struct Explanation: Sendable, Equatable {
  package let sentence: String
  package let code: ExitCode

  init(_ sentence: String, _ code: ExitCode) {
    self.sentence = sentence
    self.code = code
  }

  /// Returns the explanation of any error that this package throws; of a foreign error, its own description.
  package static func of(_ error: any Error) -> Explanation {
    let sentence = ErrorSentence.describe(error)
    return switch error {
    case is ReadingFailure: Explanation(sentence, .failure)
    case is SettingError: Explanation(sentence, .usage)
    case let error as ImageError: Explanation(sentence, code(error))
    case let error as DiffusionError: Explanation(sentence, code(error))
    case ModelHostError.noModelFile, ModelHostError.noPictureModel: Explanation(sentence, .notFound)
    case is ModelHostError: Explanation(sentence, .doesNotFit)
    case is DownloadError, is WorkspaceError: Explanation(sentence, .notFound)
    case let error as FetchFailure: Explanation(sentence, error.isMemoryRefusal ? .doesNotFit : .failure)
    case GalleryError.noPicture: Explanation(sentence, .notFound)
    case SessionError.blocked: Explanation(sentence, .blocked)
    case is ContextError: Explanation(sentence, .doesNotFit)
    case SessionError.noModel, SessionError.noSession, SessionError.nothingToUndo: Explanation(sentence, .notFound)
    case CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile: Explanation(sentence, .notFound)
    default: ofModelStore(error) ?? ofBackup(error) ?? ofModel(error) ?? Explanation(sentence, .failure)
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
    case .compute(let error): ofModel(error)?.code ?? .integrity
    case .stopped: .interrupted
    case .unsupported, .foreignLoRA: .failure
    default: .integrity
    }
  }
}
