import CPlatform
import Glibc

/// Result of editing a line.
package enum LineEnd: Sendable, Equatable {
  /// Line that was entered; several lines where they were joined by Alt-Enter, a paste or `"""`.
  case line(String)
  /// Ctrl-C on an empty line.
  case interrupted
  /// Ctrl-D on an empty line, or the end of the input.
  case endOfInput
}

/// Candidate of Tab completion.
package struct Completion: Sendable, Equatable {
  /// Replacement of the completed part.
  package var text: String
  /// Label in a list of several.
  package var label: String
  /// Indicates whether the word is complete, so that a space is added.
  package var isWhole: Bool

  /// Makes a candidate.
  package init(_ text: String, label: String? = nil, isWhole: Bool = true) {
    (self.text, self.label, self.isWhole) = (text, label ?? text, isWhole)
  }
}

/// Candidates of Tab completion at a place.
package struct CompletionSet: Sendable, Equatable {
  /// Number of clusters before the cursor that are replaced.
  package var replacedCount: Int
  /// Candidates, in the order they are shown.
  package var completions: [Completion]

  /// Makes a set of candidates.
  package init(replacing replacedCount: Int, with completions: [Completion]) {
    (self.replacedCount, self.completions) = (replacedCount, completions)
  }
}

/// Dim text shown behind the cursor.
package struct Hint: Sendable, Equatable {
  /// Text of the hint.
  package var text: String
  /// Indicates whether the right arrow and End accept it.
  package var isAcceptable: Bool

  /// Makes a hint.
  package init(_ text: String, isAcceptable: Bool) { (self.text, self.isAcceptable) = (text, isAcceptable) }
}

/// Reads lines with editing, history, search and completion on a terminal that can move its cursor, plainly
/// elsewhere.
package final class LineEditor {
  /// Returns completions for the text before the cursor.
  package var completer: ((String) -> CompletionSet)?
  /// Returns a hint for a text with the cursor at its end.
  package var hinter: ((String) -> Hint?)?
  /// Lines entered before.
  package var history: History
  /// Indicates whether an entered line may be kept in the history.
  package var isKept: (String) -> Bool = { _ in true }
  /// Renders hints and the search line in their style.
  package var dim: (String) -> String = { $0 }

  let terminal: TerminalDevice
  let environment: [String: String]
  var buffer = EditBuffer()
  var killRing = KillRing()
  var previousKey = Key.unknown
  var yanked: Range<Int>?
  var prompt = Prompt("")
  var historyIndex = 0
  /// Entries changed while stepping through the history, for this line only.
  var changedEntries: [Int: String] = [:]
  var search: HistorySearch?
  var drawn = DrawnScreen()
  private var decoder = KeyDecoder()
  private var pending: [Key] = []
  private var plain: PlainLineReader

  /// Makes an editor at a terminal.
  package init(terminal: TerminalDevice, history: History = History(), environment: [String: String] = [:]) {
    (self.terminal, self.history, self.environment) = (terminal, history, environment)
    plain = PlainLineReader(input: terminal.input)
  }

  /// Reads one line.
  /// - Parameter initial: text to begin with.
  package func readLine(prompt: Prompt, initial: String = "") throws(TerminalError) -> LineEnd {
    guard terminal.canMoveCursor else { return try readPlainLine(prompt: prompt) }
    try terminal.setMode(.editing)
    defer {
      // The signal handlers restore the terminal too; a failure here changes nothing.
      try? terminal.setMode(.ordinary)
    }
    begin(prompt: prompt, initial: initial)
    draw()
    while true {
      guard let key = try nextKey() else { return finish(buffer.isEmpty ? .endOfInput : .line(buffer.text)) }
      if let end = handle(key) { return finish(end) }
      previousKey = key
      // Keys that have already arrived are handled before anything is drawn.
      if pending.isEmpty, !hasInput() { draw() }
    }
  }

  private func begin(prompt: Prompt, initial: String) {
    self.prompt = prompt
    buffer = EditBuffer(initial)
    previousKey = .unknown
    yanked = nil
    historyIndex = history.entries.count
    changedEntries = [:]
    search = nil
    drawn = DrawnScreen()
  }

  private func finish(_ end: LineEnd) -> LineEnd {
    buffer.move(to: buffer.characters.count)
    search = nil
    draw(withHint: false)
    terminal.write("\r\n")
    guard case .line(let text) = end else { return end }
    if isKept(text) { history.add(text) }
    return .line(MultilineQuotes.unwrapped(text))
  }

  // MARK: Keys

  func nextPlainLine() throws(TerminalError) -> String? { try plain.next() }

  func nextKey() throws(TerminalError) -> Key? {
    while true {
      if !pending.isEmpty { return pending.removeFirst() }
      // A single Escape is known by a pause behind it; a paste whose end was lost ends by itself.
      let patience: Int32 = decoder.isPasting ? 3000 : decoder.isWaiting ? 50 : -1
      switch try waitForInput(milliseconds: patience) {
      case .woken(let isContinued): redrawAfterWake(isContinued: isContinued)
      case .silent: pending += decoder.flush()
      case .bytes(let bytes):
        if bytes.isEmpty { return nil }
        pending += decoder.decode(bytes)
      }
    }
  }

  private func hasInput() -> Bool {
    var waiting = pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, 0) > 0
  }

  private enum Input {
    case woken(isContinued: Bool)
    case silent
    case bytes([UInt8])
  }

  private func waitForInput(milliseconds: Int32) throws(TerminalError) -> Input {
    var waiting = [
      pollfd(fd: terminal.input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: cp_terminal_wake_descriptor(), events: Int16(POLLIN), revents: 0),
    ]
    var count: Int32
    repeat { count = poll(&waiting, 2, milliseconds) } while count < 0 && errno == EINTR
    if count < 0 { throw .inputOutput(errno: errno) }
    if count == 0 { return .silent }
    var bytes = [UInt8](repeating: 0, count: 4096)
    if waiting[1].revents != 0 {
      let count = bytes.withUnsafeMutableBytes { read(waiting[1].fd, $0.baseAddress, $0.count) }
      return .woken(isContinued: bytes[..<max(0, count)].contains(UInt8(ascii: "c")))
    }
    // Input behind the line belongs to its next reader, a pager or the shell, so keys are taken one by one.
    let most = decoder.isPasting ? bytes.count : 1
    var filled: Int
    repeat {
      filled = bytes.withUnsafeMutableBytes { read(terminal.input, $0.baseAddress, most) }
    } while filled < 0
      && errno == EINTR
    if filled < 0 && errno != EIO { throw .inputOutput(errno: errno) }  // EIO: the terminal was hung up
    return .bytes(Array(bytes[..<max(0, filled)]))
  }
}
