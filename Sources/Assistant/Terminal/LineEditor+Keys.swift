extension LineEditor {
  /// Handles a key; a result ends the line.
  func handle(_ key: Key) -> LineEnd? {
    if search != nil, let isDone = handleInSearch(key) { return isDone ? enter() : nil }
    if key != .alt("y") && key != .control("y") { yanked = nil }
    switch key {
    case .enter: return enter()
    case .text(let text): buffer.insert(text)
    case .paste(let text): buffer.insert(text)
    case .newline: buffer.insert("\n")
    case .tab: complete()
    case .control("c"): return interrupt()
    case .control("d"):
      if buffer.isEmpty { return .endOfInput }
      deleteForward()
    case .control("z"): suspend()
    case .control("l"): clearScreen()
    case .control("o"): editOutside()
    case .control("r"), .control("s"): search = HistorySearch(text: buffer.text, cursor: buffer.cursor)
    case .control("v"), .control("q"), .escape, .unknown, .insert, .backTab: break
    default: if !move(for: key) { change(for: key) }
    }
    return nil
  }

  private func move(for key: Key) -> Bool {
    switch key {
    case .left, .control("b"): buffer.move(to: buffer.cursor - 1)
    case .right, .control("f"): if !acceptHint() { buffer.move(to: buffer.cursor + 1) }
    case .wordLeft, .alt("b"): buffer.move(to: buffer.wordStart(before: buffer.cursor))
    case .wordRight, .alt("f"): buffer.move(to: buffer.wordEnd(from: buffer.cursor))
    case .home, .control("a"): buffer.move(to: buffer.lineStart)
    case .end, .control("e"): if !acceptHint() { buffer.move(to: buffer.lineEnd) }
    case .up, .control("p"): if !moveLine(by: -1) { stepHistory(by: -1) }
    case .down, .control("n"): if !moveLine(by: 1) { stepHistory(by: 1) }
    case .pageUp: stepHistory(by: -1)
    case .pageDown: stepHistory(by: 1)
    case .alt("<"): stepHistory(by: -historyIndex)
    case .alt(">"): stepHistory(by: history.entries.count - historyIndex)
    default: return false
    }
    return true
  }

  private func change(for key: Key) {
    let cursor = buffer.cursor
    switch key {
    case .backspace, .control("h"): if cursor > 0 { buffer.remove(cursor - 1..<cursor) }
    case .delete: deleteForward()
    case .control("k"):
      cut(cursor..<(buffer.lineEnd == cursor ? min(cursor + 1, buffer.characters.count) : buffer.lineEnd))
    case .control("u"): cut(buffer.lineStart..<cursor, isBackward: true)
    case .control("w"): cut(buffer.blankDelimitedStart(before: cursor)..<cursor, isBackward: true)
    case .deleteWordBack: cut(buffer.wordStart(before: cursor)..<cursor, isBackward: true)
    case .deleteWordForward, .alt("d"): cut(cursor..<buffer.wordEnd(from: cursor))
    case .control("y"): yank(killRing.yank(), replacing: cursor..<cursor)
    case .alt("y"): if let yanked { yank(killRing.yankOlder(), replacing: yanked) }
    case .control("_"), .control("x"): buffer.undo()
    case .control("t"): buffer.transpose()
    case .alt("u"): buffer.changeWord { $0.uppercased() }
    case .alt("l"): buffer.changeWord { $0.lowercased() }
    case .alt("c"): buffer.changeWord { $0.capitalizedWord() }
    default: break
    }
  }

  // MARK: Ending a line

  private func enter() -> LineEnd? {
    if MultilineQuotes.isOpen(buffer.text) {
      buffer.insert("\n")
      return nil
    }
    return .line(buffer.text)
  }

  private func interrupt() -> LineEnd? {
    if buffer.isEmpty { return .interrupted }
    // The line stays readable, marked as abandoned, and a fresh one begins.
    buffer.move(to: buffer.characters.count)
    draw(withHint: false)
    terminal.write(dim("^C") + "\r\n")
    buffer = EditBuffer()
    historyIndex = history.entries.count
    changedEntries = [:]
    drawn = DrawnScreen()
    return nil
  }

  // MARK: Cutting and yanking

  private func deleteForward() {
    if buffer.cursor < buffer.characters.count { buffer.remove(buffer.cursor..<buffer.cursor + 1) }
  }

  private func cut(_ range: Range<Int>, isBackward: Bool = false) {
    let continues: Bool =
      switch previousKey {
      case .control("k"), .control("u"), .control("w"), .deleteWordBack, .deleteWordForward, .alt("d"): true
      default: false
      }
    killRing.add(buffer.remove(range), continues: continues, isBackward: isBackward)
  }

  private func yank(_ text: String?, replacing range: Range<Int>) {
    guard let text else { return }
    buffer.replace(range, with: text)
    yanked = range.lowerBound..<max(range.lowerBound, buffer.cursor)
  }

  // MARK: History

  /// Moves by a line within the text; false at its first or last line.
  private func moveLine(by step: Int) -> Bool {
    let column = buffer.cursor - buffer.lineStart
    if step < 0 {
      guard buffer.lineStart > 0 else { return false }
      let end = buffer.lineStart - 1
      buffer.move(to: end)
      buffer.move(to: min(buffer.lineStart + column, end))
    } else {
      guard buffer.lineEnd < buffer.characters.count else { return false }
      buffer.move(to: buffer.lineEnd + 1)
      buffer.move(to: min(buffer.cursor + column, buffer.lineEnd))
    }
    return true
  }

  private func stepHistory(by step: Int) {
    let next = historyIndex + step
    guard next >= 0, next <= history.entries.count, next != historyIndex else { return }
    changedEntries[historyIndex] = buffer.text
    historyIndex = next
    buffer.set(changedEntries[next] ?? history.entries[next])
  }

  private func acceptHint() -> Bool {
    guard let hint = currentHint(), hint.isAcceptable else { return false }
    buffer.insert(hint.text)
    return true
  }

  /// Handles a key while searching: nil when the key ends the search and has its usual meaning, true when the found
  /// line is entered.
  private func handleInSearch(_ key: Key) -> Bool? {
    guard var state = search else { return nil }
    switch key {
    case .text(let text): state.look(for: state.query + text, in: history)
    case .paste(let text): state.look(for: state.query + text.prefix { $0 != "\n" }, in: history)
    case .backspace, .control("h"): state.look(for: String(state.query.dropLast()), in: history)
    case .control("r"): state.step(isOlder: true, in: history)
    case .control("s"): state.step(isOlder: false, in: history)
    case .control("g"), .control("c"):
      search = nil
      buffer.set(state.originalText, cursor: state.originalCursor)
      return false
    case .enter:
      search = nil
      return true
    case .unknown: return false
    default:
      search = nil
      if key == .escape { return false }
      return nil
    }
    search = state
    if let index = state.index {
      historyIndex = index
      buffer.set(history.entries[index])
    }
    return false
  }
}

extension String {
  /// Returns the text with its first letter as a capital and the others in lower case.
  func capitalizedWord() -> String {
    guard let start = firstIndex(where: \.isLetter) else { return self }
    return self[..<start] + self[start].uppercased() + self[index(after: start)...].lowercased()
  }
}
