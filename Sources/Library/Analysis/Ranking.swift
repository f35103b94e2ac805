/// Sentence of the evidence with its features.
struct RankedUnit {
  let passage: Int
  let unit: Int
  let measured: SentenceMeter.Measured
  let score: Double
}

/// Ranks the sentences of passages by the probability that they answer.
struct Ranking {
  let meter: SentenceMeter
  /// Sentences, best first; ties by place.
  let units: [RankedUnit]
  /// Best match of each term of the question in any passage, heading or title, from 0 to 1.
  let met: [Double]

  init(question: Question, evidence: [Evidence]) {
    let passages = evidence.enumerated().map { ReadPassage($1, index: $0, language: question.language) }
    meter = SentenceMeter(question: question, passages: passages, scores: evidence.map(\.score))
    var units: [RankedUnit] = []
    var met = [Double](repeating: 0, count: meter.matcher.terms.count)
    for passage in passages {
      for (place, measured) in meter.measure(passage, met: &met).enumerated() {
        let score = zip(measured.features, ScoringTable.sentenceWeights).reduce(0) { $0 + $1.0 * $1.1 }
        units.append(RankedUnit(passage: passage.index, unit: place, measured: measured, score: score))
      }
    }
    self.met = met
    self.units = units.sorted { ($1.score, $0.passage, $0.unit) < ($0.score, $1.passage, $1.unit) }
  }
}
