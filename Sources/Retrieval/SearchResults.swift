/// What a search found.
public struct SearchResults: Sendable {
  /// What was sought.
  public var query: SearchQuery
  /// The best passages, best first.
  public var hits: [SearchHit]
  /// How many passages in scope match at all.
  public var matchedPassageCount: Int
  /// How many passages are in scope.
  public var passageCount: Int
  /// How many documents are in scope.
  public var documentCount: Int
  /// What was made of the query beyond its words.
  public var understanding = QueryUnderstanding()
}

/// One passage that was found.
public struct SearchHit: Sendable {
  /// The place in the results, from 1.
  public var rank: Int
  /// The passage.
  public var passage: StoredPassage
  /// The document that it is of.
  public var document: LibraryDocument
  /// How well it fits; comparable within one search.
  public var score: Double
  /// What each term adds to the score, the largest part first.
  public var explanation: [TermExplanation]
  /// What terms that stand together add to the score. With the terms' contributions it makes up the score.
  public var nearness: Double
  /// What to highlight in the passage's text, in UTF-8 offsets, in order and apart.
  public var highlights: [Range<Int>]
}

/// What one term of the query adds to a passage's score.
public struct TermExplanation: Sendable, Hashable, Codable {
  /// The term as typed.
  public var term: String
  /// The forms of it that are looked up.
  public var forms: [String]
  /// How many passages of the library hold it.
  public var passageFrequency: Int
  /// The rarity that follows from it.
  public var inverseFrequency: Double
  /// How often it stands in the document's title.
  public var titleCount: Int
  /// How often it stands in the headings above the passage.
  public var headingsCount: Int
  /// How often it stands in the passage's text.
  public var bodyCount: Int
  /// What it adds to the score.
  public var contribution: Double
}
