/// What each measurement of a sentence counts.
///
/// Learned as a log-linear model over the sentences of the passages found (the likelihood of a sentence that holds a
/// gold answer, L2-regularised) on nine articles of SQuAD 2.0; checked by leaving out one article at a time.
enum ScoringTable {
  /// The weight of a measurement.
  static func weight(of feature: SentenceFeature) -> Double {
    switch feature {
    case .coverage: 7.018
    case .weight: 2.729
    case .neighbourCoverage: 4.275
    case .passageCoverage: -0.950
    case .headingCoverage: -3.203
    case .pairs: 1.607
    case .closeness: 0.394
    case .order: -0.377
    case .nameCoverage: -0.128
    case .missingName: -2.153
    case .numberCoverage: 0.414
    case .missingNumber: -0.016
    case .focus: 0.373
    case .rarest: -0.105
    case .missingRarest: 0.105
    case .personFit: 2.048
    case .placeFit: 1.877
    case .dateFit: 3.474
    case .amountFit: 2.434
    case .nameFit: -1.138
    case .otherFit: 3.150
    case .fitCloseness: 0.813
    case .noFit: -0.524
    case .length: 0.891
    case .short: -1.195
    case .long: 0.124
    case .rank: 0.386
    case .score: 3.516
    case .firstUnit: 0.198
    case .startsParagraph: 1.051
    case .pronounLed: 0.492
    case .definition: 1.459
    case .reason: -0.772
    case .manner: -0.883
    case .novelty: -1.760
    case .question: -3.529
    case .quotedPhrase: 0.000
    case .negation: -0.033
    }
  }

  /// The weights in the order of ``SentenceFeature``.
  static let sentenceWeights: [Double] = SentenceFeature.allCases.map(weight)
}
