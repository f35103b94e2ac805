/// Decides whether a question is for the model where the documents say nothing about it.
enum ModelRequest {
  /// Indicates whether a text asks to make, change or talk about something rather than to look something up, or
  /// continues the conversation.
  static func isForTheModel(_ text: String, isFollowUp: Bool) -> Bool {
    var request = RoutedRequest(text)
    let words = request.words.filter { $0.contains { $0.isLetter || $0.isNumber } }
    _ = request.takeOpening()
    // "I want to write", "help me translate"
    let first = request.words.first { !["to", "me", "us", "help", "please"].contains($0) }
    guard let first else { return true }
    if requests.contains(first) { return true }
    guard isFollowUp, let opener = words.first else { return false }
    if words.count <= 4 || followers.contains(opener) && words.count <= 12 { return true }
    return words.count <= 9 && !Set(words).isDisjoint(with: references)
  }

  /// Words that ask for something new.
  private static let requests: Set<String> = [
    "write", "draft", "compose", "rewrite", "rephrase", "reword", "translate", "invent", "imagine", "pretend",
    "brainstorm", "suggest", "propose", "continue", "improve", "fix", "correct", "shorten", "tell", "sing", "joke",
    "play", "act", "code", "program", "debug", "refactor", "calculate", "compute", "convert", "count", "recommend",
    "advise", "chat", "talk", "think", "simplify", "expand", "generate", "create", "make", "repeat", "roleplay",
    "schreibe", "übersetze", "erzähle", "écris", "traduis",
  ]

  /// Words that begin a remark on the turn before.
  private static let followers: Set<String> = ["and", "but", "so", "then", "also", "why", "really", "or"]
  /// Words that refer to the turn before.
  private static let references: Set<String> = [
    "it", "that", "this", "those", "these", "they", "them", "he", "she", "him", "her", "there", "above", "again",
  ]
}
