import Foundation
import Grammars
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// Speculative decoding never changes what is said.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct DraftingTests {
  /// Scores are the same to the bit whether tokens are evaluated alone or with others: that is what speculative
  /// decoding rests on.
  @Test(arguments: Reference.engineModels + Reference.quantizedModels)
  func scoresDoNotDependOnTheBatch(name: String) throws {
    let folder = Reference.engineModels.contains(name) ? "engine" : "quants"
    for cache in LanguageModel.CacheType.allCases {
      let single = try Reference.model("\(folder)/\(name)", cache: cache)
      let alone = try Reference.tokens.flatMap { try single.logits(of: [$0]) }
      for piece in [2, 3, 5, 6, 7, 16] {
        let model = try Reference.model("\(folder)/\(name)", cache: cache)
        var found: [Float] = []
        for start in stride(from: 0, to: 160, by: piece) {
          found += try model.logits(of: Array(Reference.tokens[start..<min(160, start + piece)]))
        }
        #expect(found == alone, "\(name), \(cache) in pieces of \(piece)")
      }
    }
  }

  /// A prompt that repeats itself, so that there is something to look up.
  static let prompt = (0..<60).map { TokenID(3 + ($0 % 20) * 5) }

  static let samplings: [SamplingSettings] = {
    var rich = SamplingSettings()
    (rich.temperature, rich.seed, rich.repeatPenalty, rich.xtcProbability) = (1.5, 4, 1.1, 0.3)
    rich.dry = DrySettings()
    var mirostat = SamplingSettings.temperature(0.3, seed: 5)
    mirostat.mirostat = MirostatSettings()
    return [.greedy, .temperature(0.2, seed: 1), .temperature(1, seed: 2), rich, mirostat]
  }()

  @Test(arguments: ["llama-dense", "gemma3-dense", "gpt-oss-moe", "qwen3moe-moe", "qwen35-dense"])
  func theAnswerIsTheSameWithAndWithoutGuesses(name: String) async throws {
    let model = try TalkingModel(name)
    var guessed = 0
    for threads in [1, 2, 3] {
      let generator = try await model.generator(threads: threads)
      for sampling in Self.samplings {
        var request = GenerationRequest(tokens: Self.prompt, sampling: sampling, tokenLimit: 80)
        request.drafting = .off
        let plain = try await Answer(generator, request)
        #expect(plain.metrics?.draftedTokenCount == 0)
        request.drafting = .lookup
        let looked = try await Answer(generator, request)
        #expect(looked.text == plain.text)
        #expect(looked.metrics?.ending == plain.metrics?.ending)
        #expect(looked.metrics?.generatedTokenCount == plain.metrics?.generatedTokenCount)
        guessed += looked.metrics?.acceptedTokenCount ?? 0
        // Wrong draft tokens left nothing behind.
        #expect(try await Answer(generator, request).text == plain.text)
      }
    }
    #expect(guessed > 0 || name == "qwen35-dense", "\(name) never had a right draft token")
  }

  @Test func aDraftModelChangesNothing() async throws {
    let model = try TalkingModel("llama-dense")
    // The model itself is always right, another one nearly never.
    for draft in ["llama-dense", "qwen2-dense"] {
      let generator = try await model.generator()
      let small = try TalkingModel(draft)
      for sampling in Self.samplings {
        var request = GenerationRequest(
          tokens: TextGeneratorTests.prompt, sampling: sampling, tokenLimit: 40, drafting: .off)
        let plain = try await Answer(generator, request)
        try await generator.loadDraft(path: small.path)
        request.drafting = .automatic
        let drafted = try await Answer(generator, request)
        #expect(drafted.text == plain.text)
        #expect(drafted.metrics?.draftedTokenCount ?? 0 > 0)
        if draft == "llama-dense", sampling.mirostat == nil {
          // The number of draft tokens goes by what they cost, and one as large as the model costs too much.
          #expect(drafted.metrics?.acceptedTokenCount ?? 0 > 0)
        }
        await generator.unloadDraft()
      }
    }
    let generator = try await model.generator()
    let (spelling, recurrent) = (
      try TalkingModel("llama-dense", spelling: true), try TalkingModel("qwen35-dense")
    )
    await #expect(throws: TextGenerationError.foreignDraft) {
      try await generator.loadDraft(path: spelling.path)
    }
    await #expect(throws: TextGenerationError.wrongKind(architecture: "qwen35")) {
      try await generator.loadDraft(path: recurrent.path)
    }
    withExtendedLifetime((spelling, recurrent)) {}
  }

  @Test func guessesKeepToLimitsAndStops() async throws {
    let generator = try await TalkingModel("llama-dense").generator()
    for limit in [0, 1, 2, 3, 7, 20, 50] {
      var request = GenerationRequest(tokens: Self.prompt, tokenLimit: limit, drafting: .off)
      let plain = try await Answer(generator, request)
      request.drafting = .lookup
      let looked = try await Answer(generator, request)
      #expect(looked.text == plain.text && looked.metrics?.generatedTokenCount ?? 0 <= limit)
    }
    // To the end of the context.
    var request = GenerationRequest(tokens: Self.prompt, sampling: .temperature(0.1, seed: 3), drafting: .off)
    request.sampling.logitBias = [2: -.infinity]
    let plain = try await Answer(generator, request)
    request.drafting = .lookup
    let looked = try await Answer(generator, request)
    #expect(looked.text == plain.text && looked.metrics?.ending == .contextFull)
    #expect(looked.metrics?.generatedTokenCount == plain.metrics?.generatedTokenCount)
    // Stop texts over the borders of tokens and of drafts.
    let words = plain.text.split(separator: " ")
    for place in [3, 11, 24] {
      let stop = String("\(words[place]) \(words[place + 1])".dropFirst())
      request.stopTexts = [stop]
      request.drafting = .off
      let one = try await Answer(generator, request)
      request.drafting = .lookup
      let other = try await Answer(generator, request)
      #expect(one.text == other.text && other.metrics?.ending == .stopText && !other.text.contains(stop))
    }
  }

  @Test func guessesKeepToTheGrammar() async throws {
    let generator = try await TalkingModel("llama-dense", spelling: true).generator()
    let grammar = try Grammar(
      jsonSchema:
        #"{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","maxLength":5},"n":{"type":"integer"}},"required":["name","n"]},"minItems":4}"#
    )
    for seed in 0..<5 {
      var request = GenerationRequest(
        tokens: [5, 6, 7], sampling: .temperature(1, seed: UInt64(seed)), tokenLimit: 150, grammar: grammar,
        drafting: .off)
      let plain = try await Answer(generator, request)
      request.drafting = .lookup
      let looked = try await Answer(generator, request)
      #expect(looked.text == plain.text)
      #expect(looked.metrics?.matchesGrammar == plain.metrics?.matchesGrammar)
    }
  }
}
