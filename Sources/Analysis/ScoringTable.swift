/// What each measurement of a sentence counts.
///
/// Learned as a log-linear model over the sentences of the passages found (the likelihood of a sentence that holds a
/// gold answer, L2-regularised) on nine articles of SQuAD 2.0; checked by leaving out one article at a time.
enum ScoringTable {
  /// The weight of a measurement.
  static func weight(of feature: SentenceFeature) -> Double {
    switch feature {
    case .coverage: 5.850
    case .weight: 2.768
    case .neighbourCoverage: 2.897
    case .passageCoverage: -1.880
    case .headingCoverage: -10.619
    case .pairs: 1.385
    case .closeness: 0.372
    case .order: -0.137
    case .nameCoverage: -0.180
    case .missingName: -2.074
    case .numberCoverage: 0.370
    case .missingNumber: -0.014
    case .focus: 0.452
    case .rarest: 0.000
    case .missingRarest: -0.000
    case .personFit: 1.822
    case .placeFit: 1.800
    case .dateFit: 3.558
    case .amountFit: 2.528
    case .nameFit: -0.811
    case .otherFit: 1.817
    case .fitCloseness: 0.769
    case .noFit: -0.396
    case .length: 1.237
    case .short: -2.084
    case .long: 0.055
    case .rank: -0.090
    case .score: 5.490
    case .firstUnit: -0.643
    case .startsParagraph: 1.181
    case .pronounLed: 0.642
    case .definition: 1.571
    case .reason: -0.693
    case .manner: -0.765
    case .novelty: -1.835
    case .question: -3.706
    case .quotedPhrase: 0.000
    case .negation: -0.084
    }
  }

  /// The weights in the order of ``SentenceFeature``.
  static let sentenceWeights: [Double] = SentenceFeature.allCases.map(weight)
}
