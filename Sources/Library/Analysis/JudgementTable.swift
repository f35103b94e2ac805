/// Weights of the features of a judgement.
///
/// Learned by logistic regression (answerable or not) on nine articles of SQuAD 2.0. In leave-one-article-out
/// validation, about 0.025 of the answerable questions are refused, and 0.14 of those that only look answerable.
enum JudgementTable {
  static func weight(of feature: JudgementFeature) -> Double {
    switch feature {
    case .coverage: 0.256
    case .missingName: -0.542
    case .missingNumber: -1.439
    case .denied: -2.085
    case .opposite: -2.005
    case .denial: -1.076
    case .noFit: -0.272
    }
  }

  static let weights: [Double] = JudgementFeature.allCases.map(weight)
  static let bias = 0.8
  /// Confidence below which a question is refused.
  static let leastConfidence = 0.28
  /// Cut-off for the share of the question's weight in sentence and passage, below which nothing found is about the
  /// question.
  static let leastCoverage = 0.3
  /// Cut-off for the share of the question's weight in words that nothing found holds, above which the evidence is
  /// about something else; lower where one of them is a name.
  static let (mostUnknown, mostUnknownName) = (0.55, 0.45)
  /// Cut-off of coverage for a line "key: value" whose key is asked for.
  static let leastKeyedCoverage = 0.2
}
