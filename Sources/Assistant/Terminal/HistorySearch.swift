/// A search through the history while it is typed (Ctrl-R, Ctrl-S).
struct HistorySearch {
  /// What is looked for.
  var query = ""
  /// The entry found last.
  var index: Int?
  /// Whether the last step found nothing.
  var isFailing = false
  /// The line before the search, which Ctrl-G brings back.
  let originalText: String
  let originalCursor: Int

  init(text: String, cursor: Int) { (originalText, originalCursor) = (text, cursor) }

  /// Looks for a changed query, beginning with the entry at hand.
  mutating func look(for query: String, in history: History) {
    self.query = query
    let found = query.isEmpty ? nil : history.lastIndex(of: query, before: (index ?? history.entries.count) + 1)
    isFailing = !query.isEmpty && found == nil
    if let found { index = found }
    if query.isEmpty { index = nil }
  }

  /// Goes on to an older or a newer entry.
  mutating func step(isOlder: Bool, in history: History) {
    guard !query.isEmpty else { return }
    let here = index ?? history.entries.count
    let shown = index.map { history.entries[$0] }
    var found: Int? = here
    // Entries that read the same are one answer.
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
