/// Whether a model may call tools.
package enum ToolUse: String, Sendable, CaseIterable {
  /// It may not.
  case off
  /// It may.
  case on
  /// Its first step in a turn has to be a call.
  case required
}
