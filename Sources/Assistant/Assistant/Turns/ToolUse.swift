/// Permission of a model to call tools.
package enum ToolUse: String, Sendable, CaseIterable {
  /// It may call none.
  case off
  /// It may call tools.
  case on
  /// Its first step in a turn has to be a tool call.
  case required
}
