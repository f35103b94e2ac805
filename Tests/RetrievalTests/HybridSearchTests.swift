import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// An embedder that knows a few words and what they mean.
private struct Meanings {
  /// Words of one row mean the same.
  static let rows = [
    ["car", "automobile", "vehicle"], ["rent", "lease", "tenancy"], ["doctor", "physician"], ["fox", "vixen"],
    ["garden", "lawn"],
  ]
  let description = EmbedderDescription(identity: "meanings", name: "meanings", path: "/none", dimension: 6)

  func vector(_ text: String) -> [Float] {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    var vector: [Float] = Self.rows.map { row in Float(words.count { row.contains($0) }) } + [0.1]
    let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
    for place in vector.indices { vector[place] /= length }
    return vector
  }

  func query(_ text: String) -> QueryVector { QueryVector(embedder: "meanings", values: vector(text)) }

  func embed(_ library: Library) async throws {
    try await library.choose(description)
    while true {
      let passages = try await library.passagesToEmbed(for: "meanings", limit: 50)
      if passages.isEmpty { return }
      try await library.store(
        passages.map { passage in
          PassageVectors(
            passage, windows: [PassageWindow(range: 0..<passage.text.utf8.count, vector: vector(passage.text))])
        }, for: "meanings")
    }
  }
}

@Suite struct HybridSearchTests {
  let folder: TemporaryFolder
  private let meanings = Meanings()
  init() throws { folder = try TemporaryFolder() }

  private func library(_ texts: [String], headings: [String] = []) async throws -> Library {
    let library = try await Library(at: folder.url.appending(path: "library.db"))
    for (place, text) in texts.enumerated() {
      try await Sample(text, headings: headings).store(in: library, path: "/d/file\(place).txt")
    }
    try await meanings.embed(library)
    return library
  }

  private func search(
    _ library: Library, _ text: String, limit: Int = 10, _ change: (inout RankingSettings) -> Void = { _ in }
  ) async throws -> SearchResults {
    var ranking = RankingSettings()
    change(&ranking)
    return try await library.search(
      SearchQuery(text), vector: meanings.query(text), limit: limit, ranking: ranking)
  }

  @Test(arguments: FusionMethod.allCases) func aHitOfOneHalfCounts(method: FusionMethod) async throws {
    let library = try await library([
      "An automobile stood there.", "The lawn is green.", "Serial number QX-77 was stolen.", "Nothing at all.",
    ])
    let byMeaning = try await search(library, "car") { $0.fusion.method = method }
    #expect(byMeaning.hits.first?.passage.passage.text == "An automobile stood there.")
    #expect(byMeaning.hits.first?.keyword == nil && byMeaning.hits.first?.vector?.rank == 1)
    let byWord = try await search(library, "QX-77") { $0.fusion.method = method }
    #expect(byWord.hits.first?.passage.passage.text == "Serial number QX-77 was stolen.")
    #expect(byWord.hits.first?.keyword?.rank == 1)
    #expect(byWord.fusion?.method == method)
  }

  @Test func everyHitExplainsItself() async throws {
    let library = try await library([
      "The car and the garden of the doctor.", "The automobile of a physician.", "A garden with a fox.",
      "A car, a car.",
    ])
    let results = try await search(library, "the doctor's car in the garden")
    let fusion = try #require(results.fusion)
    #expect(results.hits.count == 4)
    for hit in results.hits {
      let words = hit.explanation.reduce(hit.nearness) { $0 + $1.contribution }
      if let keyword = hit.keyword { #expect(abs(keyword.score - words) < 1e-4) } else { #expect(words == 0) }
      let meaning = try #require(hit.vector)
      let bytes = Array(hit.passage.passage.text.utf8)
      let window = try #require(hit.window)
      #expect(window == 0..<bytes.count)
      let cosine = zip(
        meanings.vector(hit.passage.passage.text), meanings.vector("the doctor's car in the garden")
      )
      .reduce(0) { $0 + $1.0 * $1.1 }
      #expect(abs(meaning.score - Double(cosine)) < 0.002)
      if let keyword = hit.keyword {
        let sum = (1 - fusion.vectorWeight) * keyword.normalised + fusion.vectorWeight * meaning.normalised
        #expect(abs(hit.score - sum) < 1e-9)
      }
    }
    #expect(results.closeness.cosine == results.hits.compactMap(\.vector?.score).max())
    #expect(results.closeness.coverage == 1 && !results.closeness.isFar)
  }

  @Test func conditionsHoldForMeaningsToo() async throws {
    let library = try await library(["An automobile, red.", "A vehicle, blue.", "The car."])
    let texts = try await search(library, "car -blue").hits.map(\.passage.passage.text)
    #expect(Set(texts) == ["An automobile, red.", "The car."])
    #expect(try await search(library, "car \"red\"").hits.map(\.passage.passage.text) == ["An automobile, red."])
    #expect(try await search(library, "car in:file1").hits.map(\.passage.passage.text) == ["A vehicle, blue."])
    let scope = SearchScope(folder: "/elsewhere")
    let nowhere = try await library.search(
      SearchQuery("car"), vector: meanings.query("car"), limit: 5, scope: scope)
    #expect(nowhere.hits.isEmpty && nowhere.matchedPassageCount == 0)
    #expect(try await search(library, "-red").hits.isEmpty)
  }

  @Test func farQuestionsAreToldFromNearOnes() async throws {
    let library = try await library(["The lease ends in May.", "The lawn is cut weekly.", "A fox came by."])
    #expect(try await !search(library, "When does the tenancy end?").closeness.isFar)
    #expect(try await search(library, "Which physician treated the king?").closeness.isFar)
    #expect(try await library.search(SearchQuery("quantum chromodynamics"), limit: 5).closeness.isFar)
    #expect(try await !library.search(SearchQuery("weekly lawn"), limit: 5).closeness.isFar)
  }

  @Test func neighboursReadAsOne() async throws {
    let paragraphs = (0..<6).map { "paragraph \($0) about the \($0 == 2 || $0 == 3 ? "car" : "weather") it is" }
    let library = try await library([paragraphs.joined(separator: "\n\n"), "a car elsewhere"])
    let results = try await search(library, "car paragraph", limit: 2)
    let joined = try #require(results.hits.first)
    #expect(joined.parts.count >= 2 && joined.parts == joined.parts.sorted())
    #expect(
      joined.passage.passage.text.contains("paragraph 2") && joined.passage.passage.text.contains("paragraph 3"))
    let stored = try await library.text(of: joined.passage.passage.span, in: joined.document.id)
    #expect(
      stored?.split(whereSeparator: \.isWhitespace)
        == joined.passage.passage.text.split(whereSeparator: \.isWhitespace))
    let window = try #require(joined.window)
    let bytes = Array(joined.passage.passage.text.utf8)
    let best = try #require(try await library.passages([joined.passage.id]).first)
    #expect(String(decoding: bytes[window], as: UTF8.self) == best.passage.text)
    let apart = try await search(library, "car paragraph", limit: 2) { $0.joinsNeighbours = false }
    #expect(apart.hits.allSatisfy { $0.parts == [$0.passage.id] })
  }

  @Test func runsAreShortAndOfOneDocument() {
    func passage(_ id: Int64, _ document: Int64, _ index: Int, heading: String = "") -> StoredPassage {
      let position = TextPosition(page: 1, line: 1, byte: 0)
      return StoredPassage(
        id: PassageID(rawValue: id), document: DocumentID(rawValue: document), index: index,
        passage: Passage(text: "t", headings: [heading], span: TextSpan(start: position, end: position)))
    }
    let hits = [
      passage(5, 1, 5), passage(9, 2, 6), passage(4, 1, 4), passage(6, 1, 6), passage(7, 1, 7),
      passage(10, 2, 7, heading: "x"),
    ]
    #expect(
      Joining.runs(of: hits, limit: 9) == [
        .init(members: [0, 2, 3], indices: 4...6), .init(members: [1], indices: 6...6),
        .init(members: [4], indices: 7...7), .init(members: [5], indices: 7...7),
      ])
    #expect(Joining.runs(of: hits, limit: 1) == [.init(members: [0, 2, 3], indices: 4...6)])
  }

  @Test func documentsTakeTurns() async throws {
    let library = try await library([
      "the car is red\n\nthe car is fast\n\nthe car is old", "a car and a long story about many other things here",
      "my car needs oil and water and many more things than that",
    ])
    let results = try await search(library, "car", limit: 3) { $0.diversity = .acrossDocuments }
    #expect(Set(results.hits.map(\.document.id)).count == 3)
  }
}
