/// What a model asks a tool to do.
package struct ToolCall: Sendable, Hashable, Codable {
  /// Its name in the conversation: nine letters and digits, as the strictest template wants it.
  package var id: String
  /// The tool.
  package var name: String
  /// The arguments, a JSON object.
  package var arguments: String

  /// Makes a call.
  package init(id: String = "", name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// One run of a model that ended in calls, and what came of them.
package struct ToolStep: Sendable, Hashable, Codable {
  /// What the model said before its calls.
  package var said: String
  /// The calls.
  package var calls: [ToolCall]
  /// What each call gave, delimited as data.
  package var results: [String]

  /// Makes a step.
  package init(said: String, calls: [ToolCall], results: [String]) {
    self.said = said
    self.calls = calls
    self.results = results
  }
}
