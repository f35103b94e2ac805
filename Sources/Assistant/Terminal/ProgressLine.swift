/// One line on stderr that says how far a long work has come; it is gone when the work is done.
///
/// Where stderr is no terminal, nothing is written.
package final class ProgressLine {
  private let output: OutputChannel
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let started: ContinuousClock.Instant
  private var lastShown: ContinuousClock.Instant?
  private var isVisible = false

  /// A line for a work that begins now.
  package init(output: OutputChannel, environment: [String: String]) {
    self.output = output
    isShown = output.isTerminal && !["", "dumb"].contains(environment["TERM"] ?? "")
    started = clock.now
  }

  /// Shows how much is done; at most ten times a second.
  /// - Parameters:
  ///   - total: how much there is, or 0 where it is not known yet.
  ///   - label: what is being worked on.
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

  /// Takes the line away, so that other text can be written.
  package func clear() {
    guard isVisible else { return }
    output.write("\r\u{1B}[K")
    isVisible = false
    lastShown = nil
  }

  /// What is shown: `12/240  5%  about 3 min left  name`.
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

  /// A span of time in one unit: `40 s`, `3 min`, `2 h`.
  package static func span(_ seconds: Double) -> String {
    if seconds < 90 { return "\(max(1, Int(seconds.rounded()))) s" }
    if seconds < 5400 { return "\(Int((seconds / 60).rounded())) min" }
    return "\(Int((seconds / 3600).rounded())) h"
  }
}
