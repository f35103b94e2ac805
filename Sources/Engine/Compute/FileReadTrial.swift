/// Measures whether weights that are read once in their stored form are better copied with `pread` or read through the
/// mapping of their file.
///
/// The cost of page faults depends on the size of the pages in which the system caches the file: large pages are mapped
/// faster than copied, small ones slower. The first products of a model are computed both ways in turn; results have
/// the same bits.
struct FileReadTrial {
  // Best rates, in bytes per second: a model's first products wait for threads to wake and memory to be committed.
  private var copied = (byteCount: 0, rate: 0.0)
  private var mapped = (byteCount: 0, rate: 0.0)
  /// Choice, once the trial is over.
  private var copies: Bool?

  /// Bytes measured each way: one or two layers, a small part of the first token.
  private static let byteCount = 64 << 20

  /// Indicates whether the next product copies its weights.
  var next: Bool { copies ?? (copied.byteCount <= mapped.byteCount) }

  /// Records the time of products computed that way, and the bytes of their weights.
  mutating func record(_ seconds: Double, byteCount: Int) {
    guard copies == nil else { return }
    let rate = Double(byteCount) / seconds
    if next {
      copied = (copied.byteCount + byteCount, max(copied.rate, rate))
    } else {
      mapped = (mapped.byteCount + byteCount, max(mapped.rate, rate))
    }
    guard min(copied.byteCount, mapped.byteCount) >= Self.byteCount else { return }
    // Mapped pages will have to be unmapped: copying is preferred where it is about as fast.
    copies = copied.rate > 0.95 * mapped.rate
  }
}
