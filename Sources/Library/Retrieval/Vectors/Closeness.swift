import Foundation

/// Closeness of a library's best passages to a query, and whether they are too far away for an answer.
///
/// Learned by logistic regression on nine articles of SQuAD 2.0: the questions that an article answers, asked of a
/// library with that article and of one without it. `alcove-bench questions` prints the shares refused of both.
package struct Closeness: Sendable, Hashable, Codable {
  /// Cosine of the nearest passage; nil where only keywords were searched.
  package var cosine: Double?
  /// Largest share of the query's terms, weighted by inverse document frequency, that one passage holds.
  package var coverage: Double
  /// Probability that passages this close are about the query, from 0 to 1.
  package var likelihood: Double
  /// Cut-off of ``likelihood``.
  package var threshold: Double

  /// Cut-off of the cosine for a passage without a term of the query: some passage is always nearest.
  ///
  /// Of the same questions, 0.94 reach it with the article that answers them, 0.10 without it.
  package static let leastCosineAlone = 0.35

  /// Indicates whether nothing found is close enough to be about the query.
  package var isFar: Bool { likelihood < threshold }

  /// Judges the measurements.
  /// - Parameter isEnglish: whether the query is in the language of the training questions. In others, which an
  ///   embedder may know little of, matching words suffice.
  package init(cosine: Double?, coverage: Double, isEnglish: Bool = true) {
    self.cosine = cosine
    self.coverage = coverage
    func likelihood(_ logit: Double) -> Double { 1 / (1 + exp(-logit)) }
    // Refuses 0.005 of the questions that a library answers and 0.85 of those that it does not; by keywords alone
    // 0.008 and 0.5.
    let byWords = (likelihood(12.51 * coverage - 6.83), 0.05)
    let byBoth = cosine.map { (likelihood(25.54 * $0 + 9.25 * coverage - 15.57), 0.06) } ?? byWords
    // A passage that holds all the words is about them, whatever else it says.
    let wordsSuffice = !isEnglish || coverage > 0.99
    (self.likelihood, threshold) = wordsSuffice && byBoth.0 < byBoth.1 ? byWords : byBoth
  }
}
