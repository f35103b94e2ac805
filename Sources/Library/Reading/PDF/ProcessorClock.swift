import Glibc

/// The processor time that reading one file has used, so that reading can stop by itself, with what it has, before
/// the process is ended from outside. It is the thread's: a file is read by one, and others may have work of their own.
struct ProcessorClock {
  private let start: Double
  private let allowance: Double

  /// - Parameter limit: the seconds after which the process is ended.
  init(limit: Int) {
    start = Self.now
    allowance = 0.7 * Double(max(limit, 1))
  }

  /// Whether what is left is needed to finish with what was read.
  var isNearlySpent: Bool { Self.now - start > allowance }

  /// Whether what is left is better kept for what matters more.
  var isHalfSpent: Bool { Self.now - start > allowance / 2 }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
