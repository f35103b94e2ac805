/// What a search found.
public struct SearchResults: Sendable {
  /// What was sought.
  public var query: SearchQuery
  /// The best passages, best first.
  public var hits: [SearchHit]
  /// How many passages in scope match by their words, or were found by their meaning alone.
  public var matchedPassageCount: Int
  /// How many passages are in scope.
  public var passageCount: Int
  /// How many documents are in scope.
  public var documentCount: Int
  /// What was made of the query beyond its words.
  public var understanding = QueryUnderstanding()
  /// How the halves were joined; nil where only words were compared.
  public var fusion: FusionSettings?
  /// How near the best passages are to the query.
  public var closeness: Closeness
}

/// One passage that was found, or neighbouring ones that read as one.
public struct SearchHit: Sendable {
  /// The place in the results, from 1.
  public var rank: Int
  /// The passage; where neighbours were joined, the best one's name with the text and place of all.
  public var passage: StoredPassage
  /// The passages that it is made of, in reading order.
  public var parts: [PassageID]
  /// The document that it is of.
  public var document: LibraryDocument
  /// How well it fits; comparable within one search.
  public var score: Double
  /// Its place and score by words; nil where it has none of them.
  public var keyword: HalfScore?
  /// Its place and cosine by meaning; nil where only words were compared, or it is too far down.
  public var vector: HalfScore?
  /// The part of the passage's text whose meaning is nearest, in UTF-8 offsets.
  public var window: Range<Int>?
  /// What each term adds to the score by words, the largest part first.
  public var explanation: [TermExplanation]
  /// What terms that stand together add to the score by words. With the terms' contributions it makes up that score.
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
