import CPlatform
import Glibc

/// Reads and writes whole files by descriptor.
enum ByteFile {
  /// Writes all bytes; false when the other side is gone or the disk is full.
  @discardableResult
  static func write(_ bytes: some Collection<UInt8>, to file: Int32) -> Bool {
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Reads all bytes of an open file.
  static func read(from file: Int32) throws(TerminalError) -> [UInt8] {
    var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65536))
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw .inputOutput(errno: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }
}

/// Output channel: stdout for answers, stderr for everything about them.
///
/// A pipe without a reader ends the process silently, as SIGPIPE would.
package final class OutputChannel {
  /// Descriptor of the output.
  package let file: Int32
  /// Indicates whether the output is a terminal.
  package let isTerminal: Bool
  /// Indicates whether styles are written.
  package let ink: Ink
  private let isWrittenAtOnce: Bool
  private var buffer: [UInt8] = []

  /// Makes a channel over a descriptor.
  package init(file: Int32, ink: Ink) {
    self.file = file
    self.ink = ink
    isTerminal = isatty(file) == 1
    isWrittenAtOnce = isTerminal
  }

  deinit { flush() }

  /// Columns of the terminal behind it, or nil where there is none.
  package var columns: Int? {
    guard isTerminal else { return nil }
    return TerminalDevice(input: file, output: file, type: "").size.columns
  }

  /// Writes text: to a terminal at once, elsewhere buffered.
  package func write(_ text: String) {
    buffer += text.utf8
    if isWrittenAtOnce || buffer.count >= 1 << 16 { flush() }
  }

  /// Writes text and a newline.
  package func writeLine(_ text: String = "") { write(text + "\n") }

  /// Writes the buffered text.
  package func flush() {
    if buffer.isEmpty { return }
    let isWritten = ByteFile.write(buffer, to: file)
    buffer.removeAll(keepingCapacity: true)
    if !isWritten && errno == EPIPE { cp_terminal_die_of_pipe() }
  }
}
