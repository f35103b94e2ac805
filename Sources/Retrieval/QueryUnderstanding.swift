/// What a search made of a query beyond its words.
public struct QueryUnderstanding: Sendable, Hashable, Codable {
  /// A word that no document has, and the one that was sought in its place.
  public struct Correction: Sendable, Hashable, Codable {
    /// The word as typed.
    public var typed: String
    /// A word of the library.
    public var sought: String
  }

  /// A word or words of the query, and what stands for the same in the documents.
  public struct Expansion: Sendable, Hashable, Codable {
    /// As typed.
    public var typed: String
    /// What was sought too: an acronym's long forms, a long form's acronym, a date or number in one form.
    public var sought: [String]
  }

  /// Words sought in place of unknown ones.
  public var corrections: [Correction] = []
  /// What was sought besides the words.
  public var expansions: [Expansion] = []

  /// Makes an understanding of nothing but the words.
  public init() {}
}
