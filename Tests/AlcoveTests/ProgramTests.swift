import TestSupport
import Testing

@Suite struct ProgramTests {
  @Test func helpAndQuitAnswerAtOnce() throws {
    let outcome = try Programs.run("alcove", [], input: "/help\n/quit\n")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("/quit"))
  }

  @Test func unknownArgumentIsAUsageError() throws {
    let outcome = try Programs.run("alcove", ["--frobnicate"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--frobnicate"))
    #expect(outcome.output.isEmpty)
  }
}
