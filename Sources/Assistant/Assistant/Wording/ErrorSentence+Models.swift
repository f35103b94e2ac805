import Compute
import ModelFormats
import TextGeneration

extension ErrorSentence {
  /// Says what is wrong with a model or with what it is asked for.
  static func describe(_ error: TextGenerationError) -> String {
    switch error {
    case .file(let error): describe(error)
    case .compute(let error): describe(error)
    case .unsupportedArchitecture(let found, let supported):
      "models of the family '\(found)' cannot be run; these can: \(supported.joined(separator: ", "))"
    case .contextFull(let needed, let capacity):
      "the text has \(needed) tokens, but the context holds \(capacity)"
    case .unknownToken(let id, let size): "there is no token \(id); the model knows \(size)"
    case .wrongKind(let architecture): "a model of the family '\(architecture)' cannot do this"
    case .noModel: "no model is loaded"
    case .stopped: "stopped"
    case .emptyPrompt: "there is no text to work on"
    case .grammar(let error): describe(error)
    case .foreignDraft:
      "the draft model has another vocabulary than the model it is to draft for; take one of the same family"
    case .tokenizer(let error): "the model file's vocabulary cannot be used: " + describe(error)
    }
  }

  /// Says what is wrong with the weights of a model or with the room for them.
  static func describe(_ error: ComputeError) -> String {
    switch error {
    case .outOfMemory(let byteCount):
      "there is not enough memory: \(byteCount >> 20) MiB were refused; a shorter context needs less"
    case .system(let path, _, _): "\(path) cannot be read: \(error.reason)"
    case .fileChanged(let path): "\(path) changed while it was in use; load it again"
    default: "the model file cannot be used: \(error)"
    }
  }
}
