/// What a model read and said in a turn, to the byte: the next turn's prompt begins with it.
package struct Transcript: Sendable, Equatable, Codable {
  /// The user's message with its passages.
  package var prompted = ""
  /// The calls of tools and their answers.
  package var steps: [ToolStep] = []
  /// The model's answer as it said it.
  package var said = ""
  /// The tokens of that; empty where they are not exactly its text.
  package var tokens: [Int32] = []
  /// The documents, by hash, whose text stands in it.
  package var documents: [String] = []

  /// An empty transcript.
  package init() {}
}
