import Foundation

/// How near the best of a library is to a query, and whether that is too far for an answer.
///
/// Learned by logistic regression on nine articles of SQuAD 2.0: the questions that an article answers, asked of a library with
/// that article and of one without it. `alcove-bench questions` prints what it refuses of both.
package struct Closeness: Sendable, Hashable, Codable {
  /// The cosine of the passage whose meaning is nearest; nil where only words were compared.
  package var cosine: Double?
  /// The share of the query's words, weighed by their rarity, that the passage with most of them has.
  package var coverage: Double
  /// How likely passages this near are about what the query asks, from 0 to 1.
  package var likelihood: Double
  /// Below this, they are not.
  package var threshold: Double

  /// Something is always nearest in meaning: below this cosine, a passage without a word of the query is no find.
  ///
  /// Of the same questions, 0.94 reach it with the article that answers them, 0.10 without it.
  package static let leastCosineAlone = 0.35

  /// Whether nothing found is near enough to be about the query.
  package var isFar: Bool { likelihood < threshold }

  /// Judges what was measured.
  /// - Parameter isEnglish: whether the query is in the language that this was learned in. In others, in which an embedder may see
  ///   little, words that are found count for themselves.
  package init(cosine: Double?, coverage: Double, isEnglish: Bool = true) {
    self.cosine = cosine
    self.coverage = coverage
    func likelihood(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    // Refuses 0.005 of the questions that a library answers and 0.85 of those that it does not; by words alone 0.008 and 0.5.
    let byWords = (likelihood(12.51 * coverage - 6.83), 0.05)
    let byBoth = cosine.map { (likelihood(25.54 * $0 + 9.25 * coverage - 15.57), 0.06) } ?? byWords
    // A passage that has all the words is about them, whatever else it says.
    let wordsSuffice = !isEnglish || coverage > 0.99
    (self.likelihood, threshold) = wordsSuffice && byBoth.0 < byBoth.1 ? byWords : byBoth
  }
}
