import Compute
import Grammars
import ModelFormats
import Tokenization

/// Why a model cannot be loaded or run.
package enum TextGenerationError: Error, Sendable, Equatable {
  /// The model's file is unsound, or lacks what its architecture needs.
  case file(GGUFError)
  /// The file's architecture is not one of those supported.
  case unsupportedArchitecture(found: String, supported: [String])
  /// The file's vocabulary cannot be used.
  case tokenizer(TokenizationError)
  /// A token id that the vocabulary does not have.
  case unknownToken(id: Int, vocabularySize: Int)
  /// More positions than the cache holds.
  case contextFull(needed: Int, capacity: Int)
  /// No model is loaded.
  case noModel
  /// The caller stopped the evaluation.
  case stopped
  /// There is nothing to evaluate.
  case emptyPrompt
  /// The model makes vectors, not text, or the other way round.
  case wrongKind(architecture: String)
  /// The grammar cannot be used with this model, or became too ambiguous on the way.
  case grammar(GrammarError)
  /// The draft model's vocabulary is not the model's.
  case foreignDraft
  /// Memory ran out, or the file changed while it was in use.
  case compute(ComputeError)
}
