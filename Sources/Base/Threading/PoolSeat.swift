import CPlatform
import Synchronization

/// One worker's place in a pool.
final class PoolSeat: @unchecked Sendable {
  let index: Int
  /// Outside of any job, inside one, or holding a part (its number after these two).
  private let standing = Atomic<Int>(PoolSeat.outside)
  private static let outside = 0, inside = 1, firstPart = 2
  /// When it took the part that it holds, in ticks.
  private let heldSince = Atomic<UInt64>(0)
  /// When the worker may take part again; 0: now.
  let restsUntil = Atomic<UInt64>(0)

  // Of the asking thread.
  private var lastEnd: UInt64 = 0
  private var lastLength: UInt64 = 0

  init(_ index: Int) { self.index = index }

  var isInside: Bool { standing.load(ordering: .acquiring) != PoolSeat.outside }
  func comeInside() { standing.store(PoolSeat.inside, ordering: .releasing) }
  func goOutside() { standing.store(PoolSeat.outside, ordering: .releasing) }
  func hold(_ part: Int) {
    heldSince.store(cp_ticks(), ordering: .relaxed)
    standing.store(PoolSeat.firstPart + part, ordering: .releasing)
  }

  /// Returns false where the part was taken over; the worker is outside then.
  func letGo(of part: Int) -> Bool {
    standing.compareExchange(
      expected: PoolSeat.firstPart + part, desired: PoolSeat.inside, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Takes the part that the worker has held for more than some ticks, if any, and puts the worker outside.
  func takeOver(heldFor ticks: Int64) -> Int? {
    let held = standing.load(ordering: .acquiring)
    guard held >= PoolSeat.firstPart, Int64(bitPattern: cp_ticks() &- heldSince.load(ordering: .relaxed)) > ticks,
      standing.compareExchange(expected: held, desired: PoolSeat.outside, ordering: .acquiringAndReleasing)
        .exchanged
    else { return nil }
    return held - PoolSeat.firstPart
  }

  /// Longer than this a freed core is not left unused.
  static let longestRest: UInt64 = 800_000_000

  /// Keeps the worker away for some times as long as it was waited for, and four times as long as the last time where it has
  /// not been back for longer than it was away.
  func rest(after stall: UInt64, now: UInt64) {
    let isRelapse = lastLength > 0 && now < lastEnd + lastLength
    lastLength = min(Self.longestRest, max(8 * stall, isRelapse ? 4 * lastLength : 0))
    lastEnd = now + lastLength
    restsUntil.store(lastEnd, ordering: .releasing)
  }
}
