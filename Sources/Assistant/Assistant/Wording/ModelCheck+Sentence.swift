extension ModelCheck {
  /// The outcome for a person, to follow the model's name.
  package var sentence: String {
    fault?.sentence ?? (wasRepaired ? "repaired; it is as it came" : "sound")
  }
}

extension ModelCheck.Fault {
  /// The fault for a person, to follow the model's name.
  package var sentence: String {
    switch self {
    case .gone(let path): "gone: there is no \(path)"
    case .changed(let blocks, let count, let isLinked):
      "changed since it came: \(blocks) of \(count) blocks differ"
        + (isLinked ? "; it is linked, so its owner may have changed it" : "")
    }
  }
}
