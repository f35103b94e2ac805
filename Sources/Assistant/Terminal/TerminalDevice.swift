import CPlatform
import Glibc

/// Errors of the terminal, with the system's error number.
package enum TerminalError: Error, Sendable, Equatable {
  /// The terminal's mode could not be changed.
  case modeRefused(errno: Int32)
  /// Reading or writing failed.
  case inputOutput(errno: Int32)
  /// A program (pager, editor) could not be started, or failed.
  case programFailed(command: String, status: Int32)
}

/// Size of a terminal's window, in characters.
package struct TerminalSize: Sendable, Equatable {
  /// Number of columns, at least 1.
  package var columns: Int
  /// Number of rows, at least 1.
  package var rows: Int

  /// Makes a size.
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (max(columns, 1), max(rows, 1)) }
}

/// Terminal of the user: keys come from it and the prompt goes to it.
package struct TerminalDevice: Sendable {
  /// Mode of the terminal's input.
  package enum Mode: Sendable {
    /// Mode in which the shell left it.
    case ordinary
    /// Raw mode: every key is delivered at once, none is echoed and none sends a signal.
    case editing
    /// Mode while an answer streams: no echo, keys wait for the next line, Ctrl-C sends its signal.
    case listening
  }

  /// Descriptor from which keys are read.
  package let input: Int32
  /// Descriptor of the prompt and the line, or nil where no terminal can show them.
  package let output: Int32?
  /// Value of `TERM`.
  package let type: String

  /// Makes a terminal over given descriptors.
  package init(input: Int32, output: Int32?, type: String) {
    (self.input, self.output, self.type) = (input, output, type)
  }

  /// Returns the terminal of this process. The prompt goes to stderr where that is a terminal, since stdout is the
  /// answer.
  package static func standard() -> TerminalDevice {
    let output = isatty(STDERR_FILENO) == 1 ? STDERR_FILENO : isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : nil
    return TerminalDevice(
      input: STDIN_FILENO, output: output, type: getenv("TERM").map { String(cString: $0) } ?? "")
  }

  /// Indicates whether keys come from a terminal and something can be shown there.
  package var isInteractive: Bool { isatty(input) == 1 && output != nil }

  /// Indicates whether the terminal can move its cursor.
  package var canMoveCursor: Bool { isInteractive && !["", "dumb", "emacs", "unknown"].contains(type) }

  /// Size of the window; 80 × 24 where it is unknown.
  package var size: TerminalSize {
    var (columns, rows): (Int32, Int32) = (0, 0)
    guard cp_terminal_size(output ?? input, &columns, &rows) == 0, columns > 0, rows > 0 else {
      return TerminalSize(columns: 80, rows: 24)
    }
    return TerminalSize(columns: Int(columns), rows: Int(rows))
  }

  /// Sets the mode. The terminal is restored when the process ends, however it ends.
  package func setMode(_ mode: Mode) throws(TerminalError) {
    let wanted =
      switch mode {
      case .ordinary: CP_TERMINAL_ORDINARY
      case .editing: CP_TERMINAL_EDITING
      case .listening: CP_TERMINAL_LISTENING
      }
    let failure = cp_terminal_set_mode(input, wanted)
    if failure != 0 { throw .modeRefused(errno: failure) }
  }

  /// Writes text to the prompt's descriptor; dropped where there is none.
  package func write(_ text: String) {
    // A terminal that is gone is noticed when it is read from.
    if let output { ByteFile.write(Array(text.utf8), to: output) }
  }

  /// Installs the signal handlers that restore the terminal; once per process.
  package static func watchSignals() throws(TerminalError) {
    let failure = cp_terminal_watch_signals()
    if failure != 0 { throw .modeRefused(errno: failure) }
  }
}
