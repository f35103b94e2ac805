import TestSupport
import Testing

/// `alcove-bench` says what is wrong with its command line, for a mistyped option would measure something else.
@Suite struct BenchmarkOptionsTests {
  @Test(arguments: [("--tokns", "--tokns"), ("--tokns=3", "--tokns"), ("--=", "--"), ("--=3", "--")])
  func anUnknownOptionIsNamed(option: String, name: String) throws {
    let outcome = try Programs.run("alcove-bench", ["decode", option])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("there is no \(name); usage: alcove-bench decode"))
  }

  @Test func anOptionWithoutItsValueIsNamed() throws {
    let outcome = try Programs.run("alcove-bench", ["decode", "--tokens"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--tokens needs a value"))
  }

  @Test(arguments: ["three", "0", "-1"])
  func aCountThatIsNoneIsRefused(value: String) throws {
    let outcome = try Programs.run("alcove-bench", ["kernels", "--threads=\(value)"])
    #expect(outcome.exitCode == 2)
    #expect(outcome.errors.contains("--threads needs a count, not \(value)"))
  }

  @Test func everyCommandTellsHowItIsUsed() throws {
    let all = try Programs.run("alcove-bench", ["--help"])
    #expect(all.exitCode == 0)
    for name in ["decode", "prefill", "load", "kernels", "roofline", "embed"] {
      #expect(all.output.contains("  alcove-bench \(name) "))
      let outcome = try Programs.run("alcove-bench", [name, "--help"])
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.hasPrefix("alcove-bench \(name) "))
    }
  }
}
