import Foundation
import ModelFormats
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// Model files whose metadata lie: they load or they are refused, and what loads can be run.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct HostileModelTests {
  /// More with ALCOVE_FUZZ_COUNT.
  @Test(arguments: ["llama-dense", "gpt-oss-moe", "qwen35-dense", "lfm2-dense"])
  func mutatedMetadataNeverTrap(name: String) throws {
    let count = min(20_000, ProcessInfo.processInfo.environment["ALCOVE_FUZZ_COUNT"].flatMap(Int.init) ?? 300)
    let folder = try TemporaryFolder()
    let original = try Data(contentsOf: SharedData.file("engine/\(name).gguf"))
    let header = try GGUFFile(path: SharedData.file("engine/\(name).gguf").path).header
    let file = try folder.write("mutated.gguf", original)
    let handle = try FileHandle(forUpdating: file)
    var numbers = SeededGenerator(seed: UInt64(name.utf8.count))
    var settings = LanguageModel.Settings()
    settings.threadCount = 1
    var loadedCount = 0
    for _ in 0..<count {
      var bytes = [UInt8](original.prefix(header.dataOffset))
      for _ in 0...Int.random(in: 0..<2, using: &numbers) {
        let place = Int.random(in: 24..<bytes.count - 8, using: &numbers)
        let value = [0, 1, 2, 3, 7, 127, 128, 255].randomElement(using: &numbers) ?? 0
        bytes[place] =
          Bool.random(using: &numbers)
          ? UInt8(value) : bytes[place] ^ (1 << UInt8.random(in: 0..<8, using: &numbers))
      }
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: bytes)
      do {
        let model = try LanguageModel(path: file.path, settings: settings)
        _ = try model.logits(of: [1, 2, 3])
        loadedCount += 1
      } catch {
        // Any reason will do.
      }
    }
    #expect(loadedCount > 0)
  }

  @Test func aFileThatShrinksWhileInUseIsAnError() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("shrinking.gguf", try Data(contentsOf: SharedData.file("engine/llama-dense.gguf")))
    let model = try LanguageModel(path: file.path)
    try FileHandle(forUpdating: file).truncate(atOffset: 20_000)
    #expect(throws: TextGenerationError.self) { try model.logits(of: [1, 2, 3]) }
  }
}
