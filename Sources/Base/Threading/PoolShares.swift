import Synchronization

/// The parts of a job, dealt to the threads in contiguous shares.
final class PoolShares: Sendable {
  let count: Int
  /// Next part of each share, each in a cache line of its own.
  private nonisolated(unsafe) let next: UnsafeMutablePointer<Atomic<Int>>
  private static let spacing = 128 / MemoryLayout<Atomic<Int>>.stride

  init(_ count: Int) {
    self.count = count
    next = .allocate(capacity: count * Self.spacing)
    for place in 0..<count * Self.spacing { (next + place).initialize(to: Atomic(0)) }
  }

  deinit {
    next.deinitialize(count: count * Self.spacing)
    next.deallocate()
  }

  /// Returns the first part of a share; for the share after the last, the number of parts.
  static func start(of share: Int, sharedBy count: Int, _ parts: Int) -> Int {
    parts / count * share + min(share, parts % count)
  }

  private func start(of share: Int, _ parts: Int) -> Int { Self.start(of: share, sharedBy: count, parts) }

  /// Resets every share to its first part.
  func deal(_ parts: Int) {
    for share in 0..<count { next[share * Self.spacing].store(start(of: share, parts), ordering: .relaxed) }
  }

  /// Computes parts until all are taken, those of share `own` first.
  /// - Returns: number of parts computed, or nil once `work` returns false.
  func takeAll(of parts: Int, from own: Int, _ work: (Int) -> Bool) -> Int? {
    var taken = 0
    for step in 0..<count {
      let share = (own + step) % count
      let end = start(of: share + 1, parts)
      while true {
        let part = next[share * Self.spacing].wrappingAdd(1, ordering: .relaxed).oldValue
        guard part < end else { break }
        guard work(part) else { return nil }
        taken += 1
      }
    }
    return taken
  }
}
