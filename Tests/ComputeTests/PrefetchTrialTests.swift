import Compute
import Testing

@Suite struct PrefetchTrialTests {
  private static let ways = PrefetchTrial.distances.map(\.far)
  private static let none = ways[0]

  /// The choice between ways that take so long, and after how many products it is made.
  /// - Parameter isDisturbed: of a product by its number, whether it takes five times as long.
  private func choice(
    _ seconds: (_ way: Int32) -> Double, isDisturbed: (Int) -> Bool = { _ in false }
  ) -> (way: Int32, productCount: Int)? {
    var trial = PrefetchTrial()
    for product in 0..<100 {
      if let choice = trial.choice { return (choice.far, product) }
      trial.record(seconds(trial.next.far) * (isDisturbed(product) ? 5 : 1))
    }
    return nil
  }

  @Test(arguments: ways)
  func theFastestWayIsChosen(fastest: Int32) {
    let found = choice { $0 == fastest ? 0.8 : 1 }
    #expect(found?.way == fastest)
    // Four of each show that the others are always slower.
    #expect(found?.productCount == PrefetchTrial.rounds.lowerBound * Self.ways.count)
  }

  /// On a shared machine no way is always the slower, so that it takes longer to find out.
  @Test(arguments: ways)
  func disturbedProductsDoNotDecide(fastest: Int32) {
    let found = choice({ $0 == fastest ? 0.8 : 1 }, isDisturbed: { $0 % 7 < 2 })
    #expect(found?.way == fastest)
    #expect(found?.productCount == PrefetchTrial.rounds.upperBound * Self.ways.count)
  }

  @Test func nothingIsAskedForWhereThatGainsLittle() {
    #expect(choice({ $0 == Self.none ? 1.02 : 1 }, isDisturbed: { $0 % 7 < 2 })?.way == Self.none)
    #expect(choice({ $0 == Self.none ? 1.04 : 1 }, isDisturbed: { $0 % 7 < 2 })?.way != Self.none)
  }

  /// A way that is always slower than another is not tried on; those left are.
  @Test func aHopelessWayDropsOut() {
    let last = Self.ways.count - 1
    let found = choice(
      { $0 == Self.ways[last] ? 20 : $0 == Self.none ? 1 : 0.9 }, isDisturbed: { $0 % 7 < 2 })
    #expect(found?.way == Self.ways[1])
    #expect(found.map { $0.productCount < PrefetchTrial.rounds.upperBound * Self.ways.count } == true)
  }
}
