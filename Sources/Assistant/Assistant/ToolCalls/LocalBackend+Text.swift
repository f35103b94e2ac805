import Foundation

/// Whole output of a backend, where nothing of it is shown while it is generated.
struct LocalText: Sendable {
  var text: String
  var metrics: AnswerMetrics?
}

extension LocalBackend {
  /// Runs once and returns the output without thoughts and marks.
  /// - Parameters:
  ///   - progress: called with the number of the prompt's new tokens that are evaluated, and their total.
  ///   - isEnough: whether the output so far is all that is wanted.
  func text(
    _ request: LocalRequest, progress: @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in },
    until isEnough: @Sendable (_ said: String) -> Bool = { _ in false }
  ) async throws -> LocalText {
    var parser = ModelOutputParser(tools: [])
    var said = LocalText(text: "")
    func take(_ outputs: [ModelOutputParser.Output]) {
      for case .text(let piece) in outputs { said.text += piece }
    }
    for try await output in answer(request) {
      switch output {
      case .prompted(let report): parser = ModelOutputParser(tools: [], opening: report.opening)
      case .prefill(let done, let total): progress(done, total)
      case .text(let piece): take(parser.append(piece))
      case .finished(let metrics): said.metrics = metrics
      }
      try Task.checkCancellation()
      if isEnough(said.text) { break }
    }
    take(parser.finish())
    try Task.checkCancellation()
    said.text = said.text.trimmingSpace
    return said
  }
}
