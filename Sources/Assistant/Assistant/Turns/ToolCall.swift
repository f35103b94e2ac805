/// A tool call of a model.
package struct ToolCall: Sendable, Hashable, Codable {
  /// Its identifier in the conversation: nine letters and digits, as the strictest template requires.
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

/// One run of a model that ended in tool calls, and their results.
package struct ToolStep: Sendable, Hashable, Codable {
  /// The model's text before its calls.
  package var said: String
  /// The calls.
  package var calls: [ToolCall]
  /// Result of each call, delimited as data.
  package var results: [String]

  /// Makes a step.
  package init(said: String, calls: [ToolCall], results: [String]) {
    self.said = said
    self.calls = calls
    self.results = results
  }
}
