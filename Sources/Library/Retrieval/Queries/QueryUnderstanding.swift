/// Interpretation of a query beyond its words.
package struct QueryUnderstanding: Sendable, Hashable, Codable {
  /// Word that no document has, and the one searched in its place.
  package struct Correction: Sendable, Hashable, Codable {
    /// Word as typed.
    package var typed: String
    /// Word of the library.
    package var sought: String
  }

  /// Word or words of the query, and their equivalents in the documents.
  package struct Expansion: Sendable, Hashable, Codable {
    /// Words as typed.
    package var typed: String
    /// Terms that were searched too: an acronym's long forms, a long form's acronym, a date or number in one form.
    package var sought: [String]
  }

  /// Replacements of unknown words.
  package var corrections: [Correction] = []
  /// Terms that were searched besides the words.
  package var expansions: [Expansion] = []

  /// Makes an interpretation that adds nothing.
  package init() {}
}
