import Foundation
import TestSupport
import Testing

/// Files added, searched, opened, changed and removed, as a shell does it.
@Suite struct LibraryTests {
  let home: TemporaryFolder
  let documents: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    documents = try TemporaryFolder()
    try documents.write(
      "garden.md", "# Garden club\n\nThe fence costs 340 euros.\n\nAnna Berg plants the zygocactus.\n")
    try documents.write("sub folder/notes.txt", "first line\nThe meeting is on 3 June 2026.\nlast line\n")
    try documents.write("picture.bin", Data([0, 1, 2, 3, 0, 255, 254, 0]))
    try documents.write(".hidden.txt", "never read")
  }

  func run(_ arguments: String..., input: String = "") throws -> Programs.Outcome {
    try Programs.run("alcove", arguments, environment: ["ALCOVE_HOME": home.url.path], input: input)
  }

  func lines(_ text: String) throws -> [[String: Any]] {
    try text.split(separator: "\n").map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test func addsAFolderAndNamesWhatItCouldNotRead() throws {
    let outcome = try run("add", documents.url.path)
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.hasPrefix("2 indexed"))
    #expect(outcome.output.contains("not indexed \(documents.url.path)/picture.bin: it is not text"))
    #expect(outcome.output.contains("Passed over: 1 hidden."))
    #expect(try run("add", documents.url.path).output.hasPrefix("2 unchanged"))
    #expect(try run("library", "list", "--failed").output.contains("picture.bin"))
    let report = try lines(run("add", "--json", documents.url.path).output)
    #expect(report.compactMap { $0["outcome"] as? String }.sorted() == ["binary", "unchanged", "unchanged"])
    #expect(try run("add", documents.url.path + "/nowhere").exitCode == 3)
  }

  @Test func anEmptyLibraryIsNotAnUnansweredQuestion() throws {
    let asked = try run("ask", "When does the ferry leave?")
    #expect(asked.output.contains("/add PATH"))
    #expect(asked.exitCode == 6)
    _ = try run("add", documents.url.path + "/garden.md")
    #expect(try !run("ask", "When does the ferry leave?").output.contains("/add PATH"))
  }

  @Test func unsoundRulesAreNamed() throws {
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    let share = try TemporaryFolder()
    for name in ["Resources", "Config"] {
      try FileManager.default.copyItem(at: checkout.appending(path: name), to: share.url.appending(path: name))
    }
    let rules = share.url.appending(path: "Resources/Rules/phrases.txt")
    let text = try String(contentsOf: rules, encoding: .utf8)
    func complaint(about text: String) throws -> String {
      try Data(text.utf8).write(to: rules)
      let environment = ["ALCOVE_HOME": home.url.path, "ALCOVE_SHARE": share.url.path]
      let outcome = try Programs.run("alcove", ["ask", "Why?"], environment: environment)
      #expect(outcome.exitCode == 1)
      return outcome.errors
    }
    #expect(
      try complaint(about: "nonsense\n" + text).contains("Rules/phrases.txt is not sound: line 1 is no rule"))
    #expect(try complaint(about: text.replacing("far:", with: "# far:")).contains("the phrase far is missing"))
  }

  @Test func findsOpensAndCites() throws {
    _ = try run("add", documents.url.path)
    let found = try lines(run("search", "--json", "meeting").output)
    let hit = try #require((found.first?["hits"] as? [[String: Any]])?.first)
    #expect((hit["path"] as? String)?.hasSuffix("sub folder/notes.txt") == true)
    #expect(try run("search", "xyzzy").exitCode == 6)
    #expect(try run("search", "fence", "-euros").exitCode == 6)
    let answer = try run("ask", "How much does the fence cost?")
    #expect(answer.exitCode == 0)
    #expect(answer.output.contains("340 euros"))
    let opened = try run("open", "1")
    #expect(opened.output.contains("▌ The fence costs 340 euros."))
    #expect(try run("sources").output.contains("garden.md"))
    #expect(try run("open", "9").exitCode == 3)
    #expect(try run("open", "notes").output.contains("3 June 2026"))
    #expect(try run("open", "nodes.txt").errors.contains("notes.txt"))
    #expect(try run("ask", "--in", "notes.txt", "How much does the fence cost?").exitCode == 6)
    #expect(try run("summarize", "garden").output.contains("[1]"))
  }

  @Test func theSameAtThePrompt() throws {
    let script = """
      /add \(documents.url.path)/sub folder
      /search "meeting is"
      /open 1
      When is the meeting?
      /sources
      /library remove notes.txt
      /search meeting
      /quit
      """
    let outcome = try run(input: script)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("1 indexed"))
    #expect(outcome.output.contains("▌ "))
    #expect(outcome.output.contains("3 June 2026"))
    #expect(outcome.output.hasSuffix("The library is empty; add documents first.\n"))
  }

  @Test func rescanSeesWhatChangedAndWhatIsGone() throws {
    _ = try run("add", documents.url.path)
    try documents.write("garden.md", "The fence costs 355 euros now.\n")
    try FileManager.default.removeItem(at: documents.url.appending(path: "sub folder/notes.txt"))
    let outcome = try run("library", "rescan")
    #expect(outcome.output.contains("1 indexed"))
    #expect(outcome.output.contains("gone \(documents.url.path)/sub folder/notes.txt"))
    #expect(try run("search", "meeting").exitCode == 0)
    #expect(try run("search", "355").exitCode == 0)
    #expect(try run("search", "340").exitCode == 6)
    #expect(try run("library", "rescan", "--prune").output.contains("taken out"))
    #expect(try run("search", "meeting").exitCode == 6)
  }

  @Test func removalLeavesNothing() throws {
    _ = try run("add", documents.url.path)
    #expect(try run("ask", "Who plants the cactus that Anna has?").output.contains("zygocactus"))
    #expect(try home.filesHolding("zygocactus").count > 1)
    #expect(try run("library", "remove", "garden.md", "picture.bin").exitCode == 3)
    #expect(try run("library", "remove", documents.url.path + "/picture.bin").exitCode == 0)
    #expect(try home.filesHolding("zygocactus").isEmpty)
  }

  @Test func inspectShowsLinesAndPassages() throws {
    let path = documents.url.path + "/garden.md"
    #expect(try run("inspect", "text", path).output.contains("heading-1"))
    #expect(try lines(run("inspect", "chunks", path, "--json").output).first?["form"] as? String == "prose")
    #expect(try run("inspect", "text", documents.url.path + "/picture.bin").exitCode == 1)
  }

  @Test func watchFollowsAFolder() throws {
    let terminal = try PseudoTerminal()
    try terminal.start(
      "alcove", ["library", "watch", documents.url.path], environment: ["ALCOVE_HOME": home.url.path])
    #expect(terminal.wait(for: "Watching", seconds: 20))
    try documents.write("late.txt", "The ferry leaves at noon.\n")
    #expect(terminal.wait(for: "1 indexed", seconds: 20))
    terminal.type("\u{03}")
    #expect(terminal.exitCode() == 0)
    #expect(try run("search", "ferry").exitCode == 0)
  }

  /// A file that a password protects, and the password.
  private func lockedFile() throws -> (path: String, password: String) {
    let folder = SharedData.file("documents")
    let rows = try String(contentsOf: folder.appending(path: "manifest.tsv"), encoding: .utf8).split(
      separator: "\n"
    )
    .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    let row = try #require(rows.first { $0.contains("encrypted") && $0[2].hasPrefix("user=") })
    return (folder.appending(path: "pdf/" + row[0]).path, String(row[2].dropFirst("user=".count)))
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func asksForPasswordsAtATerminal() throws {
    let (path, password) = try lockedFile()
    let terminal = try PseudoTerminal()
    try terminal.start("alcove", ["add", path], environment: ["ALCOVE_HOME": home.url.path])
    #expect(terminal.wait(for: "Password for", seconds: 20))
    terminal.type("wrong\r")
    #expect(terminal.wait(seconds: 20) { $0.components(separatedBy: "Password for").count > 2 })
    terminal.type(password + "\r")
    #expect(terminal.exitCode(seconds: 20) == 0)
    #expect(!terminal.output.contains(password))
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func noFileWaitsForAnothersPassword() throws {
    for number in 1...40 { try documents.write("\(number).txt", "Ferry number\(number) leaves at noon.\n") }
    let terminal = try PseudoTerminal()
    try terminal.start(
      "alcove", ["add", try lockedFile().path, documents.url.path], environment: ["ALCOVE_HOME": home.url.path])
    #expect(terminal.wait(for: "Password for", seconds: 120))
    for number in 1...40 { #expect(try run("search", "number\(number)").exitCode == 0) }
    terminal.type("\r")
    #expect(terminal.exitCode(seconds: 120) == 1)
    #expect(terminal.output.contains("42 indexed (42 passages), 2 not indexed."))
  }
}
