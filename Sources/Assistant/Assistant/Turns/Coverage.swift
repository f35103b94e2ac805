/// Share of the matching passages that was read for an answer.
package struct Coverage: Sendable, Equatable, Codable {
  /// Passages the answer was drawn from.
  package var read: Int
  /// Passages that match the question.
  package var matched: Int
  /// Passages searched.
  package var total: Int

  /// Makes a coverage.
  package init(read: Int, matched: Int, total: Int) {
    self.read = read
    self.matched = matched
    self.total = total
  }
}
