import Documents
import Foundation
import Retrieval
import TestSupport

/// An embedder for tests: a text's vector depends on the text and the embedder's name alone.
package struct MadeVectors: Sendable {
  package var description: EmbedderDescription

  package init(_ identity: String, dimension: Int = 96) {
    description = EmbedderDescription(
      identity: identity, name: identity, path: "/\(identity).gguf", dimension: dimension)
  }

  package func vector(of text: String) -> [Float] {
    var state = (description.identity + text).utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
    let values = (0..<description.dimension).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int64(bitPattern: state) >> 40) / Float(1 << 23)
    }
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    return values.map { $0 / length }
  }

  package func query(_ text: String) -> QueryVector {
    QueryVector(embedder: description.identity, values: vector(of: text))
  }

  /// One window for a short text, two for a longer one.
  package static func windows(of text: String) -> [Range<Int>] {
    let count = text.utf8.count
    return count > 60 ? [0..<40, 30..<count] : [0..<count]
  }

  private static func part(_ text: String, _ range: Range<Int>) -> String {
    String(decoding: Array(text.utf8)[range], as: UTF8.self)
  }

  /// Embeds what waits, at most `batches` batches; returns whether anything is left.
  @discardableResult
  package func embed(_ library: Library, batches: Int = .max, of count: Int = 7) async throws -> Bool {
    try await library.choose(description)
    for _ in 0..<batches {
      let passages = try await library.passagesToEmbed(for: description.identity, limit: count)
      if passages.isEmpty { return false }
      try await library.store(passages.map(made), for: description.identity)
    }
    return true
  }

  private func made(_ passage: PassageToEmbed) -> PassageVectors {
    PassageVectors(
      passage,
      windows: Self.windows(of: passage.text).map {
        PassageWindow(range: $0, vector: vector(of: Self.part(passage.text, $0)))
      })
  }

  /// The best of a plain reference: every window of every text measured, the best of each text, in order.
  package func best(_ query: [Float], of texts: [String], limit: Int) -> [(
    text: String, window: Range<Int>, score: Double
  )] {
    let all = texts.map { text in
      let windows = Self.windows(of: text).map { window in
        (window, zip(vector(of: Self.part(text, window)), query).reduce(0.0) { $0 + Double($1.0) * Double($1.1) })
      }
      let best = windows.max { $0.1 < $1.1 } ?? (0..<0, -1)
      return (text: text, window: best.0, score: best.1)
    }
    return Array(all.sorted { $0.score > $1.score }.prefix(limit))
  }
}

extension Library {
  /// The texts nearest to a query, with their windows and scores.
  package func near(
    _ query: QueryVector, limit: Int, scope: SearchScope = .everything
  ) throws -> [(text: String, window: Range<Int>, score: Double)] {
    try vectorHits(query: query, limit: limit, scope: scope).map { hit in
      (try passages([hit.passage]).first?.passage.text ?? "gone", hit.window, hit.score)
    }
  }
}
