/// Durations of repeated work, in milliseconds.
struct Timings {
  private var milliseconds: [Double] = []

  mutating func add(_ duration: Duration) { milliseconds.append(duration / .milliseconds(1)) }

  var median: Double { percentile(0.5) }

  /// The time that this share of the work stayed within.
  func percentile(_ share: Double) -> Double {
    guard !milliseconds.isEmpty else { return 0 }
    let sorted = milliseconds.sorted()
    return sorted[min(sorted.count - 1, Int(share * Double(sorted.count)))]
  }

  var mean: Double { milliseconds.isEmpty ? 0 : milliseconds.reduce(0, +) / Double(milliseconds.count) }
}

extension [Double] {
  /// The middle one, the higher of two; 0 where there is none.
  var median: Double { isEmpty ? 0 : sorted()[count / 2] }
}
