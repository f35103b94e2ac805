import Assistant
import Entitlements
import Foundation
import Testing

/// A question put into other words by the model, for the search alone.
@Suite struct RewordingTests {
  /// Puts every question into the same words, and answers it from the first passage.
  private struct Backend: LocalBackend {
    var words: String
    var rewordsQuestions = true
    let kind = LocalModelBackend.gguf
    let name = "rewording"

    func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error> {
      let (stream, continuation) = AsyncThrowingStream<LocalOutput, any Error>.makeStream()
      if request.task == .reword {
        if words.isEmpty {
          continuation.finish(throwing: ScriptedBackend.failure)
          return stream
        }
        for piece in words { continuation.yield(.text(String(piece))) }
      } else {
        continuation.yield(.prompted(PromptReport(prompted: request.question, read: [0])))
        continuation.yield(.text((request.passages.first?.text ?? "nothing") + " [1]"))
      }
      continuation.yield(.finished(AnswerMetrics()))
      continuation.finish()
      return stream
    }
  }

  private func ask(_ backend: Backend, _ question: String) async throws -> Told {
    let fixture = try await Fixture(environment: ["ALCOVE_EMBEDDER_FILE": "off"])
    try await fixture.add("house.txt", "The lodging fee is 935 euros each month.")
    try await fixture.add("garden.txt", "Tomatoes are planted in May.")
    return try await Told.collect(fixture.workspace.session(backend: backend), question)
  }

  @Test(arguments: [
    "lodging fee euros each month", "Query: \"lodging fee, euros, each month\"\nI hope this helps!",
    "\n**lodging fee euros month**\n",
  ])
  func findsWhatTheQuestionDoesNotSay(words: String) async throws {
    let told = try await ask(Backend(words: words), "How much do I pay for my flat?")
    #expect(told.text.contains("935 euros"))
    let shown = told.notices.compactMap { if case .reworded(let words) = $0 { words } else { nil } }
    #expect(shown.count == 1 && shown.first?.hasPrefix("lodging fee") == true, "\(shown)")
  }

  @Test(arguments: ["quagga zebra", "", "…", "   \n\n"]) func fallsBackToTheQuestion(words: String) async throws {
    let told = try await ask(Backend(words: words), "When are tomatoes planted?")
    #expect(told.text.contains("May"))
  }

  @Test func isOffUnlessAskedFor() async throws {
    let told = try await ask(
      Backend(words: "lodging fee euros each month", rewordsQuestions: false), "When are tomatoes planted?")
    #expect(told.text.contains("May"))
    #expect(told.notices.allSatisfy { if case .reworded = $0 { false } else { true } })
    let fixture = try await Fixture()
    let settings = try Settings(
      declarations: fixture.workspace.installation.defaults, userFile: nil, environment: [:])
    #expect(!settings.isOn("search.reword"))
  }
}
