/// Reasons for which a prompt cannot be made.
package enum ContextError: Error, Sendable, Equatable {
  /// Even the shortest prompt is longer than the context window leaves room for.
  case doesNotFit(needed: Int, room: Int)
  /// Something does not fit, and the request is strict.
  case leftOut([LeftOut])
}
