/// Weights of the features of a sentence.
///
/// Learned as a log-linear model over the sentences of the passages found (the likelihood of a sentence that holds a
/// gold answer, L2-regularised) on nine articles of SQuAD 2.0; validated by leaving out one article at a time.
enum ScoringTable {
  /// Returns the weight of a feature.
  static func weight(of feature: SentenceFeature) -> Double {
    switch feature {
    case .coverage: 5.874
    case .weight: 2.708
    case .neighbourCoverage: 2.785
    case .passageCoverage: -2.060
    case .headingCoverage: -13.414
    case .pairs: 1.449
    case .closeness: 0.389
    case .order: -0.380
    case .nameCoverage: -0.213
    case .missingName: -2.121
    case .numberCoverage: 0.372
    case .missingNumber: -0.015
    case .focus: 0.589
    case .rarest: 0.030
    case .missingRarest: -0.030
    case .personFit: 1.786
    case .placeFit: 1.798
    case .dateFit: 3.611
    case .amountFit: 2.567
    case .nameFit: -0.774
    case .otherFit: 1.925
    case .fitCloseness: 0.662
    case .noFit: -0.417
    case .length: 1.142
    case .short: -1.937
    case .long: 0.077
    case .rank: 0.027
    case .score: 5.244
    case .firstUnit: -0.901
    case .startsParagraph: 1.171
    case .pronounLed: 0.689
    case .definition: 5  // set by hand: such questions are few in the data
    case .reason: -0.651
    case .manner: -0.724
    case .novelty: -1.733
    case .question: -3.655
    case .quotedPhrase: 1.336
    case .negation: -0.071
    }
  }

  /// Weights in the order of ``SentenceFeature``.
  static let sentenceWeights: [Double] = SentenceFeature.allCases.map(weight)
}
