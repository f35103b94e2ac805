/// Text being edited, as grapheme clusters with a cursor, undo history and kill ring.
package struct EditBuffer: Sendable {
  /// Grapheme clusters of the text.
  package private(set) var characters: [Character] = []
  /// Index of the cluster that the cursor stands before.
  package private(set) var cursor = 0
  private var undoStates: [State] = []
  private var isTyping = false
  private static let deepestUndo = 500

  private struct State: Sendable {
    var characters: [Character]
    var cursor: Int
  }

  /// Makes a buffer with a text and the cursor at its end.
  package init(_ text: String = "") {
    characters = Array(text)
    cursor = characters.count
  }

  /// Whole text.
  package var text: String { String(characters) }

  /// Indicates whether the buffer is empty.
  package var isEmpty: Bool { characters.isEmpty }

  /// Text before the cursor.
  package var textBeforeCursor: String { String(characters[..<cursor]) }

  // MARK: Changing

  /// Inserts text at the cursor. Marks join the cluster before them.
  package mutating func insert(_ text: String) {
    if !(isTyping && text.count == 1) { remember() }
    isTyping = text.count == 1 && text != "\n" && text != " "
    let before = cursor > 0 ? String(characters[cursor - 1]) : ""
    let after = cursor < characters.count ? String(characters[cursor]) : ""
    let joined = Array(before + text + after)
    // The cursor goes behind the new text, or behind the cluster that absorbed it.
    let ahead = Array(before + text).count
    let range = (before.isEmpty ? cursor : cursor - 1)..<(after.isEmpty ? cursor : cursor + 1)
    characters.replaceSubrange(range, with: joined)
    cursor = min(range.lowerBound + ahead, characters.count)
  }

  /// Replaces a range of clusters and puts the cursor behind the new text.
  package mutating func replace(_ range: Range<Int>, with text: String) {
    remember()
    characters.replaceSubrange(range, with: Array(text))
    cursor = range.lowerBound + text.count
    characters = Array(self.text)
    cursor = min(cursor, characters.count)
  }

  /// Replaces the whole text and puts the cursor at the end, or at a place.
  package mutating func set(_ text: String, cursor place: Int? = nil) {
    remember()
    characters = Array(text)
    cursor = min(place ?? characters.count, characters.count)
  }

  /// Removes a range and returns its text.
  @discardableResult
  package mutating func remove(_ range: Range<Int>) -> String {
    if range.isEmpty { return "" }
    remember()
    let removed = String(characters[range])
    characters.removeSubrange(range)
    characters = Array(text)
    cursor = min(range.lowerBound, characters.count)
    return removed
  }

  /// Swaps the cluster before the cursor with the one under it, as Ctrl-T does.
  package mutating func transpose() {
    let second = cursor == characters.count ? cursor - 1 : cursor
    guard second > 0 else { return }
    remember()
    characters.swapAt(second - 1, second)
    cursor = second + 1
  }

  /// Changes the letters from the cursor to the end of the word.
  package mutating func changeWord(_ change: (String) -> String) {
    let end = wordEnd(from: cursor)
    replace(cursor..<end, with: change(String(characters[cursor..<end])))
  }

  /// Undoes one change; false when there is none.
  @discardableResult
  package mutating func undo() -> Bool {
    guard let state = undoStates.popLast() else { return false }
    (characters, cursor) = (state.characters, state.cursor)
    isTyping = false
    return true
  }

  private mutating func remember() {
    isTyping = false
    undoStates.append(State(characters: characters, cursor: cursor))
    if undoStates.count > Self.deepestUndo { undoStates.removeFirst() }
  }

  // MARK: Moving

  /// Moves the cursor to a place, clamped to the text.
  package mutating func move(to place: Int) {
    isTyping = false
    cursor = min(max(place, 0), characters.count)
  }

  /// Beginning of the cursor's line.
  package var lineStart: Int { characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0 }

  /// End of the cursor's line.
  package var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

  /// Returns the beginning of the word before a place; words are letters and digits.
  package func wordStart(before place: Int) -> Int {
    var place = place
    while place > 0, !isWordPart(place - 1) { place -= 1 }
    while place > 0, isWordPart(place - 1) { place -= 1 }
    return place
  }

  /// Returns the end of the word after a place.
  package func wordEnd(from place: Int) -> Int {
    var place = place
    while place < characters.count, !isWordPart(place) { place += 1 }
    while place < characters.count, isWordPart(place) { place += 1 }
    return place
  }

  /// Returns the beginning of the run of non-blanks before a place, as Ctrl-W does.
  package func blankDelimitedStart(before place: Int) -> Int {
    var place = place
    while place > 0, characters[place - 1].isWhitespace { place -= 1 }
    while place > 0, !characters[place - 1].isWhitespace { place -= 1 }
    return place
  }

  private func isWordPart(_ index: Int) -> Bool {
    characters[index].isLetter || characters[index].isNumber || characters[index] == "_"
  }
}

/// Kill ring of cut texts: Ctrl-Y yanks the newest, Alt-Y the one before.
package struct KillRing: Sendable {
  private var entries: [String] = []
  private var position = 0
  private static let largestCount = 60

  /// Makes an empty ring.
  package init() {}

  /// Adds a cut; one that continues the cut before it is joined to it.
  package mutating func add(_ text: String, continues: Bool = false, isBackward: Bool = false) {
    guard !text.isEmpty else { return }
    if continues, let last = entries.popLast() {
      entries.append(isBackward ? text + last : last + text)
    } else {
      entries.append(text)
      if entries.count > Self.largestCount { entries.removeFirst() }
    }
    position = entries.count - 1
  }

  /// Returns the newest cut.
  package mutating func yank() -> String? {
    position = entries.count - 1
    return entries.last
  }

  /// Returns the cut before the one yanked last, cyclically.
  package mutating func yankOlder() -> String? {
    guard !entries.isEmpty else { return nil }
    position = position > 0 ? position - 1 : entries.count - 1
    return entries[position]
  }
}
