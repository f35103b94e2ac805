import CPlatform
import Glibc

/// Wakes a thread that waits for a reader, from any other thread.
final class StopSignal: Sendable {
  /// Readable once the signal was given; -1 where the system has no descriptor left.
  let descriptor = cp_event_make()

  func give() {
    var one: UInt64 = 1
    // It can only fail where it has been given already.
    _ = write(descriptor, &one, 8)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
