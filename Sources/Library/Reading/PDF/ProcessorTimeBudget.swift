import Glibc

/// Processor time budget of one file, so that reading can stop by itself, with the pages read so far, before the
/// process is killed. It is the thread's time: a file is read by one thread, and others may have work of their own.
struct ProcessorTimeBudget {
  private let start: Double
  private let allowance: Double

  /// - Parameter limit: processor seconds after which the process is killed.
  init(limit: Int) {
    start = Self.now
    allowance = 0.7 * Double(max(limit, 1))
  }

  /// Indicates whether the rest is needed to finish the pages read so far.
  var isNearlySpent: Bool { Self.now - start > allowance }

  /// Indicates whether the rest should be kept for more important work.
  var isHalfSpent: Bool { Self.now - start > allowance / 2 }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
