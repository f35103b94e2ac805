/// Finds out whether weights that one product passes by are better copied out of their file or read where it is mapped.
///
/// What mapping costs depends on the size of the pages that the system happens to keep the file in: large ones are mapped
/// faster than copied, small ones slower. So the first products of a model are computed both ways in turn; either gives
/// the same bits.
struct FileReadTrial {
  // The best rate, in bytes a second: a model's first products wait for threads to wake and memory to be given out.
  private var copied = (byteCount: 0, rate: 0.0)
  private var mapped = (byteCount: 0, rate: 0.0)
  /// The choice, once it is made.
  private var copies: Bool?

  /// Bytes measured each way: a layer or two, a small part of a model's first token.
  private static let byteCount = 64 << 20

  /// The way to take next.
  var next: Bool { copies ?? (copied.byteCount <= mapped.byteCount) }

  /// Takes the time of products computed in that way, and the bytes of their weights.
  mutating func record(_ seconds: Double, byteCount: Int) {
    guard copies == nil else { return }
    let rate = Double(byteCount) / seconds
    if next {
      copied = (copied.byteCount + byteCount, max(copied.rate, rate))
    } else {
      mapped = (mapped.byteCount + byteCount, max(mapped.rate, rate))
    }
    guard min(copied.byteCount, mapped.byteCount) >= Self.byteCount else { return }
    // What is mapped will have to be unmapped.
    copies = copied.rate > 0.95 * mapped.rate
  }
}
