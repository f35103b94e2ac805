import Compute
import Foundation
import ModelFormats
import TestSupport
import Testing

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct GGUFQuantizerTests {
  private static let source = "engine/llama-dense.gguf"
  private static let references = [
    "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q2_K", "Q3_K_M", "Q4_K_M", "Q5_K_M", "Q6_K", "IQ4_NL",
    "IQ4_XS", "MXFP4_MOE",
  ]
  private let folder: TemporaryFolder
  private var output: String { folder.url.appending(path: "out.gguf").path }

  init() throws { folder = try TemporaryFolder() }

  private func quantizer(_ name: String, of path: String = source) throws -> GGUFQuantizer {
    let type = try #require(QuantizedFileType(name: name))
    return try GGUFQuantizer(GGUFFile(path: SharedData.file(path).path), as: type)
  }

  private func values(_ name: String, _ file: GGUFFile) throws -> [Float] {
    let (tensor, mapped) = try #require(file.tensor(name))
    let start = try #require(mapped.bytes.baseAddress)
    return [Float](unsafeUninitializedCapacity: tensor.elementCount) { buffer, count in
      count = tensor.elementCount
      if let output = buffer.baseAddress {
        tensor.type.dequantize(start + tensor.offset, count: count, into: output)
      }
    }
  }

  private func error(_ one: [Float], _ other: [Float]) -> Double {
    let sum = zip(one, other).reduce(0.0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
    return (sum / Double(one.count)).squareRoot()
  }

  /// The same tensors in the same types as llama.cpp's file, and no tensor further from the source than a tenth more.
  @Test(arguments: references)
  func mixAndErrorAreThoseOfTheReference(name: String) throws {
    try quantizer(name).write(to: output)
    let (ours, theirs) = (
      try GGUFFile(path: output), try GGUFFile(path: SharedData.file("quants/llama-\(name).gguf").path)
    )
    let source = try GGUFFile(path: SharedData.file(Self.source).path)
    #expect(ours.header["general.file_type"] == theirs.header["general.file_type"])
    #expect(ours.header["general.quantization_version"] == .uint32(2))
    for key in source.header.keys where key != "general.file_type" {
      #expect(ours.header[key] == source.header[key], "\(key)")
    }
    #expect(ours.tensors.map(\.name) == source.tensors.map(\.name))
    for tensor in ours.tensors {
      #expect(tensor.type == theirs.tensor(tensor.name)?.tensor.type, "\(tensor.name)")
      let exact = try values(tensor.name, source)
      let ourError = error(try values(tensor.name, ours), exact)
      let theirError = error(try values(tensor.name, theirs), exact)
      #expect(ourError <= 1.1 * theirError, "\(name) \(tensor.name): \(ourError / theirError)")
    }
  }

  /// The choices depend on the layer, the sharing of heads and the experts; a model's header is enough to see them.
  @Test func largerModelsGetTheUsualMixes() throws {
    let names = ["attn_v", "ffn_down", "attn_output", "attn_q"]
    func types(_ mix: String, heads: Int32, experts: Int32, columns: Int = 256) throws -> [String: TensorType] {
      var writer = GGUFWriter()
      writer.set("general.architecture", .string("llama"))
      writer.set("llama.block_count", .uint32(32))
      writer.set("llama.attention.head_count", .int32(heads))
      writer.set("llama.attention.head_count_kv", .int32(8))
      writer.set("llama.expert_count", .int32(experts))
      func add(_ name: String, _ dimensions: [Int]) {
        writer.add(
          name, dimensions: dimensions, type: .f16, bytes: .init(repeating: 0, count: dimensions.reduce(2, *)))
      }
      add("token_embd.weight", [columns, 2])
      for layer in (0..<32).reversed() { for name in names { add("blk.\(layer).\(name).weight", [columns, 2]) } }
      add("blk.0.ffn_up_exps.weight", [columns, 2, 2])
      add("blk.0.ffn_gate_inp.weight", [columns, 2])
      add("blk.0.ssm_conv1d.weight", [4, 2])
      add("blk.0.attn_q.bias", [columns])
      try writer.write(to: folder.url.appending(path: "model.gguf").path)
      let file = try GGUFFile(path: folder.url.appending(path: "model.gguf").path)
      let quantizer = try GGUFQuantizer(file, as: try #require(QuantizedFileType(name: mix)))
      return Dictionary(uniqueKeysWithValues: quantizer.steps.map { ($0.tensor.name, $0.type) })
    }
    func layers(_ types: [String: TensorType], _ name: String, _ type: TensorType) -> [Int] {
      (0..<32).filter { types["blk.\($0).\(name).weight"] == type }
    }
    let more = [0, 1, 2, 3, 6, 9, 12, 15, 18, 21, 24, 27, 28, 29, 30, 31]
    let medium = try types("q4_k", heads: 8, experts: 0)
    #expect(medium["token_embd.weight"] == .q6_K, "the embeddings are the output")
    #expect(layers(medium, "attn_v", .q6_K) == more && layers(medium, "ffn_down", .q6_K) == more)
    #expect(layers(medium, "attn_q", .q4_K).count == 32)
    for name in ["ffn_gate_inp.weight", "ssm_conv1d.weight", "attn_q.bias"] {
      #expect(medium["blk.0.\(name)"] == .f16)
    }
    let small = try types("Q4_K_S", heads: 8, experts: 0)
    #expect(layers(small, "attn_v", .q5_K) == [0, 1, 2, 3] && layers(small, "ffn_down", .q5_K) == [0, 1, 2, 3])
    let least = try types("Q2_K", heads: 32, experts: 0)
    #expect(layers(least, "attn_v", .q4_K).count == 32 && layers(least, "ffn_down", .q3_K).count == 32)
    let third = try types("Q3_K_M", heads: 8, experts: 0)
    #expect(layers(third, "attn_v", .q5_K) == [0, 1] && layers(third, "ffn_down", .q5_K) == [0, 1])
    #expect(layers(third, "attn_output", .q4_K).count == 32)
    let experts = try types("Q4_K_M", heads: 8, experts: 8)
    #expect(layers(experts, "attn_v", .q8_0).count == 32 && layers(experts, "attn_output", .q5_K).count == 32)
    let mixture = try types("MXFP4_MOE", heads: 8, experts: 4)
    #expect(mixture["blk.0.ffn_up_exps.weight"] == .mxfp4 && mixture["blk.0.attn_q.weight"] == .q8_0)
    let odd = try types("Q4_K_M", heads: 8, experts: 0, columns: 40)
    #expect(Set(odd.values) == [.f16], "rows that no block divides stay halves")
  }

  @Test func quantizedSourcesAndExpertsAreWrittenToo() throws {
    try quantizer("Q4_0", of: "quants/llama-IQ3_S.gguf").write(to: output)
    #expect(try GGUFFile(path: output).tensor("blk.0.ffn_up.weight")?.tensor.type == .q4_0)
    try quantizer("MXFP4_MOE", of: "engine/gpt-oss-moe.gguf").write(to: output, replacing: true)
    let types = Set(try GGUFFile(path: output).tensors.filter { $0.name.contains("_exps.weight") }.map(\.type))
    #expect(types == [.mxfp4])
  }

  @Test func bytesAreTheSameAtAnyThreadCount() throws {
    let other = folder.url.appending(path: "other.gguf").path
    try quantizer("Q4_K_M").write(to: output, context: ComputeContext(threadCount: 1))
    try quantizer("q4_k_m").write(to: other, context: ComputeContext(threadCount: 3))
    #expect(try Data(contentsOf: URL(filePath: output)) == Data(contentsOf: URL(filePath: other)))
  }

  @Test func nothingIsReplacedUnasked() throws {
    let copy = folder.url.appending(path: "in.gguf")
    try FileManager.default.copyItem(at: SharedData.file(Self.source), to: copy)
    let link = folder.url.appending(path: "link.gguf")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: copy)
    let quantizer = try GGUFQuantizer(GGUFFile(path: copy.path), as: .q8_0)
    for path in [copy.path, link.path] {
      #expect(throws: QuantizationError.isSource(path: path)) { try quantizer.write(to: path, replacing: true) }
    }
    try folder.write("out.gguf", "mine")
    #expect(throws: QuantizationError.exists(path: output, isFile: true)) { try quantizer.write(to: output) }
    #expect(try String(contentsOf: URL(filePath: output), encoding: .utf8) == "mine")
    #expect(throws: QuantizationError.exists(path: folder.url.path, isFile: false)) {
      try quantizer.write(to: folder.url.path, replacing: true)
    }
    try quantizer.write(to: output, replacing: true)
    #expect(try GGUFFile(path: output).header["general.file_type"] == .uint32(7))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 3)
  }

  @Test func aStoppedOneLeavesNothing() async throws {
    let quantizer = try quantizer("Q8_0")
    let output = output
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try quantizer.write(to: output)
    }
    await #expect(throws: QuantizationError.stopped) { try await task.value }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
  }

  @Test func partsBecomeOneFile() throws {
    let whole = try GGUFFile(path: SharedData.file(Self.source).path)
    let half = whole.tensors.count / 2
    for (number, tensors) in [whole.tensors[..<half], whole.tensors[half...]].enumerated() {
      var writer = GGUFWriter()
      if number == 0 {
        for key in whole.header.keys { if let value = whole.header[key] { writer.set(key, value) } }
      }
      writer.set("split.no", .uint16(UInt16(number)))
      writer.set("split.count", .uint16(2))
      writer.set("split.tensors.count", .int32(Int32(whole.tensors.count)))
      for tensor in tensors {
        let bytes = [UInt8](
          try #require(whole.tensor(tensor.name)).file.bytes[tensor.offset..<tensor.offset + tensor.byteCount])
        writer.add(tensor.name, dimensions: tensor.dimensions, type: tensor.type, bytes: bytes)
      }
      try writer.write(to: folder.url.appending(path: "in-0000\(number + 1)-of-00002.gguf").path)
    }
    let parts = try GGUFFile(path: folder.url.appending(path: "in-00002-of-00002.gguf").path)
    try GGUFQuantizer(parts, as: .q6_K).write(to: output)
    let other = folder.url.appending(path: "other.gguf").path
    try quantizer("Q6_K").write(to: other)
    let (joined, plain) = (try GGUFFile(path: output), try GGUFFile(path: other))
    #expect(joined.header["split.count"] == nil)
    #expect(joined.tensors.map(\.name) == plain.tensors.map(\.name))
    for tensor in plain.tensors { #expect(try values(tensor.name, joined) == values(tensor.name, plain)) }
  }
}
