/// Exact input and output of a model in a turn: the next turn's prompt begins with it.
package struct Transcript: Sendable, Equatable, Codable {
  /// The user's message with its passages.
  package var prompted = ""
  /// Tool calls and their results.
  package var steps: [ToolStep] = []
  /// The model's answer as it was generated.
  package var said = ""
  /// Tokens of the answer; empty where they are not exactly its text.
  package var tokens: [Int32] = []
  /// Documents, by hash, whose text stands in the transcript.
  package var documents: [String] = []

  /// An empty transcript.
  package init() {}
}
