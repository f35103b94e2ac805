import ChatTemplates
import Compute
import Grammars
import ModelFormats
import TextGeneration

extension Explanation {
  /// Returns the explanation of an error of a model file; nil for another kind of error.
  static func ofModel(_ error: any Error) -> Explanation? {
    switch error {
    case let error as GGUFError: Explanation(ErrorSentence.describe(error), code(error))
    case let error as TextGenerationError: Explanation(ErrorSentence.describe(error), code(error))
    case let error as ComputeError: Explanation(ErrorSentence.describe(error), code(error))
    case is GrammarError, is SchemaError: Explanation(ErrorSentence.describe(error), .failure)
    case let error as TemplateError:
      Explanation(error.description + (error.line.map { " (line \($0) of the template)" } ?? ""), .failure)
    case let error as QuantizationError: describe(error)
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

  private static func describe(_ error: QuantizationError) -> Explanation {
    switch error {
    case .isSource(let path): Explanation("\(path) is the model itself; name another file", .failure)
    case .exists(let path, true): Explanation("\(path) is there already; --force replaces it", .failure)
    case .exists(let path, false): Explanation("\(path) is there and is no file", .failure)
    case .unwritable(let path, let tensor, let reason):
      Explanation(
        "\(path) cannot be written: \(reason)" + (tensor.map { " (at the tensor '\($0)')" } ?? "")
          + "; nothing of it is left", .failure)
    case .unconvertible(let tensor, let from, let to):
      Explanation("the tensor '\(tensor)' cannot be turned from \(from.name) into \(to.name)", .failure)
    case .unreadable(let path, let tensor):
      Explanation("\(path) changed or could not be read at the tensor '\(tensor)'", .integrity)
    case .stopped: Explanation("stopped", .interrupted)
    }
  }
}
