import Foundation
import Terminal
import TestSupport
import Testing

@Suite struct AnswerRendererTests {
  /// Text that a terminal shows of an answer that comes in pieces.
  static func shown(_ pieces: [String], columns: Int = 30, isColoured: Bool = false) throws -> String {
    let terminal = try PseudoTerminal(columns: columns, rows: 50)
    let output = OutputChannel(file: terminal.programSide, ink: Ink(isColoured: isColoured))
    let renderer = AnswerRenderer(output: output)
    for piece in pieces { renderer.write(piece) }
    renderer.finish()
    output.write("END")
    terminal.wait(for: "END")
    return terminal.output.replacingOccurrences(of: "\r", with: "").replacingOccurrences(of: "END", with: "")
  }

  static let answers: [(markdown: String, shown: String)] = [
    ("Plain.", "Plain.\n"), ("Two\nlines\n", "Two\nlines\n"), ("A\n\nB", "A\n\nB\n"),
    ("The quick brown fox jumps over the lazy dog.", "The quick brown fox jumps over\nthe lazy dog.\n"),
    ("# Title\ntext", "Title\ntext\n"), ("#hashtag is text", "#hashtag is text\n"),
    ("- one\n* two\n+ three", "• one\n• two\n• three\n"),
    ("- a list item that is longer than a row is", "• a list item that is longer\n  than a row is\n"),
    ("12. an item that is longer than a row is", "12. an item that is longer\n    than a row is\n"),
    ("3.5 metres and 7 of 9", "3.5 metres and 7 of 9\n"), ("-5 degrees", "-5 degrees\n"),
    ("> quoted", "│ quoted\n"), ("very **bold**, `code`.", "very bold, code.\n"), ("2 * 3 * 4", "2 * 3 * 4\n"),
    ("open ** and *one* and **never closed", "open ** and *one* and **never\nclosed\n"), ("a`b", "a`b\n"),
    ("snake_case_name", "snake_case_name\n"),
    (
      "```swift\nlet x = 1  // a long line stays whole\n\n  y\n```\nend",
      "  let x = 1  // a long line stays whole\n\n    y\nend\n"
    ),
    ("| a | b |\n| - | - |", "| a | b |\n| - | - |\n"),
    ("It is so [1], [2, 3] or [see] [unverified].", "It is so [1], [2, 3] or [see]\n[unverified].\n"),
    ("世界世界世界世界世界世界世界世界世界", "世界世界世界世界世界世界世界世\n界世界\n"),
    ("これは長い文章です。これは長い文章です。", "これは長い文章です。これは長い\n文章です。\n"),
    ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\naaaaaa\n"),
    ("esc \u{1B}[2J and \u{9B}1m", "esc \u{241B}[2J and \u{FFFD}1m\n"), ("    indented", "    indented\n"),
    ("", ""),
    ("#", "#\n"), ("``", "``\n"), ("-", "-\n"), ("[", "[\n"), ("**", "**\n"), ("\n\nlate", "\n\nlate\n"),
    ("family 👩\u{200D}👩\u{200D}👧 e\u{301}", "family 👩\u{200D}👩\u{200D}👧 e\u{301}\n"),
  ]

  @Test(arguments: answers)
  func rendersLightMarkdown(markdown: String, shown: String) throws {
    #expect(try Self.shown([markdown]) == shown)
  }

  @Test(arguments: answers)
  func piecesMakeNoDifference(markdown: String, shown: String) throws {
    let scalars = markdown.unicodeScalars.map { String($0) }
    #expect(try Self.shown(scalars) == shown)
  }

  @Test func stylesMarks() throws {
    let shown = try Self.shown(["**b** `c` [1]"], isColoured: true)
    #expect(shown == "\u{1B}[1mb\u{1B}[0m \u{1B}[36mc\u{1B}[0m \u{1B}[34m[1]\u{1B}[0m\n")
  }

  @Test func pipesGetTheTextItself() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "answer").path
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    defer { close(file) }
    let output = OutputChannel(file: file, ink: Ink(isColoured: false))
    let renderer = AnswerRenderer(output: output)
    for piece in ["# T\n- **b** \u{1B}", "[1m long ", String(repeating: "word ", count: 40)] {
      renderer.write(piece)
    }
    renderer.finish()
    output.flush()
    let expected = "# T\n- **b** \u{241B}[1m long " + String(repeating: "word ", count: 40) + "\n"
    #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
  }
}
