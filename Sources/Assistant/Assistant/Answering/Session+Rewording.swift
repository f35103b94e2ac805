import Entitlements
import Retrieval

extension Session {
  /// Largest number of tokens of a rewording; leaves room for a model's thoughts.
  private static let rewordingTokenLimit = 256

  /// Rewords the question for the search by the model; nil where the setting is off or the model may not run or fails.
  ///
  /// It belongs to the turn that needs it, and so to that turn's ticket, as a summary before a turn does.
  func reworded(_ turn: OpenTurn, by backend: any LocalBackend) async throws -> String? {
    guard backend.rewordsQuestions, try await store.accessState() != .blocked,
      try await library.size().passageCount > 0
    else { return nil }
    var request = LocalRequest(history: [], question: turn.sought)
    request.task = .reword
    request.tokenLimit = Self.rewordingTokenLimit
    // A model that fails is no reason to give no answer: the question's own words are searched for.
    let said = try? await backend.text(request, until: { $0.trimmingSpace.contains(where: \.isNewline) }).text
    try Task.checkCancellation()
    guard let said, let words = Rewording.query(said), words != turn.sought else { return nil }
    return words
  }
}

/// Makes a search query of a model's rewording.
enum Rewording {
  /// Largest length of a query, in characters.
  static let characterLimit = 300

  /// The first line with letters, without quotation marks around it or a label before it; nil where nothing of use is
  /// left.
  static func query(_ said: String) -> String? {
    for line in said.split(whereSeparator: \.isNewline) {
      var line = Substring(String(line).trimmingSpace)
      if let colon = line.firstIndex(of: ":"), line[..<colon].lowercased().hasSuffix("query") {
        line = line[line.index(after: colon)...]
      }
      let words = line.filter { !"\"“”„«»*`".contains($0) }.split(whereSeparator: \.isWhitespace)
        // The model writes plain words; an operator among them would be accidental.
        .map { $0.drop { $0 == "-" } }.filter { !$0.isEmpty && !$0.lowercased().hasPrefix("in:") }
      let query = words.joined(separator: " ")
      if query.contains(where: { $0.isLetter || $0.isNumber }) {
        return query.count <= characterLimit ? query : nil
      }
    }
    return nil
  }
}
