/// A finished turn.
package struct TurnSummary: Sendable, Equatable, Codable {
  /// The session's number.
  package var session: Int
  /// The turn's number.
  package var turn: Int
  /// Route of the question.
  package var route: Route.Kind
  /// Author of the answer: `analysis`, `rules`, or the model's name.
  package var author: String
  /// Its status at the end.
  package var status: TurnStatus
  /// Indicates whether the answer rests on evidence; false where the documents say nothing about the question.
  package var hasEvidence: Bool
  /// Passages that were read for it.
  package var coverage: Coverage?
  /// Measurements by the engine, where a model answered.
  package var metrics: AnswerMetrics?
  /// Number of previews left, where the run used one.
  package var previewsLeft: Int?
}
