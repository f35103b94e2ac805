import CPlatform
import Glibc

/// Signal that wakes a thread blocked in `poll`, given from any other thread.
package final class StopSignal: Sendable {
  /// Event descriptor, readable once the signal was given; -1 where the system has no descriptor left.
  package let descriptor = cp_event_make()

  /// Makes a signal that is not given yet.
  package init() {}

  /// Gives the signal; giving it again changes nothing.
  package func give() {
    var one: UInt64 = 1
    // It can only fail where it has been given already.
    _ = write(descriptor, &one, 8)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
