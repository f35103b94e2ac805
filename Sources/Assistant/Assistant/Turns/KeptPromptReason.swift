/// Reason for which the prompt of a picture stays as it was written, although a model was to enrich it.
package enum KeptPromptReason: Sendable, Equatable {
  /// The plan allows no local run.
  case blocked
  /// The model failed.
  case failed(String)
  /// The model said nothing that describes a picture.
  case nothingSaid
  /// The model left out this word of the prompt.
  case leftOut(String)
}
