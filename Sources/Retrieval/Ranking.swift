import Foundation

/// How keyword matches are weighed: BM25 over weighted fields (Robertson, Zaragoza, Taylor, "Simple BM25 extension to
/// multiple weighted fields", CIKM 2004).
public struct RankingSettings: Sendable, Hashable {
  /// How slowly repetitions stop counting.
  public var saturation = 1.6
  /// How much a long text counts against a match, from 0 to 1.
  public var lengthPenalty = 0.75
  /// What a match in the title counts, in matches in the body.
  public var titleWeight = 2.0
  /// What a match in a heading counts, in matches in the body.
  public var headingsWeight = 1.0
  /// How many of the best passages are looked at for words that stand together.
  public var nearnessDepth = 30
  /// The length of the window in which different terms support each other, in words.
  public var windowLength = 25
  /// What the terms of the best window count, in their rarities.
  public var windowWeight = 0.5
  /// How far apart neighbours of the query may stand.
  public var pairDistance = 6
  /// What neighbours count, in what a term as rare as the commoner of the two would.
  public var pairWeight = 0.3

  /// Makes the settings that the program uses.
  public init() {}

  /// The rarity of a term that `count` of `total` passages hold.
  func inverseFrequency(_ count: Int, of total: Int) -> Double {
    log(1 + (Double(total) - Double(count) + 0.5) / (Double(count) + 0.5))
  }
}

/// BM25 of a term's counts in one passage.
struct FieldScorer {
  private let saturation: Float
  private let penalty: Float
  private let titleWeight: Float
  private let headingsWeight: Float
  private let statistics: IndexStatistics

  init(_ settings: RankingSettings, _ statistics: IndexStatistics) {
    saturation = Float(settings.saturation)
    penalty = Float(settings.lengthPenalty)
    titleWeight = Float(settings.titleWeight)
    headingsWeight = Float(settings.headingsWeight)
    self.statistics = statistics
  }

  /// The score of the counts, from 0 up to `saturation + 1`, to be multiplied by the term's rarity.
  func score(_ counts: UInt32, row: Int) -> Float {
    var frequency = Float(FieldCounts.body(counts)) / (1 - penalty + penalty * statistics.body[row])
    if counts & 0xffff != 0 {
      frequency += titleWeight * Float(FieldCounts.title(counts)) / (1 - penalty + penalty * statistics.title[row])
      frequency +=
        headingsWeight * Float(FieldCounts.headings(counts)) / (1 - penalty + penalty * statistics.headings[row])
    }
    return frequency * (saturation + 1) / (frequency + saturation)
  }
}
