/// Size and overlap of passages.
package struct ChunkingSettings: Sendable, Hashable, Codable {
  /// Target number of words of a passage.
  package var wordCount: Int
  /// Number of words a passage shares with the one before it in the same section.
  package var overlapWordCount: Int

  /// Default settings.
  package static let standard = ChunkingSettings()

  /// Makes settings; values out of range are clamped.
  package init(wordCount: Int = 400, overlapWordCount: Int = 75) {
    self.wordCount = min(max(wordCount, 10), 100_000)
    self.overlapWordCount = min(max(overlapWordCount, 0), self.wordCount / 2)
  }
}
