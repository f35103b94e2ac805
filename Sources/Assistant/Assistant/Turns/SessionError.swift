/// Reasons for which a turn could not be answered.
package enum SessionError: Error, Sendable, Equatable {
  /// A model was required, and no preview is left.
  case blocked(consumed: Int, allowance: Int)
  /// A model was required, and none is loaded.
  case noModel
  /// A turn is under way.
  case busy
  /// The session has no turn to take back or repeat.
  case nothingToUndo
  /// The conversation is too short to be summed up.
  case nothingToCompact
  /// There is no session of that number.
  case noSession(Int)
}
