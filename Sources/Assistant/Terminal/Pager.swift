import CPlatform
import Glibc

/// Shows long texts a screen at a time on a terminal, and writes them elsewhere.
package struct Pager {
  private let environment: [String: String]

  /// Makes the pager that the environment names.
  package init(environment: [String: String]) { self.environment = environment }

  /// Shows a text, which is already safe for a terminal.
  ///
  /// The text is only written without a terminal, with `TERM=dumb`, with `PAGER` empty or `cat`, or when it fits the
  /// window.
  package func show(_ text: String, on output: OutputChannel) {
    let command = environment["PAGER"] ?? "less -R"
    let isWritten =
      !output.isTerminal || isatty(STDIN_FILENO) != 1 || ["", "cat"].contains(command)
      || environment["TERM"] == "dumb" || fits(text, output)
    output.flush()
    if isWritten || !run(command, with: text) { output.write(text) }
    output.flush()
  }

  private func fits(_ text: String, _ output: OutputChannel) -> Bool {
    let size = TerminalDevice(input: output.file, output: output.file, type: "").size
    let rows = text.split(separator: "\n", omittingEmptySubsequences: false)
      .reduce(-1) { $0 + 1 + CharacterWidth.columns(of: $1) / size.columns }
    return rows < size.rows
  }

  /// Runs the pager; false when there is none.
  private func run(_ command: String, with text: String) -> Bool {
    // less shows styles only with -R; a user's own LESS is respected.
    if environment["LESS"] == nil { setenv("LESS", "FRX", 0) }
    let bytes = Array(text.utf8)
    let status = bytes.withUnsafeBytes { cp_terminal_run_shell(command, "", $0.baseAddress, UInt($0.count)) }
    // 127 is the shell's status for a missing program.
    return status >= 0 && (status >> 8) & 0xFF != 127
  }
}
