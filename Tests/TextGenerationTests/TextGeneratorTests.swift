import Compute
import Foundation
import ModelFormats
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// All that a generator said.
struct Answer {
  var text = ""
  var metrics: GenerationMetrics?
  var prefills: [Int] = []

  init(_ generator: TextGenerator, _ request: GenerationRequest) async throws {
    for try await event in generator.stream(request) {
      switch event {
      case .prefill(let done, _): prefills.append(done)
      case .text(let piece): text += piece
      case .finished(let metrics): self.metrics = metrics
      }
    }
  }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct TextGeneratorTests {
  static let prompt = (0..<100).map { TokenID(3 + ($0 * 31) % 125) }

  @Test(arguments: ["llama-dense", "gemma3-dense", "qwen35-dense", "lfm2-dense", "gpt-oss-moe"])
  func greedyTextIsTheSameAtAnyThreadCountAndWithAWarmCache(name: String) async throws {
    let model = try TalkingModel(name)
    let request = GenerationRequest(tokens: Self.prompt, tokenLimit: 40)
    let generator = try await model.generator()
    let cold = try await Answer(generator, request)
    #expect(!cold.text.isEmpty && cold.metrics?.reusedTokenCount == 0)
    #expect(cold.prefills.last == 100)
    for threads in 2...3 {
      let many = try await Answer(try await model.generator(threads: threads), request)
      #expect(many.text == cold.text, "\(threads) threads")
    }
    let warm = try await Answer(generator, request)
    #expect(warm.text == cold.text)
    #expect(warm.metrics?.reusedTokenCount == 99)
    // Another prompt that shares its beginning, and the first again.
    let other = try await Answer(
      generator, GenerationRequest(tokens: Self.prompt.prefix(60) + [5, 6], tokenLimit: 5))
    let fresh = try await Answer(
      try await model.generator(), GenerationRequest(tokens: Self.prompt.prefix(60) + [5, 6], tokenLimit: 5))
    #expect(other.text == fresh.text)
    #expect(try await Answer(generator, request).text == cold.text)
  }

  @Test func aSecondTurnEvaluatesOnlyItsOwn() async throws {
    for name in ["llama-dense", "qwen35-dense"] {
      let model = try TalkingModel(name)
      let generator = try await model.generator()
      let first = try await Answer(generator, GenerationRequest(tokens: Self.prompt, tokenLimit: 10))
      let tokenizer = try #require(await generator.description?.tokenizer)
      let said = first.text.split(separator: " ").compactMap { tokenizer.token(written: "\($0) ") }
      let second = Self.prompt + said + [7, 8, 9]
      let answer = try await Answer(generator, GenerationRequest(tokens: second, tokenLimit: 5))
      // The last generated token was never evaluated.
      #expect((answer.metrics?.reusedTokenCount ?? 0) >= 100 + said.count - 1, "\(name)")
      let cold = try await Answer(
        try await model.generator(), GenerationRequest(tokens: second, tokenLimit: 5))
      #expect(answer.text == cold.text, "\(name)")
    }
  }

  @Test func theSameSeedSaysTheSame() async throws {
    let generator = try await TalkingModel("llama-dense").generator()
    func say(_ seed: UInt64) async throws -> String {
      try await Answer(
        generator,
        GenerationRequest(tokens: Self.prompt, sampling: .temperature(1.5, seed: seed), tokenLimit: 30)
      ).text
    }
    let first = try await say(1)
    #expect(try await say(1) == first)
    #expect(try await say(2) != first)
  }

  @Test func endings() async throws {
    let generator = try await TalkingModel("llama-dense").generator()
    let long = try await Answer(generator, GenerationRequest(tokens: Self.prompt))
    #expect(long.metrics?.ending == .contextFull || long.metrics?.ending == .endOfGeneration)
    let limited = try await Answer(generator, GenerationRequest(tokens: Self.prompt, tokenLimit: 7))
    #expect(limited.metrics?.ending == .tokenLimit && limited.metrics?.generatedTokenCount == 7)
    let words = long.text.split(separator: " ")
    let stop = "\(words[2]) \(words[3])"
    let stopped = try await Answer(generator, GenerationRequest(tokens: Self.prompt, stopTexts: [stop]))
    #expect(stopped.metrics?.ending == .stopText)
    #expect(stopped.text == long.text.prefix(upTo: try #require(long.text.range(of: stop)).lowerBound))
    let none = try await Answer(generator, GenerationRequest(tokens: Self.prompt, tokenLimit: 0))
    #expect(none.text.isEmpty && none.metrics?.generatedTokenCount == 0)
  }

  @Test func stoppingEndsBeforeTheNextToken() async throws {
    for name in ["llama-dense", "qwen35-dense"] {
      let model = try TalkingModel(name)
      let generator = try await model.generator()
      var pieces = 0
      var metrics: GenerationMetrics?
      for try await event in generator.stream(GenerationRequest(tokens: [5, 6])) {
        if case .text = event {
          pieces += 1
          if pieces == 3 { generator.stop() }
        }
        if case .finished(let found) = event { metrics = found }
      }
      // So small a model may be done before it hears of it.
      #expect(metrics != nil)
      for try await event in generator.stream(GenerationRequest(tokens: Self.prompt)) {
        if case .prefill = event { break }
      }
      // What was abandoned leaves nothing wrong behind.
      let after = try await Answer(generator, GenerationRequest(tokens: Self.prompt, tokenLimit: 20))
      let fresh = try await Answer(
        try await model.generator(), GenerationRequest(tokens: Self.prompt, tokenLimit: 20))
      #expect(after.text == fresh.text)
    }
  }

  @Test func wrongRequestsAreErrors() async throws {
    let generator = try await TalkingModel("llama-dense").generator()
    await #expect(throws: TextGenerationError.emptyPrompt) {
      try await Answer(generator, GenerationRequest(tokens: []))
    }
    await #expect(throws: TextGenerationError.contextFull(needed: 300, capacity: 256)) {
      try await Answer(generator, GenerationRequest(tokens: Array(repeating: 5, count: 300)))
    }
    await #expect(throws: TextGenerationError.unknownToken(id: 999, vocabularySize: 128)) {
      try await Answer(generator, GenerationRequest(tokens: [5, 999]))
    }
    await generator.unload()
    await #expect(throws: TextGenerationError.noModel) {
      try await Answer(generator, GenerationRequest(tokens: [5]))
    }
  }

  @Test func anEmbedderDoesNotTalk() async throws {
    let path = SharedData.file("embeddings/all-minilm-l6-v2-q8_0.gguf").path
    await #expect(throws: TextGenerationError.wrongKind(architecture: "bert")) {
      try await TextGenerator().load(path: path)
    }
  }
}
