import Foundation
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// KV caches come back from the disk as they were, or not at all.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct StateFileTests {
  static let prompt = TextGeneratorTests.prompt

  private func files(_ states: StateFiles) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: states.directory, includingPropertiesForKeys: nil)
  }

  @Test(arguments: ["llama-dense", "gemma3-dense", "qwen35-dense", "lfm2-dense", "gpt-oss-moe"])
  func aRestartedGeneratorGoesOnWhereItWas(name: String) async throws {
    let folder = try TemporaryFolder()
    let states = StateFiles(directory: folder.url.appending(path: "states"))
    let model = try TalkingModel(name)
    let next = Self.prompt + [5, 6, 7, 8]
    let cold = try await Answer(try await model.generator(), GenerationRequest(tokens: next, tokenLimit: 30))
    let first = try await model.generator()
    await first.useStates(in: states)
    _ = try await Answer(first, GenerationRequest(tokens: Self.prompt, tokenLimit: 1))
    #expect(try await first.saveState(tags: ["session-1"]) > 0)
    #expect(try await first.saveState(tags: ["session-1"]) == 0, "it is there already")
    for threads in 1...3 {
      let second = try await model.generator(threads: threads)
      await second.useStates(in: states)
      let warm = try await Answer(second, GenerationRequest(tokens: next, tokenLimit: 30))
      #expect(warm.text == cold.text)
      #expect(warm.metrics?.restoredTokenCount ?? 0 >= 99)
      #expect(warm.metrics?.reusedTokenCount == warm.metrics?.restoredTokenCount)
      // And when it parts from what was saved on the way: recurrent layers can only begin again there.
      let parting = Self.prompt.prefix(50) + [9, 10, 11]
      let other = try await Answer(second, GenerationRequest(tokens: Array(parting), tokenLimit: 20))
      let fresh = try await Answer(
        try await model.generator(), GenerationRequest(tokens: Array(parting), tokenLimit: 20))
      #expect(other.text == fresh.text)
    }
    for file in try files(states) {
      let facts = try FileManager.default.attributesOfItem(atPath: file.path)
      #expect(facts[.posixPermissions] as? Int == 0o600)
    }
    let facts = try FileManager.default.attributesOfItem(atPath: states.directory.path)
    #expect(facts[.posixPermissions] as? Int == 0o700)
  }

  @Test func recurrentModelsKeepTheSharedBeginning() async throws {
    let folder = try TemporaryFolder()
    let states = StateFiles(directory: folder.url)
    for name in ["qwen35-dense", "lfm2-dense"] {
      let model = try TalkingModel(name)
      let generator = try await model.generator()
      await generator.useStates(in: states)
      _ = try await Answer(
        generator, GenerationRequest(tokens: Self.prompt, tokenLimit: 5, sharedPrefixLength: 60))
      #expect(try await generator.saveState(length: 60) > 0)
      let other = Array(Self.prompt.prefix(60)) + [9, 8, 7, 6]
      let restarted = try await model.generator()
      await restarted.useStates(in: states)
      let warm = try await Answer(restarted, GenerationRequest(tokens: other, tokenLimit: 20))
      #expect(warm.metrics?.restoredTokenCount == 48)
      // The running generator goes back to the same place by itself.
      let here = try await Answer(generator, GenerationRequest(tokens: other, tokenLimit: 20))
      #expect(here.metrics?.reusedTokenCount == 48)
      let fresh = try await Answer(try await model.generator(), GenerationRequest(tokens: other, tokenLimit: 20))
      #expect(warm.text == fresh.text && here.text == fresh.text)
    }
  }

  @Test(arguments: ["llama-dense", "lfm2-dense"])
  func damagedFilesAreRefused(name: String) async throws {
    let folder = try TemporaryFolder()
    let states = StateFiles(directory: folder.url.appending(path: "states"))
    let model = try TalkingModel(name)
    let generator = try await model.generator()
    await generator.useStates(in: states)
    let request = GenerationRequest(tokens: Array(Self.prompt.prefix(40)), tokenLimit: 5)
    let right = try await Answer(generator, request)
    _ = try await generator.saveState(tags: ["a"])
    let path = try #require(try files(states).first)
    let sound = try Data(contentsOf: path)
    let headerEnd = 16 + sound[12..<16].reversed().reduce(0) { $0 << 8 | Int($1) }
    // Every byte of the header, some of the rest, and cuts everywhere.
    var random = SeededGenerator(seed: 9)
    let places =
      Array(0..<headerEnd) + (0..<150).map { _ in Int.random(in: headerEnd..<sound.count, using: &random) } + [
        sound.count - 1
      ]
    for place in places {
      var damaged = sound
      damaged[place] ^= UInt8(1 << (place % 8))
      try damaged.write(to: path)
      await generator.reset()
      let answer = try await Answer(generator, request)
      #expect(answer.text == right.text && answer.metrics?.restoredTokenCount == 0, "byte \(place)")
    }
    for cut in Array(stride(from: 0, to: headerEnd, by: 7))
      + (0..<60).map({ _ in Int.random(in: 0..<sound.count, using: &random) })
    {
      try sound.prefix(cut).write(to: path)
      await generator.reset()
      let answer = try await Answer(generator, request)
      #expect(answer.text == right.text && answer.metrics?.restoredTokenCount == 0, "cut at \(cut)")
    }
    try (sound + [0]).write(to: path)
    await generator.reset()
    #expect(try await Answer(generator, request).metrics?.restoredTokenCount == 0)
    // Another model's, and one with another cache.
    try sound.write(to: path)
    let other = try await TalkingModel("qwen2-dense").generator()
    await other.useStates(in: states)
    #expect(try await Answer(other, request).metrics?.restoredTokenCount == 0)
    var settings = LanguageModel.Settings()
    settings.cacheType = .f32
    let precise = TextGenerator()
    await precise.useStates(in: states)
    try await precise.load(path: model.path, settings: settings)
    #expect(try await Answer(precise, request).metrics?.restoredTokenCount == 0)
    // The sound file is still sound.
    try sound.write(to: path)
    await generator.reset()
    #expect(try await Answer(generator, request).metrics?.restoredTokenCount == 39)
  }

  @Test func whatComesFromASessionGoesWithIt() async throws {
    let folder = try TemporaryFolder()
    let states = StateFiles(directory: folder.url)
    let generator = try await TalkingModel("llama-dense").generator()
    await generator.useStates(in: states)
    for (index, tags) in [["s1"], ["s2", "doc"], ["s3", "doc"], []].enumerated() {
      let tokens = (0..<40).map { TokenID(3 + ($0 * 7 + index * 11) % 120) }
      _ = try await Answer(generator, GenerationRequest(tokens: tokens, tokenLimit: 2))
      #expect(try await generator.saveState(tags: Set(tags)) > 0)
    }
    #expect(try files(states).count == 4)
    #expect(try states.remove(taggedWith: "s1") == 1)
    #expect(try states.remove(taggedWith: "doc") == 2)
    try Data("garbage".utf8).write(to: folder.url.appending(path: "0.alcove-state"))
    try Data("half".utf8).write(to: folder.url.appending(path: "1.alcove-state.77.partial"))
    // What cannot be read might be anybody's.
    #expect(try states.remove(taggedWith: "nobody") == 1)
    #expect(try files(states).count == 1)
    #expect(try states.removeAll() == 1 && states.byteCount == 0)
    #expect(try StateFiles(directory: folder.url.appending(path: "none")).remove(taggedWith: "x") == 0)
  }

  @Test func theOldestMakeRoom() async throws {
    let folder = try TemporaryFolder()
    let generator = try await TalkingModel("llama-dense").generator()
    func say(_ index: Int) async throws {
      let tokens = (0..<40).map { TokenID(3 + ($0 * 7 + index * 11) % 120) }
      _ = try await Answer(generator, GenerationRequest(tokens: tokens, tokenLimit: 2))
    }
    let roomy = StateFiles(directory: folder.url)
    await generator.useStates(in: roomy)
    try await say(0)
    let size = try await generator.saveState()
    await generator.useStates(in: StateFiles(directory: folder.url, byteLimit: 3 * size + 100))
    for index in 1..<6 {
      try await say(index)
      _ = try await generator.saveState()
      // The first is used again and again.
      await generator.reset()
      try await say(0)
      #expect(roomy.byteCount <= 3 * size + 100)
    }
    await generator.reset()
    let tokens = (0..<40).map { TokenID(3 + ($0 * 7) % 120) }
    #expect(
      try await Answer(generator, GenerationRequest(tokens: tokens, tokenLimit: 2)).metrics?.restoredTokenCount
        == 39)
    await generator.useStates(in: StateFiles(directory: folder.url, byteLimit: 10))
    await #expect(throws: StateFileError.tooLarge(byteCount: size, limit: 10)) { try await generator.saveState() }
  }

  /// Saved KV caches of a conversation grow; earlier, shorter ones are not kept besides.
  @Test func aLongerStateReplacesItsBeginning() async throws {
    let folder = try TemporaryFolder()
    let states = StateFiles(directory: folder.url)
    let generator = try await TalkingModel("llama-dense").generator()
    await generator.useStates(in: states)
    for length in [40, 60, 80] {
      _ = try await Answer(generator, GenerationRequest(tokens: Array(Self.prompt.prefix(length)), tokenLimit: 0))
      _ = try await generator.saveState(tags: ["s"])
      #expect(try files(states).count == 1)
    }
  }
}
