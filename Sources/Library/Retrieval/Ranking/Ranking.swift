import Foundation

/// How passages are ranked. By their words: BM25 over weighted fields (Robertson, Zaragoza, Taylor, "Simple BM25 extension to
/// multiple weighted fields", CIKM 2004).
package struct RankingSettings: Sendable, Hashable {
  /// How slowly repetitions stop counting.
  package var saturation = 1.6
  /// How much a long text counts against a match, from 0 to 1.
  package var lengthPenalty = 0.75
  /// What a match in the title counts, in matches in the body.
  package var titleWeight = 2.0
  /// What a match in a heading counts, in matches in the body.
  package var headingsWeight = 1.0
  /// How many of the best passages are looked at for words that stand together.
  package var nearnessDepth = 30
  /// The length of the window in which different terms support each other, in words.
  package var windowLength = 25
  /// What the terms of the best window count, in their rarities.
  package var windowWeight = 0.5
  /// How far apart neighbours of the query may stand.
  package var pairDistance = 6
  /// What neighbours count, in what a term as rare as the commoner of the two would.
  package var pairWeight = 0.3
  /// How the halves are joined.
  package var fusion = FusionSettings()
  /// Which of the passages that fit are shown together.
  package var diversity = DiversitySettings()
  /// Whether neighbouring passages of a document are read as one.
  package var joinsNeighbours = true

  /// Makes the settings that the program uses.
  package init() {}

  /// The rarity of a term that `count` of `total` passages hold.
  func inverseFrequency(_ count: Int, of total: Int) -> Double {
    log(1 + (Double(total) - Double(count) + 0.5) / (Double(count) + 0.5))
  }
}

/// BM25 of a term's counts in one passage.
struct FieldScorer {
  let saturation: Float
  let penalty: Float
  let titleWeight: Float
  let headingsWeight: Float
  let means: SegmentMeans
  /// The length norms of the commonest lengths of the body.
  private let bodyNorms: [Float]

  init(_ settings: RankingSettings, _ totals: IndexTotals) {
    saturation = Float(settings.saturation)
    let penalty = Float(settings.lengthPenalty)
    self.penalty = penalty
    titleWeight = Float(settings.titleWeight)
    headingsWeight = Float(settings.headingsWeight)
    let means = SegmentMeans(totals)
    self.means = means
    bodyNorms = (0..<1_024).map { 1 - penalty + penalty * (Float($0) / means.body) }
  }

  /// The score of the counts, from 0 up to `saturation + 1`, to be multiplied by the term's rarity.
  @inline(__always)
  func score(_ counts: UInt32, lengths: UInt32) -> Float {
    let length = Int(PassageLengths.body(lengths))
    let norm = length < bodyNorms.count ? bodyNorms[length] : 1 - penalty + penalty * (Float(length) / means.body)
    var frequency = Float(FieldCounts.body(counts)) / norm
    if counts & 0xffff != 0 {
      let title = Float(PassageLengths.title(lengths)) / means.title
      let headings = Float(PassageLengths.headings(lengths)) / means.headings
      frequency += titleWeight * Float(FieldCounts.title(counts)) / (1 - penalty + penalty * title)
      frequency += headingsWeight * Float(FieldCounts.headings(counts)) / (1 - penalty + penalty * headings)
    }
    return saturated(frequency)
  }

  /// No less than the score of any counts within the maxima.
  func bound(_ maxima: BlockMaxima, _ correction: BoundCorrection) -> Float {
    saturated(
      maxima.body * correction.body + max(titleWeight, 0) * maxima.title * correction.title
        + max(headingsWeight, 0) * maxima.headings * correction.headings)
  }

  @inline(__always)
  private func saturated(_ frequency: Float) -> Float {
    frequency.isFinite ? frequency * (saturation + 1) / (frequency + saturation) : saturation + 1
  }
}
