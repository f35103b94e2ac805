/// A small deterministic generator: the same seed gives the same numbers on every machine.
///
/// PCG-XSH-RR with 64 bits of state (O'Neill 2014).
package struct RandomSource: RandomNumberGenerator, Sendable {
  /// State of the generator, for saving and restoring.
  package var state: UInt64

  private static let increment: UInt64 = 1_442_695_040_888_963_407

  /// Seeds the generator.
  package init(seed: UInt64) {
    state = 0
    _ = nextWord()
    state &+= seed
    _ = nextWord()
  }

  /// Returns 32 uniform bits.
  package mutating func nextWord() -> UInt32 {
    let old = state
    state = old &* 6_364_136_223_846_793_005 &+ RandomSource.increment
    let mixed = UInt32(truncatingIfNeeded: ((old >> 18) ^ old) >> 27)
    let turn = UInt32(truncatingIfNeeded: old >> 59)
    return mixed >> turn | mixed << ((~turn &+ 1) & 31)
  }

  /// Returns 64 uniform bits.
  package mutating func next() -> UInt64 { UInt64(nextWord()) << 32 | UInt64(nextWord()) }

  /// Returns a uniform value in `0..<1`, in steps of 2⁻⁵³.
  package mutating func nextUnit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
