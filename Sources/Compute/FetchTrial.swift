/// Finds out whether products of one size, of a few tokens, should ask for their weights ahead.
///
/// Some processors foresee a stream of weights by themselves, and being asked holds them up; others fall short without. So
/// both ways are tried in turn, with the products of the first tokens; either gives the same bits.
struct FetchTrial {
  private var seconds: (plain: [Double], ahead: [Double]) = ([], [])
  /// The choice, once it is made.
  private(set) var fetchesAhead: Bool?

  /// Products measured each way.
  private static let rounds = 12

  /// The way to be measured next.
  var next: Bool { seconds.ahead.count < seconds.plain.count }

  /// Takes the time of a product computed in that way.
  mutating func record(_ time: Double) {
    if next { seconds.ahead.append(time) } else { seconds.plain.append(time) }
    guard seconds.ahead.count == Self.rounds else { return }
    // Medians, for where the machine is shared some products take several times as long.
    fetchesAhead = seconds.ahead.sorted()[Self.rounds / 2] < 0.98 * seconds.plain.sorted()[Self.rounds / 2]
    seconds = ([], [])
  }
}
