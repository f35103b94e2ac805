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
  /// The picture is drawn after this richer description of it.
  case pictureDescribed(String)
  /// The picture is drawn from the words that were asked for, and this is why no richer ones are used.
  case pictureKept(EnrichmentRefusal)
}

/// Reasons for which a picture's prompt stays as it was asked for.
package enum EnrichmentRefusal: Sendable, Equatable {
  /// No language model is loaded.
  case noModel
  /// The plan allows no local run.
  case blocked
  /// The model failed; the text says how.
  case failed(String)
  /// The model said nothing that describes a picture.
  case nothingSaid
  /// The model left out this word of what was asked for.
  case leftOut(String)
}
