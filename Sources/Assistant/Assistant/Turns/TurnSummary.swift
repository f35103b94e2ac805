/// A finished turn.
package struct TurnSummary: Sendable, Equatable, Codable {
  /// The session's number.
  package var session: Int
  /// The turn's number.
  package var turn: Int
  /// What the question was taken for.
  package var route: Route.Kind
  /// Who answered: `analysis`, `rules`, or the model's name.
  package var author: String
  /// How it ended.
  package var status: TurnStatus
  /// Whether the answer rests on evidence; false where the documents say nothing about the question.
  package var hasEvidence: Bool
  /// What was read for it.
  package var coverage: Coverage?
  /// What the engine measured, where a model answered.
  package var metrics: AnswerMetrics?
  /// How many previews are left, where the run used one.
  package var previewsLeft: Int?
}
