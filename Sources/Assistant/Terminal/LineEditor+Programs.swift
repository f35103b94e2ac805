import CPlatform

extension LineEditor {
  /// Opens the text in the user's editor (Ctrl-O) and takes over the saved text.
  func editOutside() {
    writeBelow("")
    do {
      let text = try ExternalEditor.edit(buffer.text, environment: environment)
      buffer.set(text)
    } catch {
      terminal.write(dim("the editor could not be used: \(error)") + "\r\n")
    }
    drawn = DrawnScreen()
  }

  /// Suspends the process as Ctrl-Z does elsewhere; the line is redrawn when it continues.
  func suspend() {
    writeBelow("")
    cp_terminal_suspend()
  }

  /// Reads a line where the cursor cannot be moved, or keys do not come from a terminal.
  func readPlainLine(prompt: Prompt) throws(TerminalError) -> LineEnd {
    let showsPrompt = terminal.isInteractive
    var text: String?
    repeat {
      if showsPrompt { terminal.write(text == nil ? prompt.styled : "  ") }
      guard let line = try nextPlainLine() else {
        if showsPrompt { terminal.write("\n") }
        break
      }
      text = text.map { $0 + "\n" + line } ?? line
    } while text.map(MultilineQuotes.isOpen) ?? false
    guard let text else { return .endOfInput }
    if showsPrompt, isKept(text) { history.add(text) }
    return .line(MultilineQuotes.unwrapped(text))
  }

  /// Reads a line without echo, such as a password; nil at the end of the input or on Ctrl-C.
  package func readSecret(prompt: String) throws(TerminalError) -> String? {
    guard terminal.isInteractive else { return try nextPlainLine() }
    try terminal.setMode(.editing)
    defer {
      // The signal handlers restore the terminal too; a failure here changes nothing.
      try? terminal.setMode(.ordinary)
      terminal.write("\r\n")
    }
    terminal.write(prompt)
    var secret = EditBuffer()
    while let key = try nextKey() {
      switch key {
      case .enter, .newline: return secret.text
      case .text(let text), .paste(let text): secret.insert(text)
      case .backspace, .control("h"): if secret.cursor > 0 { secret.remove(secret.cursor - 1..<secret.cursor) }
      case .control("u"): secret.remove(0..<secret.cursor)
      case .control("c"): return nil
      case .control("d"): if secret.isEmpty { return nil }
      default: break
      }
    }
    return nil
  }
}
