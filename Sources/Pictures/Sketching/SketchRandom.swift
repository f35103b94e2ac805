/// Seeded random number generator (SplitMix64; Steele, Lea and Flood 2014).
struct SketchRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// Draws a uniformly distributed number of a range.
  mutating func within(_ range: ClosedRange<Double>) -> Double {
    range.lowerBound + Double(next() >> 11) / 9_007_199_254_740_992 * (range.upperBound - range.lowerBound)
  }

  /// Draws an integer of a range.
  mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.count))
  }

  /// Draws true with a probability.
  mutating func chance(_ share: Double) -> Bool { within(0...1) < share }

  /// Makes an independent generator for one part, so that a change of one part leaves the others as they are.
  func branch(_ number: Int) -> SketchRandom {
    var copy = SketchRandom(seed: state ^ (UInt64(bitPattern: Int64(number)) &* 0xD6E8_FEB8_6659_FD93))
    _ = copy.next()
    return copy
  }
}
