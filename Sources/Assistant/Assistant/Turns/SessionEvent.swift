import Retrieval
import TextGeneration

/// What a session tells while it answers, in the order it happens.
package enum SessionEvent: Sendable, Equatable {
  /// What the question was taken for.
  case routed(Route.Kind)
  /// Passages were looked for and so many of those that matched are read.
  case retrieved(Coverage)
  /// Something the user should know that is not part of the answer.
  case notice(Notice)
  /// The model has read so many of its prompt's new tokens.
  case prefill(done: Int, total: Int)
  /// The next piece of what the model thinks before it answers.
  case thinking(String)
  /// What was said so far was summed up, so that the window holds the rest.
  case compacted(Turn)
  /// The model called a tool, and this came of it.
  case called(ToolReport)
  /// A part of a document is being read for a summary.
  case reading(part: Int, of: Int)
  /// A picture is on its way: how far it has come.
  case drawing(PictureEvent)
  /// A picture is in the gallery.
  case picture(PictureReport)
  /// The next piece of the answer.
  case text(String)
  /// What the numbers in the answer stand for.
  case sources([Source])
  /// The turn is over and stored.
  case finished(TurnSummary)
}

/// One call of a tool, for the user to see.
package struct ToolReport: Sendable, Equatable, Codable {
  /// The tool.
  package var name: String
  /// The arguments, a JSON object.
  package var arguments: String
  /// Whether it did what was asked.
  package var succeeded: Bool
}
