import Retrieval
import TextGeneration

/// Events of a session while it answers, in the order they happen.
package enum SessionEvent: Sendable, Equatable {
  /// Route of the question.
  case routed(Route.Kind)
  /// Passages were searched for; the coverage counts those that matched and those that are read.
  case retrieved(Coverage)
  /// A fact that the user should know and that is not part of the answer.
  case notice(Notice)
  /// Progress of prefill, in the prompt's new tokens.
  case prefill(done: Int, total: Int)
  /// The next piece of the model's thoughts before it answers.
  case thinking(String)
  /// The conversation so far was summed up, so that the context window holds the rest.
  case compacted(Turn)
  /// The model made a tool call, with this result.
  case called(ToolReport)
  /// A part of a document is being read for a summary.
  case reading(part: Int, of: Int)
  /// A picture is being made; the event is its progress.
  case drawing(PictureEvent)
  /// A picture is in the gallery.
  case picture(PictureReport)
  /// The next piece of the answer.
  case text(String)
  /// Sources of the numbers in the answer.
  case sources([Source])
  /// The turn is over and stored.
  case finished(TurnSummary)
}

/// One tool call, for the user to see.
package struct ToolReport: Sendable, Equatable, Codable {
  /// The tool.
  package var name: String
  /// The arguments, a JSON object.
  package var arguments: String
  /// Indicates whether the call succeeded.
  package var succeeded: Bool
}
