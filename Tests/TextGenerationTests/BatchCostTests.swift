import Testing
import TextGeneration

/// Costs of draft tokens are learnt from the time they took.
@Suite struct BatchCostTests {
  /// - Parameter multiples: times of batches of 8, where one token alone took 20 ms.
  private func cost(_ multiples: [Double], alone: [Double] = [20, 20, 20]) -> BatchCost {
    var cost = BatchCost()
    for time in alone { cost.note(.milliseconds(time), count: 1) }
    for multiple in multiples { cost.note(.milliseconds(20 * multiple), count: 8) }
    return cost
  }

  @Test func aBatchCostsWhatSuchBatchesTook() {
    for multiple in [1.2, 2, 4, 6] {
      let found = cost(Array(repeating: multiple, count: 12))
      #expect(abs(found(8) - multiple) < 0.15 * multiple, "\(multiple): \(found(8))")
      #expect(found(16) > found(8) && found(4) < found(8))
    }
  }

  /// Two tokens wait for the same weights as one: that they took no longer says that more may be drafted, not that two
  /// are free.
  @Test func noBatchCostsLessThanItsKeysAndValues() {
    let cheap = cost(Array(repeating: 1, count: 12))
    #expect(cheap(2) > 1 && cheap(2) < 1.2)
    #expect(cheap(8) < cost([])(8))
  }

  @Test func oneSlowTokenChangesNothing() {
    let steady = cost([4, 4, 4]), disturbed = cost([4, 4, 4], alone: [20, 400, 20, 20])
    #expect(steady(8) > cost([])(8) + 0.5)
    #expect(abs(steady(8) - disturbed(8)) < 0.05)
  }

  /// Measured costs are forgotten with time: where draft tokens do not pay none are measured.
  @Test func whatWasMeasuredIsForgottenWithTime() {
    var found = cost(Array(repeating: 9, count: 12))
    let before = found(2)
    for _ in 0..<300 { found.note(.milliseconds(20), count: 1) }
    #expect(before > 2 && found(2) < 1.3)
  }

  @Test func aDraftModelsGuessesCostTheirTime() {
    var found = cost([2, 2, 2])
    for _ in 0..<12 { found.noteDraft(.milliseconds(28), count: 7) }
    // Seven of a fifth of a token's time.
    #expect(abs(found(8, isOfModel: true) - found(8) - 7 * 0.2) < 0.1)
  }
}
