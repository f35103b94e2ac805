import Glibc

extension PictureManner {
  /// Detects the picture protocol of the terminal behind an output: from the environment, else by a query to the
  /// terminal.
  ///
  /// No pictures are shown without a terminal, or on one without colours. Inside tmux only the protocols of tmux
  /// itself are used.
  package static func detect(
    environment: [String: String], isTerminal: Bool, isColoured: Bool, ask: () -> String = { "" }
  ) -> PictureManner {
    let type = environment["TERM"] ?? ""
    guard isTerminal, !["", "dumb", "emacs", "unknown"].contains(type) else { return .off }
    let isMultiplexed = isInTmux(environment) || type.hasPrefix("screen")
    if !isMultiplexed, let known = known(environment) { return known }
    if type != "linux", let answered = answered(ask()) { return answered }
    return isColoured ? .blocks : .off
  }

  /// Indicates whether tmux stands between the program and the terminal.
  package static func isInTmux(_ environment: [String: String]) -> Bool {
    !(environment["TMUX"] ?? "").isEmpty || (environment["TERM"] ?? "").hasPrefix("tmux")
  }

  private static func known(_ environment: [String: String]) -> PictureManner? {
    let (type, program) = (environment["TERM"] ?? "", environment["TERM_PROGRAM"] ?? "")
    if type == "xterm-kitty" || type == "xterm-ghostty" || program == "ghostty" { return .kitty }
    if !(environment["KITTY_WINDOW_ID"] ?? "").isEmpty { return .kitty }
    if ["iTerm.app", "WezTerm", "mintty"].contains(program) || environment["LC_TERMINAL"] == "iTerm2" {
      return .iterm
    }
    return nil
  }

  /// Parses the terminal's answers to ``question(isInTmux:)``.
  static func answered(_ answer: String) -> PictureManner? {
    if answer.contains("\u{1B}_Gi=31;OK") { return .kitty }
    // Primary device attributes: ESC [ ? 62 ; 4 ; … c, where 4 means sixels.
    guard let start = answer.firstRange(of: "\u{1B}[?") else { return nil }
    let rest = answer[start.upperBound...]
    guard let end = rest.firstIndex(of: "c") else { return nil }
    return rest[..<end].split(separator: ";").dropFirst().contains("4") ? .sixel : nil
  }

  /// Returns the query for Kitty's protocol, then for the device attributes, which every terminal answers.
  static func question(isInTmux: Bool) -> String {
    // tmux takes an application command for a title.
    (isInTmux ? "" : "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\") + "\u{1B}[c"
  }
}

extension TerminalDevice {
  /// Returns the terminal's answer; empty where it does not come soon or keys are waiting to be read.
  package func answerAboutPictures(environment: [String: String]) -> String {
    guard isInteractive, let output else { return "" }
    var waiting = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 0) == 0, (try? setMode(.editing)) != nil else { return "" }
    defer {
      // The terminal is restored at the end of the process too.
      try? setMode(.ordinary)
    }
    ByteFile.write(Array(PictureManner.question(isInTmux: PictureManner.isInTmux(environment)).utf8), to: output)
    var answer: [UInt8] = []
    var isComplete = false
    // A terminal answers at once; one behind a slow line within a moment.
    while !isComplete, answer.count < 4096, poll(&waiting, 1, answer.isEmpty ? 400 : 200) > 0 {
      var chunk = [UInt8](repeating: 0, count: 512)
      let count = Glibc.read(input, &chunk, chunk.count)
      guard count > 0 else { break }
      answer += chunk[..<count]
      let text = String(decoding: answer, as: UTF8.self)
      isComplete = text.firstRange(of: "\u{1B}[?").map { text[$0.upperBound...].contains("c") } ?? false
    }
    return String(decoding: answer, as: UTF8.self)
  }

  /// Returns the window that pictures are shown in.
  package func pictureWindow(environment: [String: String]) -> PictureWindow {
    let size = size
    var window = PictureWindow(columns: size.columns, rows: size.rows)
    var facts = winsize()
    if ioctl(output ?? input, UInt(TIOCGWINSZ), &facts) == 0, facts.ws_xpixel > 0, facts.ws_ypixel > 0,
      facts.ws_col > 0, facts.ws_row > 0
    {
      window.cellWidth = max(1, Int(facts.ws_xpixel / facts.ws_col))
      window.cellHeight = max(1, Int(facts.ws_ypixel / facts.ws_row))
    }
    let colours = environment["COLORTERM"] ?? ""
    window.isTrueColour =
      ["truecolor", "24bit"].contains(colours) || type.contains("direct") || type == "xterm-kitty"
    window.isInTmux = PictureManner.isInTmux(environment)
    return window
  }
}
