import Images

extension ErrorSentence {
  /// Says what is wrong with a picture or with making it.
  static func describe(_ error: ImageError) -> String {
    switch error {
    case .badSize(let given):
      "a picture cannot be '\(given)' large; both sides are multiples of 64 from "
        + "\(ImageSize.sides.lowerBound) to \(ImageSize.sides.upperBound), as in 512x768"
    case .emptyPrompt: "say what the picture shows"
    case .busy: "another picture is being made; stop it or wait for it"
    case .noModel: "no model for pictures is loaded"
    case .cancelled: "stopped; no picture was kept"
    case .noOutput: "no picture came of it"
    case .drawingFailed(let reason): "the picture cannot be drawn: \(reason)"
    case .badSketchFile(let file, let line, let reason):
      "the drawings in \(file) cannot be used: \(reason) (line \(line))"
    case .notWritten(let path, let reason): "\(path) cannot be written: \(reason); nothing of it is left"
    case .notRead(let path, let reason): "\(path) cannot be read: \(reason)"
    case .badPicture(let reason): "this is no picture that can be read: \(reason)"
    case .noParameters: "the picture does not say how it was made"
    }
  }
}

extension ErrorSentence {
  /// Says why a picture is drawn from the words that were asked for.
  package static func describe(_ refusal: EnrichmentRefusal) -> String {
    switch refusal {
    case .noModel: "no language model is loaded"
    case .blocked: "no local run is left on this plan"
    case .failed(let reason): "the model failed (\(reason))"
    case .nothingSaid: "the model had nothing to add"
    case .leftOut(let word): "the model left out “\(word)”"
    }
  }
}
