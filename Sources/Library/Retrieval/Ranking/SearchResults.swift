/// Results of a search.
package struct SearchResults: Sendable {
  /// Query that was run.
  package var query: SearchQuery
  /// Best passages, best first.
  package var hits: [SearchHit]
  /// Number of passages in scope that match by keywords, or were found by vectors alone.
  package var matchedPassageCount: Int
  /// Number of passages in scope.
  package var passageCount: Int
  /// Number of documents in scope.
  package var documentCount: Int
  /// Interpretation of the query beyond its words.
  package var understanding = QueryUnderstanding()
  /// Fusion settings; nil where only keywords were searched.
  package var fusion: FusionSettings?
  /// Closeness of the best passages to the query.
  package var closeness: Closeness
}

/// Passage that was found, or neighbouring ones merged into one.
package struct SearchHit: Sendable {
  /// Rank from 1.
  package var rank: Int
  /// Passage; where neighbours were merged, the best one's id with the text and span of all.
  package var passage: StoredPassage
  /// Passages that it is made of, in reading order.
  package var parts: [PassageID]
  /// Document of the passage.
  package var document: LibraryDocument
  /// Score; comparable within one search.
  package var score: Double
  /// Rank and score by keywords; nil where no term matches.
  package var keyword: HalfScore?
  /// Rank and cosine by vectors; nil where only keywords were searched, or it is below the depth.
  package var vector: HalfScore?
  /// Window of the passage's text nearest to the query, in UTF-8 offsets.
  package var window: Range<Int>?
  /// Contribution of each term to the keyword score, the largest first.
  package var explanation: [TermExplanation]
  /// Contribution of term proximity to the keyword score. With the terms' contributions it adds up to that score.
  package var nearness: Double
  /// Ranges of the passage's text to highlight, in UTF-8 offsets, in order and disjoint.
  package var highlights: [Range<Int>]
}

/// Contribution of one query term to a passage's score.
package struct TermExplanation: Sendable, Hashable, Codable {
  /// Term as typed.
  package var term: String
  /// Forms of it that are looked up.
  package var forms: [String]
  /// Number of passages of the library that hold it.
  package var passageFrequency: Int
  /// Inverse document frequency.
  package var inverseFrequency: Double
  /// Number of times it stands in the document's title.
  package var titleCount: Int
  /// Number of times it stands in the headings above the passage.
  package var headingsCount: Int
  /// Number of times it stands in the passage's text.
  package var bodyCount: Int
  /// Contribution to the score.
  package var contribution: Double
}
