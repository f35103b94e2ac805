extension Notice {
  /// Sentence of the notice, for a person.
  package var sentence: String {
    switch self {
    case .previewsUsedUp(let consumed, let allowance):
      "No local run is left on this plan (\(consumed) of \(allowance) used), so the rule-based analysis answers; "
        + "the plan command shows and changes that."
    case .lastPreviewUsed:
      "That was the last preview; from now on the rule-based analysis answers (the plan command changes that)."
    case .unverified(let claims):
      "Not found in what is cited or was given: " + claims.joined(separator: ", ") + "."
    case .modelFailed(let reason): "The model failed (\(reason)), so the rule-based analysis answers."
    case .leftOut(let parts): "Not read: " + ErrorSentence.describe(parts) + "."
    case .uncited(let count):
      count == 1
        ? "One sentence states numbers or names, cites nothing, and matches none of the passages."
        : "\(count) sentences state numbers or names, cite nothing, and match none of the passages."
    case .matched(let count):
      (count == 1 ? "For one sentence" : "For \(count) sentences")
        + " the model named no passage; the one that matches its words and numbers was added."
    case .unsupported: "Nothing in the passages that the model was given supports this answer."
    case .reworded(let words): "Searched for, in the model's words: \(words)"
    case .modelSilent: "The model said nothing, so the rule-based analysis answers."
    case .pictureDescribed(let text): "Drawn as: \(text)"
    case .pictureKept(let refusal): "The prompt stays as it is: \(ErrorSentence.describe(refusal))."
    }
  }
}
