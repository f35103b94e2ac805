import CPlatform

/// What a thread will probably read next, asked for a little at a time while it waits.
struct Lookahead {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer? = nil) { rest = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0) }

  /// What a core brings about in a pause: Zen 4 drops what it is asked for while as much is under way.
  private static let pieceByteCount = 1024

  /// Spins once: asks for a piece, if anything is left to ask for, and lets the core rest a moment.
  mutating func spin() {
    if let start = rest.baseAddress, !rest.isEmpty {
      let count = min(Self.pieceByteCount, rest.count)
      cp_ask_for(start, Int64(count))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    cp_spin_hint()
  }
}
