/// What a search found.
package struct SearchResults: Sendable {
  /// What was sought.
  package var query: SearchQuery
  /// The best passages, best first.
  package var hits: [SearchHit]
  /// How many passages in scope match by their words, or were found by their meaning alone.
  package var matchedPassageCount: Int
  /// How many passages are in scope.
  package var passageCount: Int
  /// How many documents are in scope.
  package var documentCount: Int
  /// What was made of the query beyond its words.
  package var understanding = QueryUnderstanding()
  /// How the halves were joined; nil where only words were compared.
  package var fusion: FusionSettings?
  /// How near the best passages are to the query.
  package var closeness: Closeness
}

/// One passage that was found, or neighbouring ones that read as one.
package struct SearchHit: Sendable {
  /// The place in the results, from 1.
  package var rank: Int
  /// The passage; where neighbours were joined, the best one's name with the text and place of all.
  package var passage: StoredPassage
  /// The passages that it is made of, in reading order.
  package var parts: [PassageID]
  /// The document that it is of.
  package var document: LibraryDocument
  /// How well it fits; comparable within one search.
  package var score: Double
  /// Its place and score by words; nil where it has none of them.
  package var keyword: HalfScore?
  /// Its place and cosine by meaning; nil where only words were compared, or it is too far down.
  package var vector: HalfScore?
  /// The part of the passage's text whose meaning is nearest, in UTF-8 offsets.
  package var window: Range<Int>?
  /// What each term adds to the score by words, the largest part first.
  package var explanation: [TermExplanation]
  /// What terms that stand together add to the score by words. With the terms' contributions it makes up that score.
  package var nearness: Double
  /// What to highlight in the passage's text, in UTF-8 offsets, in order and apart.
  package var highlights: [Range<Int>]
}

/// What one term of the query adds to a passage's score.
package struct TermExplanation: Sendable, Hashable, Codable {
  /// The term as typed.
  package var term: String
  /// The forms of it that are looked up.
  package var forms: [String]
  /// How many passages of the library hold it.
  package var passageFrequency: Int
  /// The rarity that follows from it.
  package var inverseFrequency: Double
  /// How often it stands in the document's title.
  package var titleCount: Int
  /// How often it stands in the headings above the passage.
  package var headingsCount: Int
  /// How often it stands in the passage's text.
  package var bodyCount: Int
  /// What it adds to the score.
  package var contribution: Double
}
