import CPlatform
import Synchronization

/// A 32-bit counter with an address of its own, on which threads sleep and are woken.
final class FutexWord: Sendable {
  private nonisolated(unsafe) let word: UnsafeMutablePointer<Atomic<UInt32>>

  init() {
    word = .allocate(capacity: 1)
    word.initialize(to: Atomic(0))
  }

  deinit {
    word.deinitialize(count: 1)
    word.deallocate()
  }

  var value: UInt32 { word.pointee.load(ordering: .sequentiallyConsistent) }
  func advance() { word.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent) }
  /// Sleeps until woken while the counter has a value, for at most `nanoseconds`; negative: without limit.
  func sleep(while value: UInt32, nanoseconds: Int64 = -1) { cp_futex_wait(word, value, nanoseconds) }
  func wake(_ count: Int32) { cp_futex_wake(word, count) }
}
