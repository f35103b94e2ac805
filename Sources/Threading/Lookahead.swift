import CPlatform

/// What a thread will probably read next, asked for a little at a time while it waits.
struct Lookahead {
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer? = nil) { rest = bytes ?? UnsafeRawBufferPointer(start: nil, count: 0) }

  /// Few enough that a thread sees at once that there is work.
  private static let pieceByteCount = 512

  /// Spins once: asks for a piece, or, where all is asked for, lets the core rest a moment.
  mutating func spin() {
    guard let start = rest.baseAddress, !rest.isEmpty else { return cp_spin_hint() }
    let count = min(Self.pieceByteCount, rest.count)
    cp_ask_for(start, Int64(count))
    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
  }
}
