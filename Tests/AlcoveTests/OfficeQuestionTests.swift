import Foundation
import TestSupport
import Testing

/// Questions to a folder of office documents, from the shell, by rules alone.
@Suite struct OfficeQuestionTests {
  private struct Expected: Decodable {
    struct Fact: Decodable {
      var q: String
      var a: String?
      var file: String?
      var page: Int?
    }
    var facts: [Fact]
  }

  /// Searches by words alone where `ALCOVE_EMBEDDER_FILE` is not set: embedding a long PDF takes longer than a test
  /// should.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func everyFactIsAnsweredFromItsFile() throws {
    let home = try TemporaryFolder()
    let embedder = ProcessInfo.processInfo.environment["ALCOVE_EMBEDDER_FILE"] ?? "off"
    func run(_ arguments: String...) throws -> Programs.Outcome {
      try Programs.run(
        "alcove", arguments,
        environment: ["ALCOVE_HOME": home.url.path, "ALCOVE_EMBEDDER_FILE": embedder], input: "")
    }
    let folder = SharedData.file("documents/office")
    // The page of answers is no document of the folder.
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    where name != "expected.json" {
      _ = try run("add", folder.appending(path: name).path)
    }
    let expected = try JSONDecoder().decode(
      Expected.self, from: Data(contentsOf: folder.appending(path: "expected.json")))
    for fact in expected.facts {
      let outcome = try run("ask", "--json", fact.q)
      let line = try #require(outcome.output.split(separator: "\n").last)
      let told = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let answer = try #require(told["answer"] as? String)
      guard let wanted = fact.a else {
        #expect(told["hasEvidence"] as? Bool == false, "\(fact.q) \(answer)")
        #expect(outcome.exitCode == 6)
        continue
      }
      #expect(answer.contains(wanted), "\(fact.q) \(answer)")
      let citations = try #require(told["citations"] as? [[String: Any]])
      let cited = citations.first { ($0["quote"] as? String)?.contains(wanted) ?? false }
      #expect((cited?["path"] as? String)?.hasSuffix(fact.file ?? "") ?? false, "\(fact.q) \(citations)")
      if let page = fact.page { #expect(cited?["page"] as? Int == page, "\(fact.q) \(citations)") }
    }
  }
}
