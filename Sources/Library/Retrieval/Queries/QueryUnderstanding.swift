/// What a search made of a query beyond its words.
package struct QueryUnderstanding: Sendable, Hashable, Codable {
  /// A word that no document has, and the one that was sought in its place.
  package struct Correction: Sendable, Hashable, Codable {
    /// The word as typed.
    package var typed: String
    /// A word of the library.
    package var sought: String
  }

  /// A word or words of the query, and what stands for the same in the documents.
  package struct Expansion: Sendable, Hashable, Codable {
    /// As typed.
    package var typed: String
    /// What was sought too: an acronym's long forms, a long form's acronym, a date or number in one form.
    package var sought: [String]
  }

  /// Words sought in place of unknown ones.
  package var corrections: [Correction] = []
  /// What was sought besides the words.
  package var expansions: [Expansion] = []

  /// Makes an understanding of nothing but the words.
  package init() {}
}
