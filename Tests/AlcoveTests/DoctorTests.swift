import Foundation
import Persistence
import TestSupport
import Testing

/// The doctor finds what was broken on purpose, says the way out, and its exit code tells.
@Suite struct DoctorTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    try home.write("notes.txt", "The spare key is under the third flowerpot.\n")
    try run("add", home.url.appending(path: "notes.txt").path)
  }

  @discardableResult
  private func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Programs.Outcome {
    try Programs.run(
      "alcove", arguments, environment: ["ALCOVE_HOME": home.url.path].merging(environment) { $1 })
  }

  /// One finding by its name, and the exit code.
  private func examine(
    _ name: String, _ arguments: String..., environment: [String: String] = [:]
  ) throws -> (status: String, detail: String, wayOut: String?, exitCode: Int32) {
    let outcome = try Programs.run(
      "alcove", ["doctor", "--json"] + arguments,
      environment: ["ALCOVE_HOME": home.url.path].merging(environment) { $1 })
    let report = try #require(JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let findings = try #require(report["findings"] as? [[String: Any]])
    let finding = try #require(findings.first { $0["name"] as? String == name }, "\(outcome.output)")
    #expect((report["healthy"] as? Bool) == (outcome.exitCode == 0))
    return (
      try #require(finding["status"] as? String), try #require(finding["detail"] as? String),
      finding["wayOut"] as? String, outcome.exitCode
    )
  }

  private func damage(_ path: String, at offset: Int, _ bytes: [UInt8]) throws {
    let handle = try FileHandle(forUpdating: home.url.appending(path: path))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  @Test func aSoundInstallationIsHealthy() throws {
    let outcome = try run("doctor")
    #expect(outcome.exitCode == 0, "\(outcome.output)")
    for name in [
      "program alcove-reader", "SQLite", "processor", "memory", "disk of data", "database of library", "index",
      "embedder", "seccomp",
    ] { #expect(outcome.output.contains("\(name): "), "\(name)") }
    #expect(!outcome.output.contains("failed "))
    #expect(try examine("picture engine").status == "ok")
    #expect(try examine("embedder").detail.contains("384 numbers"))
  }

  @Test func aDamagedDatabaseFails() throws {
    let library = home.url.appending(path: "data/library.db")
    // What stands in the log would hide what is wrong in the file.
    Database.foldLog(of: library)
    let size = try Data(contentsOf: library).count
    try damage("data/library.db", at: 4096, [UInt8](repeating: 0xa5, count: size - 4096))
    let finding = try examine("database of library")
    #expect(finding.status == "failed" && finding.exitCode == 1)
    #expect(finding.wayOut?.contains("restore") == true)
  }

  @Test func settingsThatCannotBeReadFail() throws {
    try home.write("config/config.json", "{\"search.top\": ")
    let finding = try examine("settings")
    #expect(finding.status == "failed" && finding.exitCode == 1)
    #expect(finding.wayOut?.contains("config.json") == true)
  }

  @Test func modelsGoneChangedAndDamagedAreTold() throws {
    let bundled = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Resources/Models/all-minilm-l6-v2-q8_0.gguf"
    ).standardizedFileURL
    for name in ["gone.gguf", "changed.gguf"] {
      var copy = try Data(contentsOf: bundled)
      // Not the same content twice: the second would be called a duplicate.
      copy[copy.count - 1] ^= name == "gone.gguf" ? 1 : 2
      try copy.write(to: home.url.appending(path: name))
      #expect(try run("models", "import", "--copy", home.url.appending(path: name).path).exitCode == 0)
    }
    #expect(try examine("model changed.gguf", "--hash").status == "ok")
    try FileManager.default.removeItem(at: home.url.appending(path: "data/models/gone.gguf"))
    try damage("data/models/changed.gguf", at: 9_000_000, [1, 2, 3])
    let gone = try examine("model gone.gguf")
    #expect(gone.status == "failed" && gone.exitCode == 1 && gone.wayOut != nil)
    #expect(try examine("model changed.gguf").status == "warning")
    // Gone or changed files are reported by the listing too, and nothing crashes.
    let list = try run("models", "list").output
    #expect(list.contains("gone") && list.contains("changed since it came"))
    #expect(try run("models", "verify").exitCode == 4)
  }

  @Test func aModelThatCannotAnswerFails() throws {
    try home.write("broken.gguf", "GGUF and no more")
    let path = home.url.appending(path: "broken.gguf").path
    let finding = try examine("text engine", environment: ["ALCOVE_MODEL_FILE": path])
    #expect(finding.status == "failed" && finding.exitCode == 1 && finding.wayOut != nil)
    let embedder = try examine("embedder", environment: ["ALCOVE_EMBEDDER_FILE": path])
    #expect(embedder.status == "failed" && embedder.exitCode == 1)
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func aModelForPicturesTakesAStep() throws {
    let folder = SharedData.file("diffusion/tiny-sd15").path
    #expect(try run("models", "import", folder).exitCode == 0)
    let chosen = try run("models", "use", "--image", "tiny-sd15")
    #expect(chosen.exitCode == 0, "\(chosen.errors)")
    let finding = try examine("picture model")
    #expect(finding.status == "ok" && finding.detail.contains(", 1 step"), "\(finding.detail)")
    // An image model that is a file of something else.
    try home.write("broken.safetensors", "no tensors")
    let broken = home.url.appending(path: "broken.safetensors").path
    try run("set", "image.model", broken)
    let failed = try examine("picture model")
    #expect(failed.status == "failed" && failed.exitCode == 1 && failed.wayOut != nil, "\(failed.detail)")
  }

  @Test func littleMemoryAndStrainAreWarnings() throws {
    let root = try TemporaryFolder()
    try root.write("proc/meminfo", "MemTotal: 4000000 kB\nMemAvailable: 300000 kB\n")
    try root.write("sys/firmware/acpi/platform_profile", "low-power")
    let system = ["ALCOVE_SYSTEM_ROOT": root.url.path]
    #expect(try examine("memory", environment: system).status == "warning")
    let power = try examine("power and heat", environment: system)
    #expect(power.status == "warning" && power.exitCode == 0 && power.detail.contains("low-power"))
  }
}
