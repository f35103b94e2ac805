import Terminal
import Testing

/// Pictures between the lines: which manner, and that what is sent is well-formed.
struct PictureTests {
  private static func picture(_ width: Int, _ height: Int) -> TerminalPicture {
    TerminalPicture(
      width: width, height: height,
      pixels: (0..<width * height * 3).map { UInt8(truncatingIfNeeded: $0 &* 7) }, file: Array("PNG file".utf8))
  }

  @Test(arguments: [
    (["TERM": "xterm-kitty"], "", PictureManner.kitty), (["TERM": "xterm-ghostty"], "", .kitty),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], "", .iterm),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], "", .iterm),
    (["TERM": "xterm-256color"], "\u{1B}[?62;4;22c", .sixel),
    (["TERM": "xterm-256color"], "\u{1B}[?62;22c", .blocks),
    (["TERM": "xterm-256color"], "\u{1B}_Gi=31;OK\u{1B}\\\u{1B}[?62c", .kitty),
    (["TERM": "xterm-256color"], "", .blocks), (["TERM": "dumb"], "\u{1B}[?62;4c", .off), ([:], "", .off),
    (
      ["TERM": "tmux-256color", "TMUX": "/tmp/x", "TERM_PROGRAM": "tmux", "KITTY_WINDOW_ID": "1"], "\u{1B}[?1;2c",
      .blocks
    ),
    (["TERM": "tmux-256color", "TMUX": "/tmp/x"], "\u{1B}[?1;2;4c", .sixel),
    (["TERM": "linux"], "\u{1B}[?62;4c", .blocks),
    (["TERM": "xterm"], "\u{1B}[?4c", .blocks), (["TERM": "xterm"], "\u{1B}[?;;;;", .blocks),
  ])
  func mannerFitsTheTerminal(environment: [String: String], answer: String, manner: PictureManner) {
    let found = PictureManner.detect(environment: environment, isTerminal: true, isColoured: true) { answer }
    #expect(found == manner)
    #expect(PictureManner.detect(environment: environment, isTerminal: false, isColoured: true) { answer } == .off)
  }

  @Test func withoutColourThereAreNoBlocks() {
    #expect(PictureManner.detect(environment: ["TERM": "xterm"], isTerminal: true, isColoured: false) == .off)
  }

  @Test(arguments: [(512, 512), (1024, 128), (128, 1024), (1, 1)], [(80, 24), (20, 6), (1, 1), (300, 100)])
  func blocksFitTheWindow(size: (Int, Int), window: (Int, Int)) {
    let text = Self.picture(size.0, size.1).text(.blocks, in: PictureWindow(columns: window.0, rows: window.1))
    let lines = text.split(separator: "\n")
    #expect(lines.count <= max(1, window.1 - 4))
    for line in lines {
      #expect(line.hasSuffix("\u{1B}[0m"))
      #expect(line.count { $0 == "▀" } <= max(1, window.0 - 1))
    }
  }

  @Test func fewColoursAreUsedWhereMoreAreUnknown() {
    var window = PictureWindow(columns: 40, rows: 20)
    window.isTrueColour = false
    let text = Self.picture(64, 64).text(.blocks, in: window)
    #expect(text.contains("38;5;") && !text.contains("38;2;"))
  }

  @Test func kittyIsSentInChunks() {
    let picture = TerminalPicture(
      width: 1, height: 1, pixels: [0, 0, 0], file: [UInt8](repeating: 7, count: 9000))
    var window = PictureWindow(columns: 80, rows: 24)
    let text = picture.text(.kitty, in: window)
    #expect(text.hasPrefix("\u{1B}_Ga=T,f=100,q=2,") && text.hasSuffix("\u{1B}\\\n"))
    #expect(text.count { $0 == "\u{1B}" } == 6)
    window.isInTmux = true
    #expect(picture.text(.kitty, in: window).hasPrefix("\u{1B}Ptmux;\u{1B}\u{1B}_G"))
  }

  @Test func iTermGetsTheFile() {
    let text = Self.picture(4, 4).text(.iterm, in: PictureWindow(columns: 80, rows: 24))
    #expect(text.hasPrefix("\u{1B}]1337;File=inline=1;size=8;") && text.hasSuffix(":UE5HIGZpbGU=\u{07}\n"))
  }

  @Test func sixelsAreWellFormed() {
    let text = Self.picture(64, 40).text(.sixel, in: PictureWindow(columns: 80, rows: 24))
    #expect(text.hasPrefix("\u{1B}P0;1q\"1;1;128;80#0;2;") && text.hasSuffix("-\u{1B}\\\n"))
    #expect(text.dropFirst().dropLast(3).allSatisfy { $0.isASCII && $0 != "\u{1B}" })
  }

  @Test func offShowsNothing() {
    #expect(Self.picture(4, 4).text(.off, in: PictureWindow(columns: 80, rows: 24)).isEmpty)
  }
}
