import Foundation

/// How near the best of a library is to a query, and whether that is too far for an answer.
///
/// Learned by logistic regression on nine articles of SQuAD 2.0: the questions that an article answers, asked of a library with
/// that article and of one without it. `alcove-bench questions` prints what it refuses of both.
public struct Closeness: Sendable, Hashable, Codable {
  /// The cosine of the passage whose meaning is nearest; nil where only words were compared.
  public var cosine: Double?
  /// The share of the query's words, weighed by their rarity, that the passage with most of them has.
  public var coverage: Double
  /// How likely passages this near are about what the query asks, from 0 to 1.
  public var likelihood: Double
  /// Below this, they are not.
  public var threshold: Double

  /// Something is always nearest in meaning: below this cosine, a passage without a word of the query is no find.
  public static let leastCosineAlone = 0.3

  /// Whether nothing found is near enough to be about the query.
  public var isFar: Bool { likelihood < threshold }

  /// Judges what was measured.
  public init(cosine: Double?, coverage: Double) {
    self.cosine = cosine
    self.coverage = coverage
    let logit =
      if let cosine { 25.54 * cosine + 9.25 * coverage - 15.57 } else { 12.51 * coverage - 6.83 }
    likelihood = 1 / (1 + exp(-logit))
    // Refuses 0.005 of the questions that a library answers and 0.85 of those that it does not; by words alone 0.008 and 0.5.
    threshold = cosine == nil ? 0.05 : 0.06
  }
}
