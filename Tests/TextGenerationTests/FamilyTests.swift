import Compute
import Foundation
import ModelFormats
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// A tiny model of any family with random weights: it has the tensors that loading asks for, in the shapes it asks for.
struct RandomModel {
  private static let width = 64
  private static let sizes: [String: [Int]] = [
    "token_embd": [64, 40], "position_embd": [64, 128], "attn_q": [64, 64], "attn_k": [64, 32],
    "attn_v": [64, 32], "attn_output": [64, 64], "ffn_up": [64, 96], "ffn_gate": [64, 96], "ffn_down": [96, 64],
    "ffn_gate_inp": [64, 4], "ffn_up_exps": [64, 32, 4], "ffn_gate_exps": [64, 32, 4],
    "ffn_down_exps": [32, 64, 4], "ffn_up_shexp": [64, 32], "ffn_gate_shexp": [64, 32],
    "ffn_down_shexp": [32, 64],
    "attn_q_norm": [16], "attn_k_norm": [16],
  ]

  let path: String
  private let folder = try? TemporaryFolder()
  private var shapes: [String: [Int]] = [:]

  /// - Parameter hasExperts: whether feed-forward networks are experts.
  init(_ family: String, hasExperts: Bool) throws {
    path = try #require(folder).url.appending(path: "\(family).gguf").path
    var names = ["token_embd"]
    if ["gpt2", "starcoder", "bert"].contains(family) { names.append("position_embd") }
    for layer in 0..<2 {
      let parts =
        hasExperts ? ["ffn_gate_inp", "ffn_up_exps", "ffn_gate_exps", "ffn_down_exps", "ffn_up_shexp"] : []
      for part in parts { names.append("blk.\(layer).\(part)") }
    }
    for name in names { shapes["\(name).weight"] = Self.guess(name) }
    // Loading says what is missing or misshapen until all is there.
    for _ in 0..<200 {
      try write(family, hasExperts: hasExperts)
      do {
        _ = try LanguageModel(path: path)
        return
      } catch .file(.missingTensor(let name)) {
        shapes[name] = Self.guess(name.replacing(".weight", with: ""))
      } catch .file(.wrongShape(let name, let expected, _)) {
        shapes[name] = expected
      }
    }
  }

  private static func guess(_ name: String) -> [Int] {
    sizes[name.split(separator: ".").last.map(String.init) ?? ""] ?? [width]
  }

  private func write(_ family: String, hasExperts: Bool) throws {
    var writer = GGUFWriter()
    writer.set("general.architecture", .string(family))
    let integers = [
      "block_count": 2, "context_length": 128, "embedding_length": Self.width, "feed_forward_length": 96,
      "attention.head_count": 4, "ssm.conv_kernel": 4, "ssm.state_size": 16, "ssm.group_count": 2,
      "ssm.time_step_rank": 4, "ssm.inner_size": 64, "shortconv.l_cache": 3, "attention.sliding_window": 8,
      "full_attention_interval": 2, "expert_count": hasExperts ? 4 : 0, "expert_used_count": hasExperts ? 2 : 0,
    ]
    for (key, value) in integers { writer.set("\(family).\(key)", .uint32(UInt32(value))) }
    let heads: [Int32] = family.hasPrefix("lfm2") ? [0, 2] : [2, 2]
    writer.set("\(family).attention.head_count_kv", .array(GGUFArray(heads)))
    writer.set("\(family).rope.dimension_sections", .array(GGUFArray([3, 3, 2, 0] as [Int32])))
    for key in ["layer_norm_epsilon", "layer_norm_rms_epsilon"] {
      writer.set("\(family).attention.\(key)", .float32(1e-5))
    }
    for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) {
      var numbers = RandomSource(seed: UInt64(name.utf8.reduce(7) { ($0 &* 31 &+ Int($1)) & 0xFFFF }))
      let count = shape.reduce(1, *)
      let isNorm = name.contains("norm")
      writer.add(
        name, dimensions: shape,
        (0..<count).map { _ in Float(numbers.nextUnit() - 0.5) * (isNorm ? 0.4 : 0.3) + (isNorm ? 1 : 0) })
    }
    try writer.write(to: path)
  }
}

@Suite struct FamilyTests {
  static let decoders = ModelConfiguration.supportedArchitectures.filter { !$0.isEncoder }.map(\.name)
  static let encoders = ModelConfiguration.supportedArchitectures.filter(\.isEncoder).map(\.name)
  static let tokens = (0..<24).map { TokenID(($0 * 17 + 3) % 40) }

  /// Results of a family do not depend on how a text is cut.
  @Test(arguments: decoders, [false, true])
  func piecesGiveTheSame(family: String, hasExperts: Bool) throws {
    let random = try RandomModel(family, hasExperts: hasExperts)
    var settings = LanguageModel.Settings()
    settings.cacheType = .f32
    settings.threadCount = 1
    let whole = try LanguageModel(path: random.path, settings: settings).logits(of: Self.tokens)
    #expect(whole.allSatisfy { $0.isFinite })
    #expect(Set(whole.prefix(40)).count > 30, "logits differ among tokens")
    let model = try LanguageModel(path: random.path, settings: settings)
    var pieces: [Float] = []
    for range in [0..<1, 1..<6, 6..<7, 7..<24] { pieces += try model.logits(of: Array(Self.tokens[range])) }
    #expect(Reference.deviation(pieces, whole) < 1e-10)
    let last = try LanguageModel(path: random.path, settings: settings).logits(of: Self.tokens, last: 3)
    #expect(last == whole.suffix(3 * 40))
  }

  @Test(arguments: encoders)
  func vectorsHaveLengthOne(family: String) throws {
    let random = try RandomModel(family, hasExperts: family.hasSuffix("moe"))
    let model = try LanguageModel(path: random.path)
    let vector = try model.embedding(of: Self.tokens)
    let other = try model.embedding(of: Array(Self.tokens.reversed()))
    #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-4)
    #expect(vector != other)
    let texts = [Self.tokens, Array(Self.tokens[3..<5]), Array(Self.tokens[2...])]
    #expect(try model.embeddings(of: texts) == texts.map { try model.embedding(of: $0) })
    #expect(throws: TextGenerationError.wrongKind(architecture: family)) { try model.logits(of: [1]) }
  }

  @Test func anUnknownFamilyIsToldTheKnownOnes() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "x.gguf").path
    var writer = GGUFWriter()
    writer.set("general.architecture", .string("abacus"))
    try writer.write(to: path)
    let supported = ModelConfiguration.supportedArchitectures.map(\.name)
    #expect(supported.contains("llama") && supported == supported.sorted())
    #expect(throws: TextGenerationError.unsupportedArchitecture(found: "abacus", supported: supported)) {
      try LanguageModel(path: path)
    }
  }
}
