/// Why a prompt cannot be made.
package enum ContextError: Error, Sendable, Equatable {
  /// Even the least of the prompt is longer than the window leaves room for.
  case doesNotFit(needed: Int, room: Int)
  /// Something does not fit, and that was not to be.
  case leftOut([LeftOut])
}
