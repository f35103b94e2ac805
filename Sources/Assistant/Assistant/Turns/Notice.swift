/// What a user should know beside an answer.
package enum Notice: Sendable, Equatable {
  /// The plan allows no local run, so the analysis answers.
  case previewsUsedUp(consumed: Int, allowance: Int)
  /// A preview was used and none is left.
  case lastPreviewUsed
  /// Numbers or names that the cited places do not contain.
  case unverified([String])
  /// The model failed and the analysis answers; `reason` says why.
  case modelFailed(reason: String)
  /// What did not fit into the model's window.
  case leftOut([LeftOut])
  /// The model said nothing.
  case modelSilent
  /// The model put the question into these words for the search.
  case reworded(String)
  /// So many sentences of the answer state numbers or names, cite nothing, and go with no passage.
  case uncited(sentences: Int)
  /// The model cited nothing for so many sentences; they were matched to passages by their words and numbers.
  case matched(sentences: Int)
  /// Nothing that the model was given goes with its answer.
  case unsupported
}
