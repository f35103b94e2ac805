import Terminal
import Testing

@Suite struct ListingTests {
  static let plain = Ink(isColoured: false)

  @Test func tablesAlignWideText() {
    var table = Table(columns: [.init("name"), .init("n", isRightAligned: true), .init("about")])
    table.add(["世界", "7", "x\u{1B}[31m"])
    table.add(["abcdef", "120", "two\nlines"])
    #expect(
      table.text(width: nil, ink: Self.plain)
        == "name      n  about\n世界      7  x\u{241B}[31m\nabcdef  120  two\u{2424}lines\n")
  }

  @Test func tablesGiveWayToTheWindow() {
    var table = Table(columns: [.init("name", isFlexible: true), .init("n", isRightAligned: true)])
    table.add([String(repeating: "long ", count: 20), "123456"])
    for line in table.text(width: 40, ink: Self.plain).split(separator: "\n") {
      #expect(CharacterWidth.columns(of: line) <= 40)
      #expect(line.hasSuffix("123456") || line.hasSuffix(" n"))
    }
  }

  @Test(
    arguments: [
      ([0, 1, 2, 3, 4, 5, 6, 7].map(Optional.some), "▁▂▃▄▅▆▇█"), ([5, nil, 10], "▅ █"), ([0, 0], "▁▁"),
      ([nil, nil], "  "),
      ([], ""), ([.nan, 1], " █"), ([-1, 1], "▁█"),
    ] as [([Double?], String)])
  func sparklines(values: [Double?], text: String) { #expect(Sparkline.text(values) == text) }

  @Test func progressSaysHowLong() {
    #expect(ProgressLine.line(done: 0, total: 0, elapsed: .seconds(1), label: "looking") == "looking")
    #expect(ProgressLine.line(done: 1, total: 4, elapsed: .seconds(1), label: "a") == "1/4  25%  a")
    #expect(
      ProgressLine.line(done: 10, total: 100, elapsed: .seconds(60), label: "a")
        == "10/100  10%  about 9 min left  a")
    #expect(ProgressLine.line(done: 4, total: 4, elapsed: .seconds(9), label: "a") == "4/4  100%  a")
  }

  @Test(
    arguments: [
      ("auto", true, [:], false), ("auto", true, ["TERM": "xterm"], true),
      ("auto", false, ["TERM": "xterm"], false),
      ("auto", true, ["TERM": "dumb"], false), ("auto", true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      ("auto", true, ["TERM": "xterm", "NO_COLOR": ""], true), ("auto", false, ["CLICOLOR_FORCE": "1"], true),
      ("auto", false, ["CLICOLOR_FORCE": "0"], false),
      ("auto", false, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], false),
      ("auto", true, ["TERM": "xterm", "CLICOLOR": "0"], false), ("always", false, ["NO_COLOR": "1"], true),
      ("never", true, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false),
    ] as [(String, Bool, [String: String], Bool)])
  func coloursAreDecided(choice: String, isTerminal: Bool, environment: [String: String], isColoured: Bool) {
    let decided = ColorChoice(rawValue: choice)?.isColoured(isTerminal: isTerminal, environment: environment)
    #expect(decided == isColoured)
  }

  @Test func wrapsByWords() {
    #expect(WordWrap.lines("one two three", columns: 7) == ["one two", "three"])
    #expect(WordWrap.lines("", columns: 7) == [""])
    #expect(WordWrap.lines("abcdefghij", columns: 4) == ["abcd", "efgh", "ij"])
    #expect(WordWrap.lines("a世界。b", columns: 4) == ["a世", "界。", "b"].map { $0 })
  }
}
