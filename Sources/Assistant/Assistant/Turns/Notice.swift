/// Facts that a user should know besides an answer.
package enum Notice: Sendable, Equatable {
  /// The plan allows no local run, so the analysis answers.
  case previewsUsedUp(consumed: Int, allowance: Int)
  /// A preview was used and none is left.
  case lastPreviewUsed
  /// Numbers or names that the cited places do not contain.
  case unverified([String])
  /// The model failed and the analysis answers; `reason` is the reason.
  case modelFailed(reason: String)
  /// Parts that did not fit into the model's context window.
  case leftOut([LeftOut])
  /// The model's answer was empty.
  case modelSilent
  /// The model put the question into these words for the search.
  case reworded(String)
  /// Sentences of the answer that state numbers or names, cite nothing, and match no passage.
  case uncited(sentences: Int)
  /// Sentences that the model wrote without citations; they were matched to passages by their words and numbers.
  case matched(sentences: Int)
  /// No passage that the model was given supports its answer.
  case unsupported
  /// The picture is drawn after this richer description of it.
  case pictureDescribed(String)
  /// The picture is drawn from the user's own words, for this reason.
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
  /// The model's output describes no picture.
  case nothingSaid
  /// The model left out this word of the user's.
  case leftOut(String)
}
