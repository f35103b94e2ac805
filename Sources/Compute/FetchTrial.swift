/// Finds out whether products of one size should ask for their weights ahead.
///
/// Some processors foresee a stream of weights by themselves, and being asked holds them up; others fall short without, or
/// where several tokens leave them longer with what they have. So both ways are tried in turn, with the first products of
/// that size; either gives the same bits.
struct FetchTrial {
  /// What a list of products does, which is tried for itself.
  struct Work: Hashable {
    /// Of weights.
    let byteCount: Int
    /// Tokens of each product, up to ``ProductParts/fewTokens``.
    let tokenCount: Int
  }

  private var seconds: (plain: [Double], ahead: [Double]) = ([], [])
  /// The choice, once it is made.
  private(set) var fetchesAhead: Bool?

  /// Products measured each way, at least and at most.
  private static let rounds = 4...12

  /// The way to be measured next.
  var next: Bool { seconds.ahead.count < seconds.plain.count }

  /// Takes the time of a product computed in that way.
  mutating func record(_ time: Double) {
    if next { seconds.ahead.append(time) } else { seconds.plain.append(time) }
    let (ahead, plain) = (seconds.ahead.sorted(), seconds.plain.sorted())
    guard ahead.count == plain.count, ahead.count >= Self.rounds.lowerBound else { return }
    // Medians, for where the machine is shared some products take several times as long; sooner where one way was always
    // the faster.
    let middle = ahead.count / 2
    let isClear = ahead[ahead.count - 1] < plain[0] || plain[plain.count - 1] < ahead[0]
    guard isClear || ahead.count == Self.rounds.upperBound else { return }
    fetchesAhead = ahead[middle] < 0.98 * plain[middle]
    seconds = ([], [])
  }
}
