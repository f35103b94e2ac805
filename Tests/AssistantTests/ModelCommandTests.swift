import Foundation
import TestSupport
import Testing

/// The program with a model of random weights: drafts, seeds, states, JSON.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct ModelCommandTests {
  private let home: TemporaryFolder
  private let model: TalkingModel

  init() throws {
    home = try TemporaryFolder()
    model = try TalkingModel(template: TalkingModel.chatML, special: TalkingModel.chatMLTokens)
    #expect(try alcove(["plan", "set", "pro"]).exitCode == 0)
  }

  private func alcove(_ arguments: [String], input: String = "") throws -> Programs.Outcome {
    try Programs.run(
      "alcove", arguments,
      environment: ["ALCOVE_HOME": home.url.path, "ALCOVE_MODEL_THREADS": "1", "ALCOVE_MODEL_CONTEXT": "8192"],
      input: input)
  }

  private func ask(_ more: [String]) throws -> [String: Any] {
    let outcome = try alcove(
      ["ask", "--chat", "--json", "--model", model.path, "--max-tokens", "48", "--temperature", "1"] + more
        + ["Tell me something."])
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
    return try #require(object as? [String: Any])
  }

  @Test func aDraftChangesNothingOfTheAnswer() throws {
    let plain = try ask(["--seed", "7"])
    let text = try #require(plain["answer"] as? String)
    #expect(!text.isEmpty && plain["seed"] as? Int == 7)
    // The model is the best draft of itself; at the prompt and by the setting it is the same.
    #expect(try ask(["--seed", "7", "--draft", model.path])["answer"] as? String == text)
    #expect(try ask(["--seed", "8", "--draft", model.path])["answer"] as? String != text)
    let prompt = try alcove(
      ["--model", model.path, "--set", "model.draft=\(model.path)", "--set", "model.max-tokens=48"],
      input: "/set model.temperature 1\n/set model.seed 7\n/chat Tell me something.\n/quit\n")
    #expect(prompt.exitCode == 0)
    #expect(prompt.output.filter { !$0.isWhitespace }.contains(text.filter { !$0.isWhitespace }))
    let wrong = try alcove(
      ["ask", "--chat", "--model", model.path, "--draft", "/nowhere.gguf", "Hello there, friend."])
    #expect(wrong.exitCode == 3 && wrong.errors.contains("nowhere"))
  }

  @Test func aRepeatedQuestionReadsLittleAgain() throws {
    let long = String(repeating: "Be brief and kind. ", count: 60)
    func read(_ question: [String]) throws -> (prompt: Int, new: Int) {
      let metrics = try #require(try ask(["--system", long] + question)["metrics"] as? [String: Any])
      return (metrics["promptTokens"] as? Int ?? 0, metrics["newTokens"] as? Int ?? 0)
    }
    let cold = try read([])
    #expect(cold.new == cold.prompt && cold.prompt > 1000)
    let warm = try read([])
    #expect(warm.new * 10 <= cold.new, "\(warm) after \(cold)")
    // Conversations go with what was kept of them, and so does what all begin with.
    #expect(try alcove(["sessions", "remove", "--all"]).exitCode == 0)
    #expect(try read([]).new == cold.new)
  }

  @Test func aRestartedPromptGoesOnAtOnce() throws {
    let question = "/chat " + String(repeating: "This is a long story. ", count: 40)
    func run(_ arguments: [String]) throws -> String {
      let outcome = try alcove(
        ["--model", model.path, "--set", "model.max-tokens=8"] + arguments,
        input: "\(question)\n/stats --json\n/quit\n")
      #expect(outcome.exitCode == 0, "\(outcome.errors)")
      return outcome.output
    }
    func newTokens(_ output: String) throws -> Int {
      let match = try #require(output.firstMatch(of: #/"newTokens":\s*(\d+)/#))
      return try #require(Int(match.1))
    }
    let cold = try newTokens(run([]))
    #expect(try newTokens(run([])) * 10 <= cold)
  }
}
