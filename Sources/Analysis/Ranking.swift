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

  init(question: Question, evidence: [Evidence]) {
    let passages = evidence.enumerated().map { ReadPassage($1, index: $0) }
    meter = SentenceMeter(question: question, passages: passages, scores: evidence.map(\.score))
    var units: [RankedUnit] = []
    for passage in passages {
      for (place, measured) in meter.measure(passage).enumerated() {
        let score = zip(measured.features, ScoringTable.sentenceWeights).reduce(0) { $0 + $1.0 * $1.1 }
        units.append(RankedUnit(passage: passage.index, unit: place, measured: measured, score: score))
      }
    }
    self.units = units.sorted { ($1.score, $0.passage, $0.unit) < ($0.score, $1.passage, $1.unit) }
  }
}
