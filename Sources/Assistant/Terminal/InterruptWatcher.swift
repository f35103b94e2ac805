import CPlatform
import Glibc
import Synchronization

/// Turns Ctrl-C into a request to stop: the first stops the current work, a second one within a second ends the
/// program.
package final class InterruptWatcher: Sendable {
  private let stopWork = Mutex<(@Sendable () -> Void)?>(nil)

  /// Makes a watcher with a thread of its own. The handlers of ``TerminalDevice/watchSignals()`` must be installed.
  package init() {
    let watcher = Unmanaged.passRetained(self).toOpaque()
    var thread = pthread_t()
    pthread_create(
      &thread, nil, { Unmanaged<InterruptWatcher>.fromOpaque($0!).takeRetainedValue().watch() }, watcher)
    pthread_detach(thread)
  }

  /// Sets the action of the first Ctrl-C; with nil, it ends the program with status 130.
  /// - Returns: the previous action.
  @discardableResult
  package func onInterrupt(_ stop: (@Sendable () -> Void)?) -> (@Sendable () -> Void)? {
    stopWork.withLock { current in
      defer { current = stop }
      return current
    }
  }

  private func watch() -> UnsafeMutableRawPointer? {
    cp_set_thread_name("interrupts")
    var last: ContinuousClock.Instant?
    var byte: UInt8 = 0
    while true {
      let count = read(cp_terminal_interrupt_descriptor(), &byte, 1)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return nil }
      let now = ContinuousClock.now
      let isSecond = last.map { now - $0 < .seconds(1) } ?? false
      last = now
      guard let stop = stopWork.withLock({ $0 }), !isSecond else {
        cp_terminal_restore()
        _exit(130)
      }
      stop()
    }
  }
}
