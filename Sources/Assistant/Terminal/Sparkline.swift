/// Chart of small bars in one line of text.
package enum Sparkline {
  private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

  /// Returns the bars of some values, from the lowest to the highest; a missing value is a blank.
  package static func text(_ values: [Double?]) -> String {
    let known = values.compactMap { $0 }.filter(\.isFinite)
    guard let low = known.min(), let high = known.max() else { return String(repeating: " ", count: values.count) }
    // Counts begin at zero, so that twice as much looks twice as high.
    let base = min(low, 0)
    let range = high - base
    return String(
      values.map { value -> Character in
        guard let value, value.isFinite else { return " " }
        let share = range > 0 ? (value - base) / range : 0
        return bars[min(bars.count - 1, max(0, Int(share * Double(bars.count))))]
      })
  }
}
