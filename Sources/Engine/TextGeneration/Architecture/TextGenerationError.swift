import Compute
import Grammars
import ModelFormats
import Tokenization

/// Errors of loading and running a model.
package enum TextGenerationError: Error, Sendable, Equatable {
  /// The model's file is unsound, or lacks what its architecture needs.
  case file(GGUFError)
  /// The file's architecture is not one of those supported.
  case unsupportedArchitecture(found: String, supported: [String])
  /// The file's vocabulary cannot be used.
  case tokenizer(TokenizationError)
  /// A token id that the vocabulary does not have.
  case unknownToken(id: Int, vocabularySize: Int)
  /// Prompt with more positions than the KV cache holds.
  case contextFull(needed: Int, capacity: Int)
  /// Loading a model comes first: none is loaded.
  case noModel
  /// The caller stopped the evaluation.
  case stopped
  /// There is nothing to evaluate.
  case emptyPrompt
  /// The model makes vectors, not text, or the other way round.
  case wrongKind(architecture: String)
  /// The grammar cannot be used with this model, or became too ambiguous on the way.
  case grammar(GrammarError)
  /// The draft model's vocabulary differs from the model's.
  case foreignDraft
  /// Memory ran out, or the file changed while it was in use.
  case compute(ComputeError)
}
