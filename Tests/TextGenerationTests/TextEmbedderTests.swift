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
  /// (exact arithmetic over the dequantized weights); ours may be a little below that, for longer texts on purpose.
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

  @Test func longTextsHaveOverlappingWindows() async throws {
    let path = SharedData.file("embeddings/all-minilm-l6-v2-q8_0.gguf").path
    let embedder = try TextEmbedder(path: path, threadCount: 1)
    let words = (0..<900).map { "word\($0 % 70)," }
    let long = words.joined(separator: "  ")
    let texts = ["short", "", " \n", long, "雪国" + String(repeating: "長いトンネルを抜けると", count: 160)]
    let windows = try await embedder.embedWindows(of: texts)
    #expect(windows.map { $0.isEmpty } == [false, true, true, false, false])
    let short = try await embedder.embed(["short"])[0]
    #expect(windows[0] == [TextEmbedder.Window(range: 0..<5, vector: short.vector)])
    for (text, found) in zip(texts, windows).dropFirst(3) {
      #expect(found.count > 2 && found[0].range.lowerBound == 0)
      #expect(found.last?.range.upperBound == text.utf8.count)
      for (first, second) in zip(found, found.dropFirst()) {
        #expect(first.range.lowerBound < second.range.lowerBound)
        #expect(first.range.upperBound > second.range.lowerBound, "windows overlap")
      }
      let parts = found.map { String(decoding: Array(text.utf8)[$0.range], as: UTF8.self) }
      #expect(parts.allSatisfy { !$0.unicodeScalars.contains("\u{fffd}") })
      let read = try await embedder.embed(parts)
      #expect(!read.contains { $0.isTruncated } && read.map(\.vector) == found.map(\.vector))
    }
    let small = try await embedder.embedWindows(of: [long], tokenLimit: 64)[0]
    #expect(small.count > 40)
  }

  @Test func anIdentityIsThatOfTheModelAndItsPrefixes() throws {
    let file = SharedData.file("embeddings/all-minilm-l6-v2-q8_0.gguf")
    let copy = FileManager.default.temporaryDirectory.appending(path: "copy-\(UUID()).gguf")
    try FileManager.default.copyItem(at: file, to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    let identity = try TextEmbedder(path: file.path, threadCount: 1).identity
    #expect(try TextEmbedder(path: copy.path, threadCount: 1).identity == identity)
    let prefixes = EmbeddingPrefixes(query: "query: ")
    #expect(try TextEmbedder(path: file.path, prefixes: prefixes, threadCount: 1).identity != identity)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy.path)
    let handle = try FileHandle(forUpdating: copy)
    try handle.seek(toOffset: try handle.seekToEnd() - 40)
    try handle.write(contentsOf: Data([1, 2, 3]))
    try handle.close()
    #expect(try TextEmbedder(path: copy.path, threadCount: 1).identity != identity)
  }

  @Test func neighboursAndThreadsChangeNoBit() async throws {
    let path = SharedData.file("embeddings/all-minilm-l6-v2-q8_0.gguf").path
    let texts = (0..<40).map { index in
      (0..<(index * index * 7 + index) % 300).map { "word\(($0 * index) % 91)" }.joined(separator: " ")
    }
    let together = try await TextEmbedder(path: path, threadCount: 1).embed(texts)
    let other = try TextEmbedder(path: path, threadCount: 3)
    #expect(try await other.embed(texts) == together)
    for index in stride(from: 0, to: texts.count, by: 7) {
      #expect(try await other.embed([texts[index]]) == [together[index]], "text \(index)")
    }
  }
}
