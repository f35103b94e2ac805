import CPlatform

/// Memory that a thread will probably read next, prefetched a little at a time while the thread spins.
struct Prefetcher {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer? = nil) { rest = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Bytes that a core can fetch during a pause: Zen 4 drops prefetches while this many are in flight.
  private static let pieceByteCount = 1024

  /// Spins once: prefetches a piece, if any is left, and pauses the core.
  mutating func spin() {
    if let start = rest.baseAddress, !rest.isEmpty {
      let count = min(Self.pieceByteCount, rest.count)
      cp_prefetch(start, Int64(count))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    cp_spin_hint()
  }
}
