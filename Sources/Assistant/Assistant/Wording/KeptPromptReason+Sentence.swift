extension KeptPromptReason {
  /// Reason as a part of a sentence, for a person.
  package var sentence: String {
    switch self {
    case .blocked: "no local run is left on this plan"
    case .failed(let reason): "the model failed (\(reason))"
    case .nothingSaid: "the model had nothing to add"
    case .leftOut(let word): "the model left out “\(word)”"
    }
  }
}
