/// What batches of tokens cost on this machine at this time, measured while answers are generated. One token alone costs 1.
///
/// A few tokens cost about as much as one, whose time goes into reading the weights; more cost what multiplying them takes.
/// Where the one passes into the other depends on the processor, the model, and on how fast memory is at the moment.
package struct BatchCost {
  /// Of each token of a batch that multiplying bounds, beside ``fixed``.
  private var token = Self.usualToken
  /// Of a draft model's guess.
  private var guess = Self.usualGuess
  /// The seconds that the last tokens alone took.
  private var alone: [Double] = []

  /// Between what processors with fast and with slow multiplication take.
  private static let usualToken = 0.2
  private static let usualGuess = 0.1
  /// What a batch that multiplying bounds takes whatever its size: unpacking weights, and waiting at the ends of products.
  private static let fixed = 0.3
  /// What a batch of two takes: beside the weights, twice the keys and values, norms and scores.
  private static let least = 1.1
  /// How much a measurement counts beside those before it.
  private static let weight = 0.3
  /// How much of what was measured is forgotten with each token alone, so that what does not pay is tried again in time.
  private static let forgetting = 0.01
  /// A measurement beyond these is one of something else, such as a processor taken away.
  private static let limits = 0.02...1.0

  package init() {}

  /// What a batch costs; one of guesses by a draft model includes those.
  package func callAsFunction(_ count: Int, isOfModel: Bool = false) -> Double {
    max(Self.least, Self.fixed + token * Double(count)) + (isOfModel ? guess * Double(count - 1) : 0)
  }

  /// Notes what a batch took.
  package mutating func note(_ time: Duration, count: Int) {
    let seconds = time / .seconds(1)
    if count == 1 {
      alone = alone.suffix(4) + [seconds]
      token += Self.forgetting * (Self.usualToken - token)
      guess += Self.forgetting * (Self.usualGuess - guess)
    } else if let single {
      // What reading bounds says only how much a token costs at most.
      let measured = (seconds / single - Self.fixed) / Double(count)
      if seconds > Self.least * single || measured < token { token = Self.mixed(token, measured) }
    }
  }

  /// Notes what a draft model's guesses took.
  package mutating func noteGuesses(_ time: Duration, count: Int) {
    if let single, count > 0 { guess = Self.mixed(guess, time / .seconds(1) / single / Double(count)) }
  }

  /// The median, for where the machine is shared some take several times as long.
  private var single: Double? { alone.isEmpty ? nil : alone.sorted()[alone.count / 2] }

  private static func mixed(_ old: Double, _ measured: Double) -> Double {
    old + weight * (min(max(measured, limits.lowerBound), limits.upperBound) - old)
  }
}
