import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

@Suite struct VectorTests {
  let folder: TemporaryFolder
  let embedder = MadeVectors("first")
  init() throws { folder = try TemporaryFolder() }

  private var file: URL { folder.url.appending(path: "library.db") }
  private var vectorFolder: URL { folder.url.appending(path: "library.index/vectors") }

  private func segments() -> [URL] {
    (try? FileManager.default.contentsOfDirectory(at: vectorFolder, includingPropertiesForKeys: nil)) ?? []
  }

  private static func text(_ number: Int) -> String {
    "text \(number) " + (number % 3 == 0 ? String(repeating: "and more of it ", count: 5) : "end")
  }

  private func fill(_ library: Library, _ numbers: Range<Int>) async throws {
    for number in numbers {
      try await Sample(Self.text(2 * number) + "\n\n" + Self.text(2 * number + 1))
        .store(in: library, path: "/\(number).txt")
    }
  }

  private func expectReference(
    _ library: Library, _ texts: [String], query text: String = "a question", embedder: MadeVectors? = nil,
    scope: SearchScope = .everything, limit: Int = 12, _ comment: Comment? = nil
  ) async throws {
    let embedder = embedder ?? self.embedder
    let query = embedder.query(text)
    let found = try await library.near(query, limit: limit, scope: scope)
    let expected = embedder.best(query.values, of: texts, limit: limit)
    #expect(found.count == expected.count, comment)
    for (hit, reference) in zip(found, expected) {
      // Halves keep eleven bits: near ties may change places, but not scores.
      #expect(abs(hit.score - reference.score) < 0.001, comment)
      if hit.text == reference.text { #expect(hit.window == reference.window, comment) }
      #expect(texts.contains(hit.text), comment)
    }
    #expect(Set(found.map(\.text)).count == found.count, comment)
  }

  @Test(arguments: [1...1, 8...64, 1_000...2_000])
  func nearestAreThoseOfTheReference(sizes: ClosedRange<Int>) async throws {
    let library = try await Library(at: file, segmentSizes: sizes)
    try await fill(library, 0..<60)
    #expect(try await library.near(embedder.query("x"), limit: 5).isEmpty)
    #expect(try await embedder.embed(library) == false)
    try await library.tidyVectors()
    #expect(segments().isEmpty == (sizes.lowerBound == 1_000))
    let texts = (0..<120).map(Self.text)
    try await expectReference(library, texts)
    try await expectReference(library, texts, limit: 120)
    try await expectReference(library, texts, limit: 500)
    #expect(try await library.near(embedder.query("x"), limit: 0).isEmpty)
    #expect(
      try await library.near(QueryVector(embedder: "first", values: Array(repeating: 0, count: 96)), limit: 3)
        .isEmpty)
    #expect(try await library.near(QueryVector(embedder: "first", values: [1]), limit: 3).isEmpty)
    #expect(try await library.near(MadeVectors("second").query("x"), limit: 3).isEmpty)
    let some = try await library.documents().filter { [3, 4, 17].contains(Int($0.name.dropLast(4)) ?? -1) }
    let chosen = [3, 4, 17].flatMap { [Self.text(2 * $0), Self.text(2 * $0 + 1)] }
    try await expectReference(library, chosen, scope: SearchScope(documents: Set(some.map(\.id))))
    // A new process sees the same.
    let again = try await Library(at: file, segmentSizes: sizes)
    try await expectReference(again, texts)
  }

  @Test func aWordIsFoundAtOnceAndItsVectorLater() async throws {
    let library = try await Library(at: file)
    try await library.choose(embedder.description)
    try await fill(library, 0..<10)
    #expect(try await library.embedders().first?.embeddedPassageCount == 0)
    #expect(try await embedder.embed(library, batches: 1))
    #expect(try await library.embedders().first?.embeddedPassageCount == 7)
    #expect(try await library.hits("19").isEmpty == false)
    // Interrupted in the middle of a document, it goes on there in another process.
    let again = try await Library(at: file)
    try await embedder.embed(again)
    #expect(try await again.embedders().first?.isComplete == true)
    try await expectReference(library, (0..<20).map(Self.text))
  }

  @Test func whatTwoProcessesEmbedCountsOnce() async throws {
    let (one, other) = (try await Library(at: file), try await Library(at: file))
    try await fill(one, 0..<20)
    try await one.choose(embedder.description)
    try await other.choose(embedder.description)
    let passages = try await one.passagesToEmbed(for: "first", limit: 10)
    let made = passages.map {
      PassageVectors($0, windows: [PassageWindow(range: 0..<1, vector: embedder.vector(of: $0.text))])
    }
    try await one.store(made, for: "first")
    try await other.store(made, for: "first")
    try await one.remove(paths: ["/12.txt"])
    try await other.store(made, for: "first")
    try await embedder.embed(other)
    for library in [one, other] {
      #expect(try await library.vectorHits(query: embedder.query("x"), limit: 100).count == 38)
    }
  }

  @Test func aDamagedOrMissingSegmentIsMadeAnew() async throws {
    let texts = (0..<200).map(Self.text)
    do {
      let library = try await Library(at: file, segmentSizes: 8...64)
      try await fill(library, 0..<100)
      try await embedder.embed(library)
      try await library.tidyVectors()
    }
    var random = SeededGenerator(seed: 11)
    for round in 0..<24 {
      let victims = segments().sorted { $0.path < $1.path }
      // How many there are depends on what was merged meanwhile.
      #expect(victims.count > 1)
      for victim in victims.shuffled(using: &random).prefix(1 + round % 3) {
        var bytes = try Data(contentsOf: victim)
        switch round % 4 {
        case 0: try FileManager.default.removeItem(at: victim)
        case 1: try bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)).write(to: victim)
        default:
          let place = Int.random(in: 0..<bytes.count, using: &random)
          bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
          try bytes.write(to: victim)
        }
      }
      let library = try await Library(at: file, segmentSizes: 8...64)
      try await expectReference(library, texts, query: "question \(round)", "round \(round)")
      // It is mended in the background; other processes may find it mended or not.
      for _ in 0..<100 where try await !library.vectorSegmentsAreSound() {
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(try await library.vectorSegmentsAreSound(), "round \(round)")
      try await expectReference(library, texts, query: "another \(round)")
    }
  }

  @Test func anotherEmbedderTakesOverWhenItIsDone() async throws {
    let second = MadeVectors("second", dimension: 160)
    let texts = (0..<40).map(Self.text)
    var library = try await Library(at: file, segmentSizes: 8...64)
    try await fill(library, 0..<20)
    try await embedder.embed(library)
    #expect(try await second.embed(library, batches: 3))
    var states = try await library.embedders()
    #expect(states.map(\.role) == [.answering, .next] && states.map(\.embeddedPassageCount) == [40, 21])
    try await expectReference(library, texts)
    #expect(try await library.near(second.query("x"), limit: 3).isEmpty)
    // What is added meanwhile gets both.
    try await Sample("late arrival").store(in: library, path: "/late.txt")
    try await embedder.choose(library)
    states = try await library.embedders()
    #expect(states.filter { $0.role != .leaving }.map(\.embedder.identity) == ["first"])
    #expect(try await second.embed(library, batches: 2))
    library = try await Library(at: file, segmentSizes: 8...64)
    #expect(try await second.embed(library) == false)
    try await library.tidyVectors()
    states = try await library.embedders()
    #expect(states.map(\.embedder) == [second.description] && states.first?.role == .answering)
    #expect(try await library.near(embedder.query("x"), limit: 3).isEmpty)
    try await expectReference(library, texts + ["late arrival"], embedder: second)
    try await embedder.choose(library)
    #expect(try await library.embedders().map(\.role) == [.answering, .next])
  }
}

extension MadeVectors {
  /// Makes it the library's chosen one.
  func choose(_ library: Library) async throws { try await library.choose(description) }
}
