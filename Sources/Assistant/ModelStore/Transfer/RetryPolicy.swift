/// Waits between attempts, and the point at which to give up.
package struct RetryPolicy: Sendable, Equatable {
  /// The first wait, in seconds; each further one is twice as long.
  package var firstWait: Double
  /// The longest wait.
  package var longestWait: Double
  /// Number of attempts in a row that may bring nothing.
  package var attempts: Int
  /// Seconds without a network before it gives up.
  package var patience: Double

  /// Makes a policy.
  package init(firstWait: Double = 1, longestWait: Double = 60, attempts: Int = 8, patience: Double = 600) {
    self.firstWait = firstWait
    self.longestWait = longestWait
    self.attempts = attempts
    self.patience = patience
  }

  /// Seconds to wait after a number of attempts in a row that brought nothing: a random time between half and all of
  /// what doubling gives, so that many clients that failed together do not come back together. It is never less than
  /// the server asks for.
  package func wait(
    afterFailures failures: Int, serverAsks: Double?, random: inout some RandomNumberGenerator
  ) -> Double {
    let doubled = min(longestWait, firstWait * Double(1 << min(max(0, failures - 1), 20)))
    let jittered = doubled * Double.random(in: 0.5...1, using: &random)
    return max(jittered, serverAsks ?? 0)
  }
}
