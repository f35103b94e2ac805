import Foundation
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
    for name in ["decode", "prefill", "busy", "batch", "load", "kernels", "roofline", "embed"] {
      #expect(all.output.contains("  alcove-bench \(name) "))
      let outcome = try Programs.run("alcove-bench", [name, "--help"])
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.hasPrefix("alcove-bench \(name) "))
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func aModelIsMeasuredBesideABusyProcess() throws {
    let model = SharedData.file("engine/llama-dense.gguf").path
    let outcome = try Programs.run(
      "alcove-bench", ["busy", model, "--tokens", "200", "--threads", "2", "--json"])
    #expect(outcome.exitCode == 0)
    let result = try JSONDecoder().decode([String: Double].self, from: Data(outcome.output.utf8))
    let both = try #require(result["tokens_per_second"]),
      one = try #require(result["tokens_per_second_one_thread"])
    #expect(result["tokens"] == 200)
    #expect(result["threads"] == 2)
    #expect(one > 0)
    #expect(abs(try #require(result["ratio"]) * one - both) < 1e-6 * both)
    #expect(try #require(result["other_share"]) > 0)
  }
}
