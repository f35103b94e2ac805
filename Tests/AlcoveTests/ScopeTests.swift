import Foundation
import TestSupport
import Testing

/// Searches and questions limited to a part of the library, from the shell and at the prompt.
@Suite struct ScopeTests {
  let home: TemporaryFolder
  let documents: TemporaryFolder
  private var environment: [String: String] {
    ["ALCOVE_HOME": home.url.path, "ALCOVE_EMBEDDER_FILE": "off", "TZ": "UTC"]
  }

  init() throws {
    home = try TemporaryFolder()
    documents = try TemporaryFolder()
    let texts = [
      ("contracts/lease.md", "# Lease\n\nThe fox rents for 935 euros.\n", "2023-03-15"),
      ("contracts/old/notice.txt", "The fox gave notice in May.\n", "2021-12-31"),
      ("contracts-copy/lease.txt", "The fox pays 120 euros.\n", "2024-02-29"),
      ("letters/aunt.txt", "Aunt Ida saw a fox.\n", "2024-01-01"),
    ]
    for (name, text, date) in texts {
      try documents.write(name, text)
      let noon = try #require(ISO8601DateFormatter().date(from: date + "T12:00:00Z"))
      try FileManager.default.setAttributes([.modificationDate: noon], ofItemAtPath: path(name))
    }
    #expect(try run("add", documents.url.path).exitCode == 0)
  }

  private func path(_ name: String) -> String { documents.url.appending(path: name).path }

  private func run(_ arguments: String...) throws -> Programs.Outcome {
    try Programs.run("alcove", arguments, environment: environment, input: "")
  }

  /// The names of the files in which a search finds the fox.
  private func found(_ arguments: String...) throws -> Set<String> {
    let outcome = try Programs.run("alcove", ["search", "--json", "fox"] + arguments, environment: environment)
    let object = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    let hits = try #require(object?["hits"] as? [[String: Any]], "\(outcome.output) \(outcome.errors)")
    #expect(outcome.exitCode == (hits.isEmpty ? 6 : 0))
    let folder = documents.url.resolvingSymlinksInPath().path + "/"
    return Set(hits.compactMap { ($0["path"] as? String)?.replacing(folder, with: "") })
  }

  @Test func placesNarrow() throws {
    let (lease, notice, copy, aunt) = (
      "contracts/lease.md", "contracts/old/notice.txt", "contracts-copy/lease.txt", "letters/aunt.txt"
    )
    #expect(try found() == [lease, notice, copy, aunt])
    #expect(try found("--in", path("contracts")) == [lease, notice])
    #expect(try found("--in", path("contracts") + "/") == [lease, notice])
    #expect(try found("--in", path("contracts/old")) == [notice])
    #expect(try found("--in", path(aunt)) == [aunt])
    #expect(try found("--in", path(aunt), "--in", "notice.txt") == [aunt, notice])
    #expect(try found("--document", "aunt.txt") == [aunt])
    #expect(try found("--in", path("contracts"), "--document", "aunt.txt").isEmpty)
    #expect(try run("search", "fox", "--in", path("contracts"), "--in", path("letters")).exitCode == 2)
    #expect(try run("search", "fox", "--in", path("nowhere")).exitCode == 3)
    #expect(try run("search", "fox", "--document", "nobody.pdf").exitCode == 3)
    // A folder that is gone is still one of the library's.
    try FileManager.default.removeItem(atPath: path("contracts/old"))
    #expect(try found("--in", path("contracts/old")) == [notice])
  }

  @Test func typesAndDatesNarrow() throws {
    #expect(try found("--type", "markdown") == ["contracts/lease.md"])
    #expect(try found("--type", "markdown", "--type", "text").count == 4)
    #expect(try found("--type", "pdf").isEmpty)
    #expect(try found("--since", "2024") == ["contracts-copy/lease.txt", "letters/aunt.txt"])
    #expect(try found("--since", "2024-02") == ["contracts-copy/lease.txt"])
    #expect(try found("--since", "2024-02-29") == ["contracts-copy/lease.txt"])
    #expect(try found("--since", "2024-03-01").isEmpty)
    #expect(try found("--until", "2021") == ["contracts/old/notice.txt"])
    #expect(try found("--until", "2023-03-15") == ["contracts/old/notice.txt", "contracts/lease.md"])
    #expect(try found("--before", "2023-03-15") == ["contracts/old/notice.txt"])
    #expect(try found("--before", "2023") == ["contracts/old/notice.txt"])
    #expect(try found("--since", "2022", "--before", "2024", "--in", path("contracts")) == ["contracts/lease.md"])
    #expect(try found("--since", "2024", "--until", "2023").isEmpty)
    #expect(try run("search", "fox", "--type", "pdf").output.contains("No document is in that part."))
  }

  @Test(arguments: [
    ["--type", "novel"], ["--since", "yesterday"], ["--since", "2024-13"], ["--until", "2023-02-30"],
    ["--before", "24-01-01"], ["--since", ""], ["--since"], ["--until", "2023", "--before", "2024"],
  ])
  func whatIsNoneIsRefused(arguments: [String]) throws {
    let outcome = try Programs.run("alcove", ["search", "fox"] + arguments, environment: environment)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty && !outcome.errors.isEmpty)
  }

  @Test func questionsKeepToTheirPart() throws {
    let question = "How many euros does the fox pay?"
    #expect(try run("ask", question, "--in", path("contracts-copy")).output.contains("120 euros"))
    let other = try run("ask", question, "--in", path("contracts"))
    #expect(!other.output.contains("120"))
    #expect(try run("ask", question, "--in", path("letters")).exitCode == 6)
    #expect(try run("ask", question, "--since", "soon").exitCode == 2)
  }

  @Test func aSessionIsLimitedUntilItIsNot() throws {
    let terminal = try PseudoTerminal()
    try terminal.start("alcove", environment: environment.merging(["COLUMNS": "200"]) { $1 })
    #expect(terminal.wait(for: "> "))
    terminal.type("/scope\r")
    #expect(terminal.wait(for: "looks into the whole library"))
    terminal.type("/scope \(path("contracts")) --since 2022\r")
    #expect(terminal.wait(for: "changed since"))
    #expect(terminal.wait(for: "[contracts]"))
    terminal.type("/search fox\r")
    #expect(terminal.wait(for: "rents for 935"))
    #expect(!terminal.output.contains("Aunt Ida") && !terminal.output.contains("gave notice"))
    terminal.type("/scope --since never\r")
    #expect(terminal.wait(for: "is no date"))
    terminal.type("/scope \(path("nowhere"))\r")
    #expect(terminal.wait(for: "nowhere"))
    // What was refused changed nothing.
    terminal.type("/scope\r")
    #expect(terminal.wait { $0.components(separatedBy: "what is below").count > 2 })
    terminal.type("/scope --all\r")
    #expect(terminal.wait { $0.components(separatedBy: "looks into the whole library").count > 2 })
    terminal.type("/search fox\r")
    #expect(terminal.wait(for: "Aunt Ida"))
    terminal.type("/quit\r")
    #expect(terminal.exitCode() == 0)
  }
}
