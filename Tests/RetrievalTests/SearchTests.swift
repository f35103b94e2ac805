import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

@Suite struct SearchTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func library(_ texts: [String]) async throws -> Library { try await .holding(texts, in: folder) }

  @Test(arguments: [
    ("cafe", "Le Café du coin"), ("CAFÉ", "Le Café du coin"),
    ("strasse", "Die Straße ist lang und der Weg ist weit"),
    ("running", "He runs every day."), ("run", "She was running."), ("1200", "It cost 1,200 euros."),
    ("five", "There are 5 rooms."), ("5", "There are five rooms."), ("自然", "これは自然言語の文です。"),
    ("語", "これは自然言語の文です。"), ("ภาษา", "ผมเรียนภาษาไทยทุกวัน"), ("ไทย", "ผมเรียนภาษาไทยทุกวัน"),
    ("getusername", "call getUserName here"), ("user", "call getUserName here"),
    ("snakeCase", "a snake_case name"),
    ("cooperate", "They co-operate well."), ("state of the art", "This is state-of-the-art."),
    ("bob@example.com", "Mail bob@example.com now."), ("U.S.", "the US economy"), ("COVID19", "a COVID-19 test"),
    ("O'Neill", "as O’Neill wrote"), ("avion", "l'avion est dans le ciel et il est grand"), ("ﬁne", "a fine day"),
    ("москва", "МОСКВА"), ("C++", "written in C++ mostly"), ("to be or not to be", "To be, or not to be."),
    ("häuser", "Die Häuser sind alt und der Hof ist es auch"), ("한국", "대한민국은 한국이다"),
  ])
  func finds(query: String, text: String) async throws {
    let library = try await library([text, "zzz", "qqq qqq"])
    #expect(try await library.hits(query).first == text)
  }

  @Test func operatorsNarrow() async throws {
    let library = try await library(["the red fox jumps", "the fox red sits", "a blue fox", "no animal at all"])
    #expect(try await library.hits("\"red fox\"") == ["the red fox jumps"])
    #expect(try await library.hits("\"RED foxes\"") == ["the red fox jumps"])
    #expect(Set(try await library.hits("fox -red")) == ["a blue fox"])
    #expect(Set(try await library.hits("fox -\"red fox\"")) == ["the fox red sits", "a blue fox"])
    #expect(Set(try await library.hits("fox in:file2")) == ["a blue fox"])
    #expect(try await library.hits("fox in:nowhere").isEmpty)
    #expect(try await library.hits("fox \"unclosed").count == 3)
    #expect(try await library.hits("").isEmpty)
    #expect(try await library.hits("\"\" -- in: - '").isEmpty)
  }

  @Test func scopesNarrow() async throws {
    let library = try await library(["fox one", "fox two"])
    let ids = try await library.documents().map(\.id)
    #expect(try await library.hits("fox", scope: SearchScope(documents: [ids[1]])) == ["fox two"])
    #expect(try await library.hits("fox", scope: SearchScope(folder: "/d")).count == 2)
    #expect(try await library.hits("fox", scope: SearchScope(folder: "/e")).isEmpty)
    #expect(try await library.hits("fox", scope: SearchScope(kinds: [.pdf])).isEmpty)
    let results = try await library.search(SearchQuery("one"), limit: 5, scope: SearchScope(folder: "/d"))
    #expect(results.matchedPassageCount == 1 && results.passageCount == 2 && results.documentCount == 2)
  }

  @Test func explanationsAddUpAndHighlightsCutTheWords() async throws {
    let library = try await library(["Foxes jump. A fox jumped over naïve foxes.", "a dog", "a fox"])
    let hit = try #require(try await library.search(SearchQuery("jumping fox naive"), limit: 1).hits.first)
    #expect(hit.rank == 1)
    #expect(abs(hit.explanation.reduce(hit.nearness) { $0 + $1.contribution } - hit.score) < 1e-4)
    #expect(hit.explanation.first { $0.term == "fox" }?.bodyCount == 3)
    #expect(hit.explanation.first { $0.term == "fox" }?.passageFrequency == 2)
    let bytes = Array(hit.passage.passage.text.utf8)
    let words = hit.highlights.map { String(decoding: bytes[$0], as: UTF8.self) }
    #expect(words == ["Foxes", "jump", "fox", "jumped", "naïve", "foxes"])
  }

  @Test func wordsThatStandTogetherCountMore() async throws {
    let filler = Array(repeating: "plain", count: 60).joined(separator: " ")
    let apart = "harbour \(filler) master \(filler)"
    let together = "\(filler) harbour master \(filler)"
    let library = try await library([apart, together, "a master", "a harbour"])
    let results = try await library.search(SearchQuery("harbour master"), limit: 9)
    let long = results.hits.filter { $0.passage.passage.text.count > 100 }
    #expect(long.map(\.passage.passage.text) == [together, apart])
    #expect(long.allSatisfy { $0.nearness > 0 } && results.hits.map(\.rank) == [1, 2, 3, 4])
  }

  @Test func noPunctuationIsAnError() async throws {
    let library = try await library(["the red fox", "a \"quoted\" thing AND OR NOT NEAR(a b)"])
    let count = Int(ProcessInfo.processInfo.environment["ALCOVE_FUZZ"] ?? "") ?? 3_000
    let pieces = [
      "fox", "\"", "'", "-", "in:", "*", "(", ")", "AND", "OR", "NOT", "NEAR", ":", "^", "+", "{", "}", ";", "%",
      "\u{0}",
      " ", "\n", "自然", "é", "“", "”", "«", "»", "title:", "a.b", "1,2", "\\", "/", "--", "😀", "\u{301}", "ก", "_",
      ".",
    ]
    for _ in 0..<count {
      let query = (0..<Int.random(in: 0...14)).map { _ in pieces.randomElement()! }.joined()
      _ = try await library.search(SearchQuery(query), limit: 3)
    }
  }
}
