import Foundation
import Terminal
import TestSupport
import Testing

/// The editor at a real pseudo-terminal, driven by recorded keystrokes.
@Suite(.serialized) struct LineEditorTests {
  /// Outcome of some keystrokes.
  struct Outcome {
    var end: LineEnd?
    var screen: [String]
    var isRestored: Bool
  }

  /// Types keystrokes at an editor and waits for its line.
  static func edit(
    _ keys: [String], history: [String] = [], columns: Int = 40, rows: Int = 10, type: String = "xterm",
    completer: ((String) -> CompletionSet)? = nil
  ) throws -> Outcome {
    let terminal = try PseudoTerminal(columns: columns, rows: rows)
    let side = terminal.programSide
    let finished = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var end: LineEnd?
    nonisolated(unsafe) let completer = completer
    Thread.detachNewThread {
      var past = History()
      for line in history { past.add(line) }
      let editor = LineEditor(
        terminal: TerminalDevice(input: side, output: side, type: type), history: past,
        environment: ["EDITOR": "sed -i s/old/new/"])
      editor.completer = completer
      end = try? editor.readLine(prompt: Prompt("> "))
      finished.signal()
    }
    terminal.wait(for: "> ")
    for key in keys {
      terminal.type(key)
      // An Escape alone is only known by the pause behind it.
      if key == "\u{1B}" { usleep(120_000) }
    }
    let isDone = finished.wait(timeout: .now() + 10) == .success
    #expect(isDone, "the editor did not end the line")
    terminal.wait(seconds: 2) { type == "dumb" || $0.contains("\u{1B}[?2004l") }
    var screen = Screen(columns: columns, rows: rows) { CharacterWidth.columns(of: $0) }
    screen.show(terminal.output)
    return Outcome(end: end, screen: screen.lines, isRestored: terminal.isOrdinary)
  }

  static let esc = "\u{1B}"
  static func control(_ letter: Character) -> String { String(UnicodeScalar(letter.asciiValue! & 0x1F)) }

  static let recordings: [(keys: String, line: String)] = [
    ("hello\r", "hello"),
    ("wörld 世界 👩‍👩‍👧\r", "wörld 世界 👩‍👩‍👧"),
    // A family is one cluster, a letter with a mark is one cluster.
    ("a👩‍👩‍👧b\u{7F}\u{7F}c\r", "ac"), ("xe\u{301}\u{7F}y\r", "xy"),
    ("bc\(control("a"))a\(control("e"))d\r", "abcd"), ("ac\(esc)[Db\r", "abc"),
    ("abc\(esc)[D\(esc)[D\(esc)[3~\r", "ac"),
    ("one two\(esc)bX\r", "one Xtwo"), ("one two\(control("a"))\(esc)fX\r", "oneX two"),
    ("one two\(esc)[1;5DX\r", "one Xtwo"), ("\(esc)OHb\(esc)OHa\(esc)OF!\r", "ab!"),
    ("one two\(control("w"))three\r", "one three"), ("a/b c/d\(control("w"))x\r", "a/b x"),
    ("a/b c/d\(esc)\u{7F}x\r", "a/b c/x"), ("one two\(control("u"))x\r", "x"),
    ("one two\(control("a"))\(control("k"))\(control("y"))\(control("y"))\r", "one twoone two"),
    ("ab\(control("w"))cd\(control("a"))\(control("k"))\(control("y"))\(esc)y!\r", "ab!"),
    ("a b c\(control("w"))\(control("w"))\(control("y"))\r", "a b c"),
    ("abc\(control("_"))x\r", "x"), ("abc def\(control("w"))\(control("_"))\r", "abc def"),
    ("ab\(control("t"))\r", "ba"), ("foo bar\(control("a"))\(esc)u\(esc)c\r", "FOO Bar"),
    ("one\(esc)\rtwo\r", "one\ntwo"), ("one\n", "one"), ("one\(esc)\ntwo\r", "one\ntwo"),
    ("\"\"\"one\rtwo\"\"\"\r", "one\ntwo"), ("\"\"\"\rone\r\rtwo\r\"\"\"\r", "one\n\ntwo"),
    ("\(esc)[200~pasted\r\nlines\rhere\(esc)[201~ end\r", "pasted\nlines\nhere end"),
    ("\(esc)[200~a\(esc)[31mb\tc\(esc)[201~\r", "a\(esc)[31mb\tc"),
    ("one\(esc)\rtwo\(esc)[A\(control("e"))!\r", "one!\ntwo"),
    ("x\(control("c"))y\r", "y"), ("\(control("d"))", ""), ("ab\(control("a"))\(control("d"))\r", "b"),
    ("a\(esc)[13;2ub\r", "a\nb"), ("a\(esc)[99;99Xb\(esc)[[Ac\r", "abc"),
    ("\(esc)[A\r", "third"), ("\(esc)[A\(esc)[A!\r", "first!"), ("x\(esc)[A\(esc)[B\r", "x"),
    ("\(control("r"))first\r", "first"), ("\(control("r"))one\(control("r"))\r", "first one"),
    ("draft\(control("r"))second\(control("g"))!\r", "draft!"),
    ("\(control("r"))sec\(control("e"))!\r", "second one!"),
    ("\(control("r"))zzz\u{7F}\u{7F}\u{7F}third\r", "third"),
    ("old text\(control("o"))!\r", "new text!"),
  ]

  @Test(arguments: recordings.indices)
  func typesAsRecorded(_ index: Int) throws {
    let (keys, line) = Self.recordings[index]
    let outcome = try Self.edit([keys], history: ["first one", "second one", "first", "third"])
    let expected: LineEnd = keys == Self.control("d") ? .endOfInput : .line(line)
    #expect(outcome.end == expected)
    #expect(outcome.isRestored)
  }

  @Test func bytesMayComeOneByOne() throws {
    let keys = "é世\(Self.esc)[D\(Self.esc)[200~p\rq\(Self.esc)[201~\r"
    let outcome = try Self.edit(Array(keys.utf8).map { _ in "" } + [keys])
    #expect(outcome.end == .line("ép\nq世"))
  }

  @Test func loneEscapeDoesNothing() throws {
    #expect(try Self.edit(["ab", Self.esc, "c\r"]).end == .line("abc"))
  }

  @Test(arguments: [7, 10, 11, 40])
  func drawsWhatIsThere(columns: Int) throws {
    let text = "abc 世界世界世界 e\u{301}fg 👍🏽 end"
    let outcome = try Self.edit([text, Self.control("a"), Self.control("e"), "\r"], columns: columns, rows: 20)
    var expected = Screen(columns: columns, rows: 20) { CharacterWidth.columns(of: $0) }
    expected.show("> " + text)
    #expect(outcome.screen == expected.lines)
  }

  @Test func textTallerThanTheWindowScrolls() throws {
    let text = (1...30).map { "line \($0)" }.joined(separator: "\n")
    let outcome = try Self.edit(["\(Self.esc)[200~\(text)\(Self.esc)[201~", "\r"], rows: 6)
    #expect(outcome.end == .line(text))
    #expect(outcome.screen.last == "  line 30")
  }

  @Test func controlCharactersAreShownNotObeyed() throws {
    let outcome = try Self.edit(["\(Self.esc)[200~a\(Self.esc)[2Jb\u{9B}c\u{202E}d\(Self.esc)[201~", "\r"])
    #expect(outcome.screen == ["> a\u{241B}[2Jb\u{FFFD}c\u{FFFD}d"])
  }

  @Test func tabCompletesAndLists() throws {
    let completer: (String) -> CompletionSet = { text in
      let all = ["/search", "/sessions", "/set"].filter { $0.hasPrefix(text) }
      return CompletionSet(replacing: text.count, with: all.map { Completion($0) })
    }
    #expect(try Self.edit(["/se\t", "ssi\t", "x\r"], completer: completer).end == .line("/sessions x"))
    let listed = try Self.edit(["/s\t", "\t", "\r"], completer: completer)
    #expect(listed.screen == ["> /se", "/search    /sessions  /set", "> /se"])
  }

  @Test func dumbTerminalReadsPlainly() throws {
    let outcome = try Self.edit(["plain é\n"], type: "dumb")
    #expect(outcome.end == .line("plain é"))
    #expect(outcome.isRestored)
  }
}
