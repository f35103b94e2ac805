/// Which segments are merged: so that there are few of them and each passage is written a few times only, however many there are.
enum MergePolicy {
  /// So many segments of about one size become one.
  static let runLength = 8
  /// Segments of more passages are files; smaller ones are in the database.
  static let largestInDatabase = 4_096
  /// No merge makes a larger segment: taking a document out of one writes all of it anew.
  static let largest = 131_072

  /// Segments next to each other to merge while a document is stored: the result stays in the database.
  static func small(_ sizes: [Int]) -> Range<Int>? { plan(sizes, tiers: [8, 64, 512], limit: largestInDatabase) }

  /// Segments next to each other to merge in the background.
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
        // Fewer passages than one segment of this size may have are not worth one.
        if end - start >= runLength, sum >= tier { return start..<end }
        start = max(end, start + 1)
      }
    }
    return nil
  }
}
