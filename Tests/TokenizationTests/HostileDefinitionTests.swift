import Foundation
import TestSupport
import Testing
import Tokenization

@Suite struct HostileDefinitionTests {
  @Test func eachFaultIsNamed() {
    func error(_ change: (inout TokenizerDefinition) -> Void) -> TokenizationError? {
      var definition = TokenizerDefinition(model: "llama")
      definition.tokens = ["<unk>", "<s>", "</s>", "a"]
      change(&definition)
      do {
        _ = try Tokenizer(definition)
        return nil
      } catch { return error }
    }
    #expect(error { _ in } == nil)
    #expect(error { $0.model = "rwkv" } == .unsupportedModel("rwkv"))
    #expect(error { $0.tokens = [] } == .emptyVocabulary)
    #expect(error { $0.scores = [1, 2, 3] } == .tooShort(.scores, count: 3, needed: 4))
    #expect(error { $0.tokenTypes = [1] } == .tooShort(.tokenTypes, count: 1, needed: 4))
    #expect(
      error { $0.tokens.append(repeatElement(0x61, count: 16_385)) }
        == .tooLong(.tokens, index: 4, byteCount: 16_385))
    #expect(error { $0.model = "gpt2" } == .mergesMissing)
    #expect(
      error {
        $0.model = "gpt2"
        $0.preTokenizer = "new"
      } == .unknownPreTokenizer("new"))
    #expect(error { $0.tokens = ["a"] } == .specialTokenMissing(.beginningOfText))
    #expect(
      error {
        $0.addsEndOfText = true
        $0.tokens = ["a", "b"]
      } == .specialTokenMissing(.endOfText))
    #expect(
      error {
        $0.model = "t5"
        $0.characterMap = [255, 255, 255, 255, 0]
      } == .damagedCharacterMap(byteCount: 5))
  }

  @Test func idsOutOfRangeFallBackToDefaults() throws {
    var definition = TokenizerDefinition(model: "llama")
    definition.tokens = ["<unk>", "<s>", "</s>", "a"]
    definition.specialIDs.bos = 4_000_000_000
    definition.specialIDs.eos = -1
    definition.specialIDs.unknown = 9
    let tokenizer = try Tokenizer(definition)
    #expect(tokenizer.special.beginningOfText == 1)
    #expect(tokenizer.special.endOfText == 2)
    #expect(tokenizer.special.unknown == 0)
    #expect(tokenizer.special.mask == nil)
  }

  @Test func ofEqualTokensTheFirstCounts() throws {
    var definition = TokenizerDefinition(model: "llama")
    definition.tokens = ["<unk>", "<s>", "</s>", "a", "a", "▁"]
    definition.addsSpacePrefix = false
    #expect(try Tokenizer(definition).encode("aa") == [3, 3])
  }

  @Test func byteTokensThatAreNoneStandForThemselves() throws {
    var definition = TokenizerDefinition(model: "llama")
    definition.tokens = ["<unk>", "<s>", "</s>", "<0x-1>", "<0xGG>", "<0x41>", "<0x", ">"]
    definition.tokenTypes = [2, 3, 3, 6, 6, 6, 6, 6]
    let tokenizer = try Tokenizer(definition)
    #expect(tokenizer.piece(of: 3) == Array("<0x-1>".utf8))
    #expect(tokenizer.piece(of: 4) == Array("<0xGG>".utf8))
    #expect(tokenizer.piece(of: 5) == [0x41])
    #expect(tokenizer.encode("A") == [0, 0, 0, 5])
  }

  /// Definitions of nothing but nonsense make an error or a tokenizer that keeps to its vocabulary.
  @Test func nonsenseNeverTraps() {
    var random = SeededGenerator(seed: 41)
    let count = ProcessInfo.processInfo.environment["ALCOVE_FUZZ"].flatMap(Int.init) ?? 4_000
    var made = 0
    for _ in 0..<count {
      let definition = Self.nonsense(&random)
      guard let tokenizer = try? Tokenizer(definition) else { continue }
      made += 1
      for _ in 0..<3 {
        let text = Self.text(&random)
        let range = 0..<TokenID(tokenizer.count)
        for ids in [
          tokenizer.encode(text), tokenizer.encode(text, parseSpecial: true, addSpecial: true),
          tokenizer.encode([TextPiece(text, isTrusted: true), TextPiece(Self.text(&random), isTrusted: false)]),
        ] {
          #expect(ids.allSatisfy { range.contains($0) })
          _ = tokenizer.decode(ids)
        }
        _ = tokenizer.decode(
          (0..<9).map { _ in TokenID(truncatingIfNeeded: Int.random(in: -3...60, using: &random)) })
      }
    }
    #expect(made > count / 20)
  }

  private static let parts: [[UInt8]] =
    [
      "", "a", "b", "ab", "▁", "▁a", "Ġ", "Ġa", "<s>", "</s>", "<unk>", "<|im_end|>", "<0x41>", "<0x-1>", "<0x0A>",
      "é",
      "中", "😀", "'", "1", "12", "\n", " ", "  ", "unused", "[MASK]", "[EMPTY_3]", "<|channel|>", "<mask>", "aa",
      "aaa",
    ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE2, 0x96], [0], [0x80, 0x80], [0xF8, 0x88, 0x80, 0x80]]

  private static func nonsense(_ random: inout SeededGenerator) -> TokenizerDefinition {
    let models = ["llama", "gpt2", "gemma4", "bert", "t5", "whitespace", "none"]
    let names = [
      "", "default", "llama-bpe", "qwen2", "gemma4", "whitespace", "superbpe", "afmoe", "kimi-k2", "tekken", "x",
    ]
    func pick<T>(_ list: [T]) -> T { list[Int.random(in: 0..<list.count, using: &random)] }
    var definition = TokenizerDefinition(model: pick(models), preTokenizer: pick(names))
    definition.modelName = pick(["", "Phi-3", "modern-bert"])
    definition.architecture = pick(["", "jina-bert-v3"])
    let count = Int.random(in: 0...40, using: &random)
    for _ in 0..<count { definition.tokens.append(pick(parts) + (Bool.random(using: &random) ? pick(parts) : [])) }
    if Bool.random(using: &random) {
      let scores: [Float] = [0, -1, -0.5, .nan, .infinity, -.infinity, 1e38, -1e38, -0.0]
      definition.scores = (0..<max(0, count - pick([0, 0, 0, 1]))).map { _ in pick(scores) }
    }
    if Bool.random(using: &random) {
      definition.tokenTypes = (0..<count + pick([0, 0, 3])).map { _ in pick([1, 1, 1, 2, 3, 4, 5, 6, 0, -1, 99]) }
    }
    definition.hasMerges = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      definition.merges.append(pick(parts) + pick([[0x20], [0x20], [0x20], [], [0x20, 0x20]]) + pick(parts))
    }
    let ids = [nil, 0, 1, 2, 5, count - 1, count, -1, Int.max, Int.min, 4_294_967_295]
    definition.specialIDs.bos = pick(ids)
    definition.specialIDs.eos = pick(ids)
    definition.specialIDs.eot = pick(ids)
    definition.specialIDs.unknown = pick(ids)
    definition.specialIDs.separator = pick(ids)
    definition.specialIDs.fillPadding = pick(ids)
    definition.addsBeginningOfText = pick([nil, true, false])
    definition.addsEndOfText = pick([nil, true, false])
    definition.addsSpacePrefix = pick([nil, true, false])
    definition.removesExtraSpaces = pick([nil, true, false])
    definition.lowercases = pick([nil, true, false])
    if Bool.random(using: &random) {
      let units = Int.random(in: 0...300, using: &random)
      definition.characterMap = [UInt8(units * 4 & 0xFF), UInt8(units * 4 >> 8), 0, 0]
      for _ in 0..<units * 4 + 8 { definition.characterMap.append(UInt8.random(in: 0...255, using: &random)) }
      if Bool.random(using: &random) { definition.characterMap.append(0) }
    }
    return definition
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      if Bool.random(using: &random) {
        let part = parts[Int.random(in: 0..<parts.count, using: &random)]
        text.append(contentsOf: String(decoding: part, as: UTF8.self).unicodeScalars)
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
