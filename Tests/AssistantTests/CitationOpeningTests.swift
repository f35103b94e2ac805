import Assistant
import Documents
import Foundation
import Retrieval
import TestSupport
import Testing

@Suite struct CitationOpeningTests {
  private struct Question: Decodable {
    let question: String
  }

  /// Two hundred answers over nine articles: each citation opens to exactly the bytes it quotes, each bracketed number
  /// has its source, and nothing quoted is marked as unverified.
  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func everyCitationOpensToItsQuote() async throws {
    let fixture = try await Fixture()
    let folder = SharedData.file("questions/squad2")
    for article in try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: "articles").path) {
      try await fixture.add(
        article, String(contentsOf: folder.appending(path: "articles/\(article)"), encoding: .utf8))
    }
    let questions = try JSONDecoder().decode(
      [Question].self, from: Data(contentsOf: folder.appending(path: "questions.json")))
    let library = fixture.workspace.library
    let session = fixture.workspace.session()
    var citationCount = 0
    for place in 0..<200 {
      let told = try await Told.collect(session, questions[place * questions.count / 200].question)
      #expect(told.error == nil)
      #expect(!told.notices.contains { if case .unverified = $0 { true } else { false } }, "\(told.text)")
      for source in told.sources {
        let document = try #require(try await library.document(hash: source.citation.documentHash))
        #expect(try await library.text(of: source.citation.span, in: document.id) == source.citation.quote)
        #expect(told.text.contains("[\(source.number)]"))
        citationCount += 1
      }
    }
    #expect(citationCount >= 200)
  }
}
