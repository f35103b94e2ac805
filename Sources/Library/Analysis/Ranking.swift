/// A sentence of the evidence with what was measured of it.
struct RankedUnit {
  let passage: Int
  let unit: Int
  let measured: SentenceMeter.Measured
  let score: Double
}

/// Orders the sentences of passages by how likely they are to answer.
struct Ranking {
  let meter: SentenceMeter
  /// Best first; ties by place.
  let units: [RankedUnit]
  /// How well each term of the question is met by any passage, heading or title at all.
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
