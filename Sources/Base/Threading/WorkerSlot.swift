import CPlatform
import Synchronization

/// State of one worker of a pool, shared with the calling thread.
final class WorkerSlot: @unchecked Sendable {
  let index: Int
  /// Outside of any job, inside one, or holding a part (its index plus `firstPart`).
  private let status = Atomic<Int>(WorkerSlot.outside)
  private static let outside = 0, inside = 1, firstPart = 2
  /// Time at which the worker took the part it holds, in ticks.
  private let heldSince = Atomic<UInt64>(0)
  /// Monotonic time in nanoseconds from which the worker may join jobs again; 0: now.
  let backsOffUntil = Atomic<UInt64>(0)

  // Used by the calling thread alone.
  private var lastEnd: UInt64 = 0
  private var lastLength: UInt64 = 0

  init(_ index: Int) { self.index = index }

  var isInside: Bool { status.load(ordering: .acquiring) != WorkerSlot.outside }
  func enterJob() { status.store(WorkerSlot.inside, ordering: .releasing) }
  func leaveJob() { status.store(WorkerSlot.outside, ordering: .releasing) }
  func hold(_ part: Int) {
    heldSince.store(cp_ticks(), ordering: .relaxed)
    status.store(WorkerSlot.firstPart + part, ordering: .releasing)
  }

  /// Gives a computed part back.
  /// - Returns: false where the part was taken over; the worker is outside then.
  func release(_ part: Int) -> Bool {
    status.compareExchange(
      expected: WorkerSlot.firstPart + part, desired: WorkerSlot.inside, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Takes the part that the worker has held for more than `ticks`, if any, and marks the worker as outside.
  func takeOver(heldFor ticks: Int64) -> Int? {
    let held = status.load(ordering: .acquiring)
    guard held >= WorkerSlot.firstPart,
      Int64(bitPattern: cp_ticks() &- heldSince.load(ordering: .relaxed)) > ticks,
      status.compareExchange(expected: held, desired: WorkerSlot.outside, ordering: .acquiringAndReleasing)
        .exchanged
    else { return nil }
    return held - WorkerSlot.firstPart
  }

  /// Longest backoff, in nanoseconds: a core that is free again is not left unused for longer.
  static let longestBackoff: UInt64 = 800_000_000

  /// Keeps the worker out of jobs for eight times the stall, and for four times the last backoff where the worker has
  /// been back for less time than that took.
  func backOff(after stall: UInt64, now: UInt64) {
    let isRelapse = lastLength > 0 && now < lastEnd + lastLength
    lastLength = min(Self.longestBackoff, max(8 * stall, isRelapse ? 4 * lastLength : 0))
    lastEnd = now + lastLength
    backsOffUntil.store(lastEnd, ordering: .releasing)
  }
}
