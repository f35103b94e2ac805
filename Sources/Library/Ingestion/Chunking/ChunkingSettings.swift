/// How large passages are.
package struct ChunkingSettings: Sendable, Hashable, Codable {
  /// How many words a passage aims at.
  package var wordCount: Int
  /// How many words a passage shares with the one before it in the same section.
  package var overlapWordCount: Int

  /// The settings that hold where nothing else is said.
  package static let standard = ChunkingSettings()

  /// Makes settings; values that make no sense together are brought to the nearest that do.
  package init(wordCount: Int = 400, overlapWordCount: Int = 75) {
    self.wordCount = min(max(wordCount, 10), 100_000)
    self.overlapWordCount = min(max(overlapWordCount, 0), self.wordCount / 2)
  }
}
