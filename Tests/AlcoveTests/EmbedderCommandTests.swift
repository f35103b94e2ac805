import Foundation
import TestSupport
import Testing

/// The embedder as a shell chooses it.
@Suite struct EmbedderCommandTests {
  let home: TemporaryFolder
  let documents: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    documents = try TemporaryFolder()
    try documents.write("garden.md", "# Garden club\n\nThe fence costs 340 euros.\n")
    try documents.write("notes.txt", "The meeting is on 3 June 2026.\n")
  }

  private func run(
    _ arguments: String..., environment: [String: String] = [:]
  ) throws -> Programs.Outcome {
    try Programs.run(
      "alcove", arguments, environment: ["ALCOVE_HOME": home.url.path].merging(environment) { $1 })
  }

  /// Each embedder's role, and how many passages have its vectors.
  private func embedders() throws -> [String] {
    let output = try run("library", "list", "--json").output
    let object = try #require(JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let embedders = try #require(object["embedders"] as? [[String: Any]])
    return embedders.map { "\($0["role"] ?? "") \($0["embedded"] ?? "") of \($0["passages"] ?? "")" }
  }

  @Test func theBundledEmbedderWorksFromTheFirstAdd() throws {
    #expect(try run("add", documents.url.path).exitCode == 0)
    #expect(try embedders() == ["answering 2 of 2"])
    let file = documents.url.appending(path: "garden.md").path
    #expect(try run("library", "remove", file).exitCode == 0)
    #expect(try embedders() == ["answering 1 of 1"])
  }

  @Test func anotherOneTakesOver() throws {
    #expect(try run("add", documents.url.path).exitCode == 0)
    #expect(try run("models", "use", "--embedder", documents.url.path + "/nothing.gguf").exitCode == 3)
    let broken = try documents.write("broken.gguf", "not a model")
    #expect(try run("models", "use", "--embedder", broken.path).exitCode == 4)
    #expect(try run("models", "use").exitCode == 2)
    #expect(try embedders() == ["answering 2 of 2"])
    // The same file with another prefix makes other vectors.
    let outcome = try run(
      "models", "use", "--embedder", "bundled", environment: ["ALCOVE_EMBEDDER_PASSAGE_PREFIX": "passage: "])
    #expect(outcome.exitCode == 0 && outcome.output.contains("makes the vectors from now on"))
    #expect(try embedders() == ["answering 2 of 2"])
    #expect(try run("models", "use", "--embedder", "off").exitCode == 0)
    try documents.write("late.txt", "One more document about something else.\n")
    _ = try run("add", documents.url.appending(path: "late.txt").path)
    #expect(try embedders() == ["answering 2 of 3"])
    // A broken embedder costs no document, and says so.
    let failed = try run("add", broken.path, environment: ["ALCOVE_EMBEDDER_FILE": broken.path])
    #expect(failed.errors.isEmpty || failed.errors.contains("words alone"))
  }
}
