/// What a model asks a tool to do.
public struct ToolCall: Sendable, Hashable, Codable {
  /// Its name in the conversation: nine letters and digits, as the strictest template wants it.
  public var id: String
  /// The tool.
  public var name: String
  /// The arguments, a JSON object.
  public var arguments: String

  /// Makes a call.
  public init(id: String = "", name: String, arguments: String) {
    self.id = id
    self.name = name
    self.arguments = arguments
  }
}

/// One run of a model that ended in calls, and what came of them.
public struct ToolStep: Sendable, Hashable, Codable {
  /// What the model said before its calls.
  public var said: String
  /// The calls.
  public var calls: [ToolCall]
  /// What each call gave, delimited as data.
  public var results: [String]

  /// Makes a step.
  public init(said: String, calls: [ToolCall], results: [String]) {
    self.said = said
    self.calls = calls
    self.results = results
  }
}
