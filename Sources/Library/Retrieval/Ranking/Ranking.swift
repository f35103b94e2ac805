import Foundation

/// Settings of ranking. Keywords: BM25F, that is BM25 over weighted fields (Robertson, Zaragoza, Taylor, "Simple BM25
/// extension to multiple weighted fields", CIKM 2004).
package struct RankingSettings: Sendable, Hashable {
  /// Term frequency saturation (k₁ of BM25).
  package var saturation = 1.6
  /// Length penalty (b of BM25), from 0 to 1.
  package var lengthPenalty = 0.75
  /// Weight of a match in the title; the body has 1.
  package var titleWeight = 2.0
  /// Weight of a match in a heading; the body has 1.
  package var headingsWeight = 1.0
  /// Number of the best passages that are re-scored by term proximity.
  package var nearnessDepth = 30
  /// Length of the proximity window, in words.
  package var windowLength = 25
  /// Weight of the summed rarities of the terms in the best window.
  package var windowWeight = 0.5
  /// Largest distance of a pair of neighbours in the query, in words.
  package var pairDistance = 6
  /// Weight of pairs, relative to a term with the smaller rarity of the two.
  package var pairWeight = 0.3
  /// Fusion of the two halves.
  package var fusion = FusionSettings()
  /// Selection among the passages that fit.
  package var diversity = DiversitySettings()
  /// Indicates whether neighbouring passages of a document are merged.
  package var joinsNeighbours = true

  /// Makes the default settings.
  package init() {}

  /// Returns the inverse document frequency of a term that `count` of `total` passages hold, in the form that is
  /// never negative: ln(1 + (N − n + ½) / (n + ½)).
  func inverseFrequency(_ count: Int, of total: Int) -> Double {
    log(1 + (Double(total) - Double(count) + 0.5) / (Double(count) + 0.5))
  }
}

/// Scores one term's frequencies in one passage by BM25F.
struct FieldScorer {
  let saturation: Float
  let penalty: Float
  let titleWeight: Float
  let headingsWeight: Float
  let means: SegmentMeans
  /// Length norms of the body, by length.
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

  /// Returns the score of the frequencies, from 0 up to `saturation + 1`, to be multiplied by the inverse document
  /// frequency.
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

  /// Returns an upper bound of the score of any frequencies within the block maxima.
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
