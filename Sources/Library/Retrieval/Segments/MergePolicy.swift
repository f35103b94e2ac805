/// Tiered merge policy: few segments, and each passage is rewritten only a few times, however many there are.
enum MergePolicy {
  /// Number of segments of about one size that are merged into one.
  static let runLength = 8
  /// Largest segment stored in the database, in passages; larger ones are files.
  static let largestInDatabase = 4_096
  /// Largest segment that a merge makes, in passages: removing a document rewrites its whole segment.
  static let largest = 131_072

  /// Returns the adjacent segments to merge while a document is stored; the result stays in the database.
  static func small(_ sizes: [Int]) -> Range<Int>? { plan(sizes, tiers: [8, 64, 512], limit: largestInDatabase) }

  /// Returns the adjacent segments to merge in the background.
  static func large(_ sizes: [Int]) -> Range<Int>? {
    plan(sizes, tiers: [8, 64, 512, 4_096, 32_768], limit: largest)
  }

  private static func plan(_ sizes: [Int], tiers: [Int], limit: Int) -> Range<Int>? {
    for tier in tiers {
      var start = 0
      while start < sizes.count {
        var (end, sum) = (start, 0)
        while end < sizes.count, sizes[end] <= tier, sum + sizes[end] <= limit {
          sum += sizes[end]
          end += 1
        }
        // A run with fewer passages than one segment of this tier is not worth merging.
        if end - start >= runLength, sum >= tier { return start..<end }
        start = max(end, start + 1)
      }
    }
    return nil
  }
}
