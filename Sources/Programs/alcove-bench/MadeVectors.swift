import Compute
import Foundation
import Retrieval
import Threading

/// An embedder that measures nothing: a text's vector is made of its bytes, as long as a real one.
struct MadeVectors {
  static let description = EmbedderDescription(
    identity: "made", name: "made vectors", path: "/made", dimension: 384)

  static func vector(of text: String) -> [Float] {
    var state = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    var values = [Float](repeating: 0, count: description.dimension)
    var sum: Float = 0
    for place in values.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let value = Float(Int64(bitPattern: state) >> 40)
      values[place] = value
      sum += value * value
    }
    let length = sum.squareRoot()
    return values.map { $0 / length }
  }

  static func query(_ text: String) -> QueryVector { QueryVector(embedder: "made", values: vector(of: text)) }

  /// Gives the passages that wait their vectors; how long it took to store them.
  static func fill(_ library: Library) async throws -> Duration {
    var storing = Duration.zero
    while true {
      let passages = try await library.passagesToEmbed(for: "made", limit: 256)
      if passages.isEmpty { return storing }
      let made = passages.map { passage in
        PassageVectors(
          passage, windows: [PassageWindow(range: 0..<passage.text.utf8.count, vector: vector(of: passage.text))])
      }
      let started = ContinuousClock.now
      try await library.store(made, for: "made")
      storing += ContinuousClock.now - started
    }
  }

  /// The share of the machine's read bandwidth at which a search goes through that many vectors; both the best of
  /// several runs.
  static func share(of milliseconds: Double, vectors: Int) throws -> (gigabytesPerSecond: Double, share: Double) {
    let roofline = try Roofline.measure(pool: WorkerPool(), instructionSet: .best)
    let width = InstructionSet.scanWidth(dimension: description.dimension)
    let bytes = Double(vectors * (width + MemoryLayout<Float>.size))
    let rate = bytes / (milliseconds / 1_000)
    return (rate / 1e9, rate / roofline.readBytesPerSecond)
  }
}
