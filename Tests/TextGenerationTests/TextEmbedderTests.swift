import Foundation
import TestSupport
import Testing
import TextGeneration

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct TextEmbedderTests {
  struct Expected: Decodable {
    struct Case: Decodable {
      let text: String
      let tokens: [Int32]
      let vector: [Float]
    }
    let cases: [Case]
  }

  /// The weights' own rounding to 8 bits leaves 0.99956 for the shortest text and 0.99894 for 512 times the same word
  /// (exact arithmetic over the dequantized weights); ours may be a little below that.
  @Test func vectorsAreThoseOfTheReference() async throws {
    let data = try Data(contentsOf: SharedData.file("embeddings/expected.json"))
    let expected = try JSONDecoder().decode(Expected.self, from: data)
    let path = SharedData.file("embeddings/all-minilm-l6-v2-q8_0.gguf").path
    let embedder = try TextEmbedder(path: path, threadCount: 1)
    for (item, found) in zip(expected.cases, try await embedder.embed(expected.cases.map(\.text))) {
      #expect(found.tokens == item.tokens, "\(item.text.prefix(30))")
      let product = zip(found.vector, item.vector).reduce(0) { $0 + Double($1.0) * Double($1.1) }
      #expect(product > (item.tokens.count == 512 ? 0.9988 : 0.9995), "\(item.text.prefix(30)): \(product)")
    }
  }

  @Test func longTextsAreCutAndSayIt() async throws {
    let path = SharedData.file("embeddings/all-minilm-l6-v2-q8_0.gguf").path
    let embedder = try TextEmbedder(path: path, threadCount: 1)
    let found = try await embedder.embed([String(repeating: "word ", count: 1000), "short"])
    #expect(found[0].isTruncated && found[0].tokens.count == 512 && found[0].tokens.last == 102)
    #expect(!found[1].isTruncated)
    #expect(embedder.dimension == 384)
  }
}
