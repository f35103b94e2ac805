import Assistant
import Documents
import Foundation
import Retrieval
import TestSupport
import Testing
import TextGeneration

/// The bundled embedder, the library and the fusion together, on texts with known answers.
@Suite struct SearchQualityTests {
  private static let embedder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Resources/Models/all-minilm-l6-v2-q8_0.gguf").standardizedFileURL.path

  /// The first judged queries of a set, with what is relevant to them and some of what is not.
  private struct Sample {
    var texts: [(id: String, title: String?, text: String)] = []
    var queries: [(text: String, relevant: Set<String>)] = []

    private struct Text: Decodable {
      var _id: String
      var title: String?
      var text: String
    }

    init(_ name: String, queries count: Int, every step: Int) throws {
      let folder = SharedData.file("retrieval/\(name)")
      func texts(_ file: String) throws -> [Text] {
        try Data(contentsOf: folder.appending(path: file)).split(separator: 10)
          .map { try JSONDecoder().decode(Text.self, from: $0) }
      }
      var judged: [String: Set<String>] = [:]
      for line in try String(contentsOf: folder.appending(path: "qrels/test.tsv"), encoding: .utf8)
        .split(separator: "\n").dropFirst()
      {
        let columns = line.split(separator: "\t").map(String.init)
        if columns.count == 3, columns[2] != "0" { judged[columns[0], default: []].insert(columns[1]) }
      }
      for query in try texts("queries.jsonl") where queries.count < count {
        if let relevant = judged[query._id] { queries.append((query.text, relevant)) }
      }
      let wanted = queries.reduce(into: Set<String>()) { $0.formUnion($1.relevant) }
      for (place, text) in try texts("corpus.jsonl").enumerated()
      where place % step == 0 || wanted.contains(text._id) {
        self.texts.append((text._id, text.title, text.text))
      }
    }

    func store(in library: Library) async throws {
      for text in texts {
        let end = TextPosition(page: 1, line: 1, byte: text.text.utf8.count)
        let span = TextSpan(start: TextPosition(page: 1, line: 1, byte: 0), end: end)
        try await library.store(
          ExtractedDocument(
            kind: .text, title: text.title, pageCount: 1,
            pages: [DocumentPage(number: 1, lines: [DocumentLine(text.text)])]),
          passages: [Passage(text: text.text, span: span)], hash: text.id,
          file: FileFacts(path: "/\(text.id).txt", byteCount: text.text.utf8.count, modified: .distantPast))
      }
    }
  }

  private static func gain(_ ranking: [String], _ relevant: Set<String>) -> Double {
    func discount(_ place: Int) -> Double { 1 / log2(Double(place) + 2) }
    let found = ranking.prefix(10).enumerated().reduce(0) {
      $0 + (relevant.contains($1.element) ? discount($1.offset) : 0)
    }
    return found / (0..<min(10, relevant.count)).reduce(0) { $0 + discount($1) }
  }

  /// nDCG@10 of a sample of SciFact: both halves are good, and together they keep the better one's rank.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data")) func bothHalvesRankWellTogether() async throws
  {
    let sample = try Sample("scifact", queries: 40, every: 40)
    let library = try await Library(at: Library.inMemory)
    try await sample.store(in: library)
    let embedder = try LoadedEmbedder(path: Self.embedder)
    try await PassageEmbedding(library: library).run(embedder)
    var sums = (words: 0.0, meaning: 0.0, scores: 0.0, ranks: 0.0)
    for query in sample.queries {
      let made = try #require(try await embedder.engine.embed([query.text], as: .query).first)
      let vector = QueryVector(embedder: embedder.description.identity, values: made.vector)
      var sought = SearchQuery("")
      sought.words = query.text
      func gain(_ vector: QueryVector?, _ change: (inout RankingSettings) -> Void = { _ in }) async throws
        -> Double
      {
        var ranking = RankingSettings()
        change(&ranking)
        let results = try await library.search(sought, vector: vector, limit: 10, ranking: ranking)
        return Self.gain(results.hits.map(\.document.hash), query.relevant)
      }
      sums.words += try await gain(nil)
      sums.meaning += try await gain(vector) { $0.fusion.vectorWeight = 1 }
      sums.scores += try await gain(vector)
      sums.ranks += try await gain(vector) { $0.fusion.method = .reciprocalRank }
    }
    let count = Double(sample.queries.count)
    let comment: Comment =
      "words \(sums.words / count), meaning \(sums.meaning / count), scores \(sums.scores / count), ranks \(sums.ranks / count)"
    #expect(sums.scores / count > 0.8, comment)
    #expect(sums.ranks / count > 0.8, comment)
    #expect(sums.scores > min(sums.words, sums.meaning), comment)
    // So few texts are easy for the better half alone; the whole sets, where both together win, are a benchmark.
    #expect(sums.scores / count > max(sums.words, sums.meaning) / count - 0.02, comment)
  }

  @Test func aQuestionInOtherWordsIsAnsweredAndAFarOneRefused() async throws {
    let fixture = try await Fixture()
    try await fixture.add("car.txt", "The automobile was repaired on Tuesday.\n\nThe invoice came to 340 euros.")
    try await fixture.add("garden.txt", "Tomatoes are planted in May.\n\nThe hedge is cut in autumn.")
    let embedder = try #require(try await fixture.workspace.embedders.chosen())
    try await PassageEmbedding(library: fixture.workspace.library).run(embedder)
    let session = fixture.workspace.session()
    let near = try await Told.collect(session, "When was the car fixed?")
    #expect(near.text.contains("Tuesday"), "\(near.text)")
    let far = try await Told.collect(session, "Which enzymes does the liver produce?")
    #expect(far.sources.isEmpty || !far.text.hasPrefix("The"), "\(far.text)")
    #expect(far.summary?.hasEvidence == false)
  }
}
