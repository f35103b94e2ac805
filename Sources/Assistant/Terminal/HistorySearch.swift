/// Incremental search through the history (Ctrl-R, Ctrl-S).
struct HistorySearch {
  /// Text to look for.
  var query = ""
  /// Index of the entry found last.
  var index: Int?
  /// Indicates whether the last step found nothing.
  var isFailing = false
  /// Line before the search, which Ctrl-G restores.
  let originalText: String
  let originalCursor: Int

  init(text: String, cursor: Int) { (originalText, originalCursor) = (text, cursor) }

  /// Searches for a changed query, beginning with the current entry.
  mutating func look(for query: String, in history: History) {
    self.query = query
    let found = query.isEmpty ? nil : history.lastIndex(of: query, before: (index ?? history.entries.count) + 1)
    isFailing = !query.isEmpty && found == nil
    if let found { index = found }
    if query.isEmpty { index = nil }
  }

  /// Moves to an older or a newer entry.
  mutating func step(isOlder: Bool, in history: History) {
    guard !query.isEmpty else { return }
    let here = index ?? history.entries.count
    let shown = index.map { history.entries[$0] }
    var found: Int? = here
    // Entries with the same text are one result.
    repeat {
      found =
        isOlder
        ? history.lastIndex(of: query, before: found ?? 0)
        : history.firstIndex(of: query, from: (found ?? 0) + 1)
    } while found.map { history.entries[$0] == shown } ?? false
    isFailing = found == nil
    if let found { index = found }
  }
}
