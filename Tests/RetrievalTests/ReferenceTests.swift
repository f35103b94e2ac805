import Documents
import Foundation
import Linguistics
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// The index against a plain one: the same passages with the same scores, whatever was added, changed and removed
/// before.
@Suite struct ReferenceTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let words = (0..<60).map {
    "\("bdfgklmnprstvz".randomElement()!)a\("bdfgklmnprstvz".randomElement()!)o\($0)"
  }

  /// A few words are everywhere, most are rare.
  static func word() -> String {
    let rank = Int(pow(Double(words.count), Double.random(in: 0..<1)))
    return words[min(rank - 1, words.count - 1)]
  }

  static func text(_ count: Int) -> String { (0..<count).map { _ in word() }.joined(separator: " ") }

  static func sample(_ id: Int) -> Sample {
    let paragraphs = (0..<Int.random(in: 1...5)).map { _ in text(Int.random(in: 1...40)) }
    return Sample(
      paragraphs.joined(separator: "\n\n") + "\n\nend\(id)", title: text(Int.random(in: 0...3)),
      headings: [text(Int.random(in: 1...4))])
  }

  private func check(
    _ library: Library, _ documents: [String: Sample], sourceLocation: SourceLocation = #_sourceLocation
  )
    async throws
  {
    let reference = try await ReferenceIndex(library)
    #expect(reference.passages.count == documents.values.reduce(0) { $0 + $1.passages.count })
    for _ in 0..<12 {
      var query = Self.text(Int.random(in: 1...6))
      if Int.random(in: 0..<4) == 0 { query += " \"\(Self.text(2))\"" }
      if Int.random(in: 0..<4) == 0 { query += " -\(Self.word())" }
      let limit = [1, 5, 40, 1_000].randomElement()!
      var settings = RankingSettings()
      settings.nearnessDepth = 0
      settings.joinsNeighbours = false
      if Bool.random() { settings.lengthPenalty = [0, 0.3, 0.9, 1].randomElement()! }
      if Bool.random() { settings.titleWeight = [0, 1, 5].randomElement()! }
      let found = try await library.search(SearchQuery(query), limit: limit, ranking: settings)
      let expected = reference.search(SearchQuery(query), ranking: settings)
      #expect(found.matchedPassageCount == expected.count, "\(query)", sourceLocation: sourceLocation)
      #expect(
        found.hits.map(\.passage.id) == expected.prefix(limit).map(\.id), "\(query)",
        sourceLocation: sourceLocation)
      #expect(
        found.hits.map { Float($0.score) } == expected.prefix(limit).map(\.score), "\(query)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func randomSequencesAgreeWithAPlainIndex() async throws {
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_SEQUENCES"] ?? "") ?? 400
    let file = folder.url.appending(path: "library.db")
    var library = try await Library(at: file)
    var other = try await Library(at: file)
    var documents: [String: Sample] = [:]
    for round in 0..<rounds {
      let path = "/doc\(Int.random(in: 0..<90)).txt"
      switch Int.random(in: 0..<20) {
      case 0..<14:
        let sample = Self.sample(round)
        // Either of two openers changes the library; both must see it.
        try await sample.store(in: Bool.random() ? library : other, path: path)
        documents[path] = sample
      case 14..<17:
        try await library.remove(paths: [path])
        documents[path] = nil
      case 17:
        _ = try await library.settle()
      case 18:
        library = try await Library(at: file)
      default:
        other = try await Library(at: file)
      }
      if round % 10 == 9 { try await check(Bool.random() ? library : other, documents) }
    }
    _ = try await library.settle()
    try await check(library, documents)
    #expect(try await library.verify() == 0)
  }

  @Test func whatIsLeftOutMakesNoDifferenceInLargeSegments() async throws {
    let library = try await Library(at: folder.url.appending(path: "library.db"))
    let perDocument = 900
    for number in 0..<10 {
      let text = (0..<perDocument).map { _ in Self.text(Int.random(in: 1...30)) }.joined(separator: "\n\n")
      try await Sample(text, title: Self.text(2)).store(in: library, path: "/\(number).txt")
    }
    try await library.settle()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path + "/library.index").count > 1)
    let reference = try await ReferenceIndex(library)
    for round in 0..<40 {
      let query = SearchQuery(Self.text(Int.random(in: 1...8)))
      var settings = RankingSettings()
      settings.nearnessDepth = 0
      settings.joinsNeighbours = false
      let limit = [1, 10, 100][round % 3]
      let found = try await library.search(query, limit: limit, ranking: settings)
      let expected = reference.search(query, ranking: settings)
      #expect(found.matchedPassageCount == expected.count)
      #expect(found.hits.map(\.passage.id) == expected.prefix(limit).map(\.id), "\(query.text)")
      #expect(found.hits.map { Float($0.score) } == expected.prefix(limit).map(\.score), "\(query.text)")
    }
  }
}

/// BM25 over fields as plainly as it can be said: every passage is cut into words and scored.
struct ReferenceIndex {
  struct Entry {
    var id: PassageID
    var title: [String]
    var headings: [String]
    var body: [String]
  }

  var passages: [Entry] = []

  init(_ library: Library) async throws {
    for document in try await library.documents() {
      let name = document.name.split(separator: ".").dropLast().joined(separator: ".")
      let title = [document.title, name].compactMap(\.self).joined(separator: "\n")
      for passage in try await library.passages(of: document.id) {
        passages.append(
          Entry(
            id: passage.id, title: Self.terms(title),
            headings: Self.terms(passage.passage.headings.joined(separator: "\n")),
            body: Self.terms(passage.passage.text)))
      }
    }
    passages.sort { $0.id < $1.id }
  }

  /// The test's words are no English ones and have no compounds: a word is its own stem or not, as the library sees it.
  static func terms(_ text: String) -> [String] {
    Words.split(text).filter { !$0.kind.isAdditional }.map(\.text)
  }

  private static func holds(_ phrase: [String], _ terms: [String]) -> Bool {
    terms.count >= phrase.count
      && (0...terms.count - phrase.count).contains { Array(terms[$0..<$0 + phrase.count]) == phrase }
  }

  func search(_ query: SearchQuery, ranking: RankingSettings) -> [(id: PassageID, score: Float)] {
    var terms: [(text: String, weight: Double)] = []
    for word in Self.terms(([query.words] + query.phrases).joined(separator: "\n")) {
      if let place = terms.firstIndex(where: { $0.text == word }) {
        terms[place].weight += 1
      } else {
        terms.append((word, 1))
      }
    }
    let total = Double(passages.count)
    func mean(_ length: (Entry) -> Int) -> Float {
      max(Float(Double(passages.reduce(0) { $0 + length($1) }) / total), 1)
    }
    let means = (
      title: mean { $0.title.count }, headings: mean { $0.headings.count }, body: mean { $0.body.count }
    )
    let penalty = Float(ranking.lengthPenalty)
    let saturation = Float(ranking.saturation)
    func norm(_ length: Int, _ mean: Float) -> Float { 1 - penalty + penalty * (Float(length) / mean) }
    var weights: [Float] = []
    for term in terms {
      let count = Double(
        passages.count {
          $0.title.contains(term.text) || $0.headings.contains(term.text) || $0.body.contains(term.text)
        })
      weights.append(Float(log(1 + (total - count + 0.5) / (count + 0.5)) * term.weight))
    }
    var found: [(id: PassageID, score: Float)] = []
    for passage in passages {
      let fields = [passage.title, passage.headings, passage.body]
      let phrases = query.phrases.map(Self.terms)
      guard phrases.allSatisfy({ phrase in fields.contains { Self.holds(phrase, $0) } }) else { continue }
      let excluded = query.excluded.map(Self.terms)
      guard !excluded.contains(where: { phrase in fields.contains { Self.holds(phrase, $0) } }) else { continue }
      var score: Float = 0
      var isMatch = false
      for (term, weight) in zip(terms, weights) {
        let counts = fields.map { field in field.count { $0 == term.text } }
        guard counts.contains(where: { $0 > 0 }) else { continue }
        isMatch = true
        var frequency = Float(counts[2]) / norm(passage.body.count, means.body)
        if counts[0] + counts[1] > 0 {
          frequency += Float(ranking.titleWeight) * Float(counts[0]) / norm(passage.title.count, means.title)
          frequency +=
            Float(ranking.headingsWeight) * Float(counts[1]) / norm(passage.headings.count, means.headings)
        }
        score += weight * (frequency * (saturation + 1) / (frequency + saturation))
      }
      if isMatch { found.append((passage.id, score)) }
    }
    return found.sorted { ($1.score, $0.id) < ($0.score, $1.id) }
  }
}
