/// Line on stderr that shows the progress of a long operation; it is removed at the end.
///
/// Without a terminal on stderr, nothing is written.
package final class ProgressLine {
  private let output: OutputChannel
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let started: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant?
  private var isVisible = false

  /// Makes a line for an operation that begins now.
  package init(output: OutputChannel, environment: [String: String]) {
    self.output = output
    isShown = output.isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    started = clock.now
  }

  /// Shows the progress; at most ten times a second.
  /// - Parameters:
  ///   - total: the amount of work, or 0 where it is not known yet.
  ///   - label: the current item.
  package func update(done: Int, total: Int, label: String) {
    guard isShown else { return }
    let now = clock.now
    if let lastShown, now - lastShown < .milliseconds(100), done < total { return }
    lastShown = now
    let line = Self.line(done: done, total: total, elapsed: now - started, label: TextSanitizer.line(label))
    let width = (output.columns ?? 80) - 1
    output.write("\r" + output.ink(CharacterWidth.truncated(line, to: width), .dim) + "\u{1B}[K")
    isVisible = true
  }

  /// Removes the line, so that other text can be written.
  package func clear() {
    guard isVisible else { return }
    output.write("\r\u{1B}[K")
    isVisible = false
    lastShown = nil
  }

  /// Formats the line: `12/240  5%  about 3 min left  name`.
  package static func line(done: Int, total: Int, elapsed: Duration, label: String) -> String {
    guard total > 0 else { return done > 0 ? "\(done)  \(label)" : label }
    var line = "\(done)/\(total)  \(min(100, done * 100 / total))%"
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    // The first moments say little about the rest.
    if done > 0, done < total, seconds > 1.5 {
      line += "  about \(span(seconds / Double(done) * Double(total - done))) left"
    }
    return line + "  " + label
  }

  /// Formats a duration in one unit: `40 s`, `3 min`, `2 h`.
  package static func span(_ seconds: Double) -> String {
    if seconds < 90 { return "\(max(1, Int(seconds.rounded()))) s" }
    if seconds < 5400 { return "\(Int((seconds / 60).rounded())) min" }
    return "\(Int((seconds / 3600).rounded())) h"
  }
}
