import Foundation
import TestSupport
import Testing

/// Help, manual, completions and parser come from one table; here they are seen from outside.
@Suite struct CommandTableTests {
  static func run(_ arguments: String..., input: String = "") throws -> Programs.Outcome {
    try Programs.run("alcove", arguments, input: input)
  }

  @Test func everyCommandHasHelpAndManual() throws {
    let names = try Self.run("complete", "--", "").output.split(separator: "\n").map {
      $0.split(separator: "\t")[0]
    }
    #expect(names.count > 3)
    let manual = try Self.run("man").output
    let overview = try Self.run("--help").output
    for name in names {
      let help = try Self.run(String(name), "--help")
      #expect(help.exitCode == 0)
      #expect(help.output.hasPrefix("alcove \(name)"))
      #expect(manual.contains(name))
      #expect(overview.contains("  \(name)"))
    }
  }

  @Test(arguments: [
    (["completions", "bahs"], "did you mean 'bash'?"), (["completion"], "did you mean 'completions'?"),
    (["completions"], "needs SHELL"), (["completions", "bash", "zsh"], "'zsh'"),
    (["--colour"], "did you mean '--color'?"),
    (["--color"], "needs a value"), (["--color", "sometimes"], "'sometimes'"),
    (["man", "--nothing"], "'--nothing'"),
    (["--version=2"], "--version"),
  ])
  func namesWhatIsWrong(arguments: [String], complaint: String) throws {
    let outcome = try Programs.run("alcove", arguments)
    #expect(outcome.exitCode == 2)
    #expect(outcome.output.isEmpty)
    #expect(outcome.errors.contains(complaint), "\(outcome.errors)")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScriptsParse(shell: String) throws {
    let script = try Self.run("completions", shell).output
    #expect(script.contains("alcove"))
    let places = ["/bin", "/usr/bin", "/usr/local/bin"].map { $0 + "/" + shell }
    guard let path = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else { return }
    let folder = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-n", try folder.write("script", script).path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func bashCompletesFromTheProgram() throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("script", try Self.run("completions", "bash").output)
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = [
      "-c",
      """
      source '\(script.path)'; COMP_WORDS=('\(Programs.folder.path)/alcove' completions b); COMP_CWORD=2; _alcove
      printf '%s\\n' "${COMPREPLY[@]}"
      """,
    ]
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text == "bash\n")
  }

  @Test func manualIsSound() throws {
    let groff = "/usr/bin/groff"
    guard FileManager.default.isExecutableFile(atPath: groff) else { return }
    let folder = try TemporaryFolder()
    let page = try folder.write("alcove.1", try Self.run("man").output)
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: groff)
    process.arguments = ["-man", "-Tutf8", "-ww", page.path]
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.contains("completions"))
    #expect(complaints.isEmpty)
  }

  @Test func answersAreStdoutAndComplaintsStderr() throws {
    let folder = try TemporaryFolder()
    let outcome = try Programs.run(
      "alcove", [], environment: ["ALCOVE_HOME": folder.url.path], input: "/nonsense\n/help quit\n/help nonsens\n")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("/quit"))
    #expect(!outcome.output.contains("\u{1B}"))
    #expect(outcome.errors.contains("/nonsense"))
  }
}
