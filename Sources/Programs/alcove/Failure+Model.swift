import Assistant
import ChatTemplates
import Compute
import Grammars
import ModelFormats
import TextGeneration

extension Failure {
  /// Says what is wrong with a model file, or nil for another kind of error.
  static func explainModel(_ error: any Error) -> (sentence: String, code: ExitCode)? {
    switch error {
    case let error as GGUFError: (ErrorSentence.describe(error), code(error))
    case let error as TextGenerationError: (ErrorSentence.describe(error), code(error))
    case let error as ComputeError: (ErrorSentence.describe(error), code(error))
    case is GrammarError, is SchemaError: (ErrorSentence.describe(error), .failure)
    case let error as TemplateError:
      (error.description + (error.line.map { " (line \($0) of the template)" } ?? ""), .failure)
    case let error as QuantizationError: explain(error)
    default: nil
    }
  }

  private static func code(_ error: TextGenerationError) -> ExitCode {
    switch error {
    case .file(let error): code(error)
    case .compute(let error): code(error)
    case .contextFull: .doesNotFit
    case .noModel: .notFound
    case .stopped: .interrupted
    case .tokenizer: .integrity
    case .unsupportedArchitecture, .unknownToken, .wrongKind, .emptyPrompt, .grammar, .foreignDraft: .failure
    }
  }

  private static func code(_ error: ComputeError) -> ExitCode {
    if case .outOfMemory = error { .doesNotFit } else { .integrity }
  }

  private static func code(_ error: GGUFError) -> ExitCode {
    if case .unusableFile = error { .notFound } else { .integrity }
  }

  private static func explain(_ error: QuantizationError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .isSource(let path): ("\(path) is the model itself; name another file", .failure)
    case .exists(let path, true): ("\(path) is there already; --force replaces it", .failure)
    case .exists(let path, false): ("\(path) is there and is no file", .failure)
    case .unwritable(let path, let tensor, let reason):
      (
        "\(path) cannot be written: \(reason)" + (tensor.map { " (at the tensor '\($0)')" } ?? "")
          + "; nothing of it is left", .failure
      )
    case .unconvertible(let tensor, let from, let to):
      ("the tensor '\(tensor)' cannot be turned from \(from.name) into \(to.name)", .failure)
    case .unreadable(let path, let tensor):
      ("\(path) changed or could not be read at the tensor '\(tensor)'", .integrity)
    case .stopped: ("stopped", .interrupted)
    }
  }
}
