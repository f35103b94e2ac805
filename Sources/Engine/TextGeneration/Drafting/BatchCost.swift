/// Cost of batches of tokens on this machine at this time, measured while answers are generated. One token alone
/// costs 1.
///
/// A few tokens cost about as much as one, whose time goes into reading the weights; more cost what multiplying them
/// takes. Where the one passes into the other depends on the processor, the model, and on how fast memory is at the
/// moment.
package struct BatchCost {
  /// Cost of each token of a compute-bound batch, besides ``fixed``.
  private var token = Self.usualToken
  /// Cost of one token that a draft model drafts.
  private var draft = Self.usualDraft
  /// The seconds that the last tokens alone took.
  private var alone: [Double] = []

  /// Cost between those of processors with fast and with slow multiplication.
  private static let usualToken = 0.2
  private static let usualDraft = 0.1
  /// Cost of a compute-bound batch whatever its size: unpacking weights, and waiting at the ends of products.
  private static let fixed = 0.3
  /// Cost of a batch of two: besides the weights, twice the KV cache, norms and attention scores.
  private static let least = 1.1
  /// Weight of a measurement against those before it.
  private static let weight = 0.3
  /// Share of the measured cost that each token alone takes back towards the usual, so that drafting is tried again in
  /// time.
  private static let forgetting = 0.01
  /// A measurement beyond these is one of something else, such as a processor taken away.
  private static let limits = 0.02...1.0

  package init() {}

  /// Returns the cost of a batch; with draft tokens of a draft model, that of drafting them too.
  package func callAsFunction(_ count: Int, isOfModel: Bool = false) -> Double {
    max(Self.least, Self.fixed + token * Double(count)) + (isOfModel ? draft * Double(count - 1) : 0)
  }

  /// Notes what a batch took.
  package mutating func note(_ time: Duration, count: Int) {
    let seconds = time / .seconds(1)
    if count == 1 {
      alone = alone.suffix(4) + [seconds]
      token += Self.forgetting * (Self.usualToken - token)
      draft += Self.forgetting * (Self.usualDraft - draft)
    } else if let single {
      // What reading bounds says only how much a token costs at most.
      let measured = (seconds / single - Self.fixed) / Double(count)
      if seconds > Self.least * single || measured < token { token = Self.mixed(token, measured) }
    }
  }

  /// Notes the time that a draft model took for its draft tokens.
  package mutating func noteDraft(_ time: Duration, count: Int) {
    if let single, count > 0 { draft = Self.mixed(draft, time / .seconds(1) / single / Double(count)) }
  }

  /// The median, for where the machine is shared some take several times as long.
  private var single: Double? { alone.isEmpty ? nil : alone.sorted()[alone.count / 2] }

  private static func mixed(_ old: Double, _ measured: Double) -> Double {
    old + weight * (min(max(measured, limits.lowerBound), limits.upperBound) - old)
  }
}
