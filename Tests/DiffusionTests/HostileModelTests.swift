import Compute
import Diffusion
import Foundation
import Images
import ModelFormats
import TestSupport
import Testing

/// Damaged and foreign files give errors that say what is wrong, and never end the program.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct HostileModelTests {
  private static let rounds = ProcessInfo.processInfo.environment["ALCOVE_FUZZ_ROUNDS"].flatMap { Int($0) } ?? 12
  private static let merges =
    SharedData.isPresent ? SharedData.file("diffusion/tiny-sd15/tokenizer/merges.txt").path : ""

  /// Opens a model and makes one step; whatever comes of it is a result or an error.
  @discardableResult
  private func attempt(_ path: String) async throws -> DiffusionError? {
    do {
      let engine = try DiffusionEngine(
        path: path, settings: DiffusionSettings(threadCount: 1, merges: Self.merges))
      var request = DiffusionRequest(prompt: "a boat", width: 128, height: 128, steps: 1)
      request.initial = PixelImage(width: 1, height: 1, bytes: [1, 2, 3])
      for try await _ in engine.generate(request) {}
      return nil
    } catch let error as DiffusionError {
      return error
    }
  }

  private func copy(_ name: String, _ folder: TemporaryFolder) throws -> String {
    let path = folder.url.appending(path: name).path
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
    try MadeCheckpoint.copyFolder(DiffusionReference.path(name), to: path)
    return path
  }

  private static let files = [
    "unet/diffusion_pytorch_model.safetensors", "vae/diffusion_pytorch_model.safetensors",
    "text_encoder/model.safetensors",
  ]

  private func replace(_ path: String, _ data: Data) throws {
    try FileManager.default.removeItem(atPath: path)
    try data.write(to: URL(filePath: path))
  }

  @Test(arguments: files) func truncatedWeights(file: String) async throws {
    let folder = try TemporaryFolder()
    let model = try copy("tiny-sd15", folder)
    let whole = try Data(contentsOf: URL(filePath: "\(model)/\(file)"))
    let header = Int(whole.prefix(8).enumerated().reduce(UInt64(0)) { $0 | UInt64($1.element) << (8 * $1.offset) })
    for length in [
      0, 1, 7, 8, 9, 100, header / 2, header + 7, header + 8, header + 9, whole.count / 2, whole.count - 1,
    ] {
      try replace("\(model)/\(file)", whole.prefix(length))
      #expect(try await attempt(model) != nil, "\(file) cut at \(length)")
    }
  }

  @Test(arguments: files) func flippedWeights(file: String) async throws {
    let folder = try TemporaryFolder()
    let model = try copy("tiny-sd15", folder)
    let whole = try Data(contentsOf: URL(filePath: "\(model)/\(file)"))
    var random = SeededGenerator(seed: 9)
    for round in 0..<Self.rounds {
      var damaged = whole
      // Every other time in the header, with its names, shapes and offsets.
      let range = round % 2 == 0 ? 0..<40_000 : 0..<whole.count
      for _ in 0..<(round % 3 == 0 ? 40 : 1) {
        damaged[Int.random(in: range, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      try replace("\(model)/\(file)", damaged)
      try await attempt(model)
    }
  }

  @Test func flippedConfigurations() async throws {
    let folder = try TemporaryFolder()
    var random = SeededGenerator(seed: 10)
    let files = [
      "unet/config.json", "vae/config.json", "text_encoder/config.json", "scheduler/scheduler_config.json",
      "tokenizer/tokenizer_config.json", "model_index.json",
    ]
    let model = try copy("tiny-sd15", folder)
    for file in files {
      let path = "\(model)/\(file)"
      let whole = try Data(contentsOf: URL(filePath: path))
      for _ in 0..<Self.rounds {
        var damaged = whole
        damaged[Int.random(in: 0..<whole.count, using: &random)] = UInt8.random(in: 0x20..<0x7F, using: &random)
        try replace(path, damaged)
        try await attempt(model)
      }
      try replace(path, whole)
    }
    for (file, text) in [
      ("unet/config.json", #"{"norm_num_groups": 7}"#), ("unet/config.json", #"{"norm_num_groups": -1}"#),
      ("unet/config.json", #"{"attention_head_dim": [8, 1e99]}"#),
      ("unet/config.json", #"{"attention_head_dim": []}"#),
      ("unet/config.json", #"{"attention_head_dim": 5}"#), ("unet/config.json", "[]"), ("unet/config.json", ""),
      ("vae/config.json", #"{"scaling_factor": 0}"#), ("vae/config.json", #"{"norm_num_groups": "x"}"#),
      ("scheduler/scheduler_config.json", #"{"num_train_timesteps": 0}"#),
      ("scheduler/scheduler_config.json", #"{"beta_end": 1}"#),
      ("scheduler/scheduler_config.json", #"{"prediction_type": "mood"}"#),
      ("text_encoder/config.json", #"{"num_attention_heads": 0}"#),
      ("text_encoder/config.json", #"{"hidden_act": "none"}"#), ("tokenizer/vocab.json", #"{"a": 5}"#),
      ("tokenizer/vocab.json", "{"), ("tokenizer/merges.txt", ""),
    ] {
      let path = "\(model)/\(file)"
      let whole = try Data(contentsOf: URL(filePath: path))
      try replace(path, Data(text.utf8))
      #expect(try await attempt(model) != nil, "\(file): \(text)")
      try replace(path, whole)
    }
    #expect(try await attempt(model) == nil)
  }

  @Test func missingAndForeignParts() async throws {
    let folder = try TemporaryFolder()
    for (part, name) in [
      ("unet", "unet"), ("vae", "vae"), ("text_encoder", "text_encoder"), ("text_encoder_2", "text_encoder_2"),
    ] {
      let model = try copy("tiny-sdxl", folder)
      try FileManager.default.removeItem(atPath: "\(model)/\(part)")
      #expect(try await attempt(model) == .missingPart(name, path: model))
    }
    // The text encoder of one model with the network of another.
    let model = try copy("tiny-sd15", folder)
    try FileManager.default.removeItem(atPath: "\(model)/unet")
    try FileManager.default.copyItem(
      atPath: DiffusionReference.path("tiny-sdxl") + "/unet", toPath: "\(model)/unet")
    #expect(try await attempt(model) == .missingPart("text_encoder_2", path: model))
    let bare = folder.url.appending(path: "bare").path
    try FileManager.default.createDirectory(atPath: bare, withIntermediateDirectories: true)
    #expect(try await attempt(bare) == .notADiffusionModel(path: bare, found: "a folder without unet"))
    #expect(try await attempt("\(bare)/none") == .notFound(path: "\(bare)/none"))
  }

  @Test func languageModelsAreNamed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "words.gguf").path
    var writer = GGUFWriter()
    writer.set("general.architecture", .string("llama"))
    writer.add("token_embd.weight", dimensions: [4, 8], [Float](repeating: 0, count: 32))
    try writer.write(to: path)
    #expect(
      try await attempt(path) == .notADiffusionModel(path: path, found: "a model of the family 'llama'"))
    let text = try folder.write("text.safetensors", "this is a text and no model")
    guard case .safetensors = try await attempt(text.path) else {
      Issue.record("a text is no model")
      return
    }
  }

  @Test func damagedGGUF() async throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "model.gguf").path
    try MadeCheckpoint(folder: DiffusionReference.path("tiny-sd15")).writeGGUF(to: path, type: .q8_0)
    #expect(try await attempt(path) == nil)
    let whole = try Data(contentsOf: URL(filePath: path))
    var random = SeededGenerator(seed: 11)
    for round in 0..<Self.rounds * 2 {
      var damaged = whole
      if round % 4 == 0 {
        damaged = whole.prefix(Int.random(in: 0..<whole.count, using: &random))
      } else {
        let range = round % 2 == 0 ? 0..<60_000 : 0..<whole.count
        for _ in 0..<(round % 3 == 0 ? 40 : 1) {
          damaged[Int.random(in: range, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
      }
      try replace(path, damaged)
      try await attempt(path)
    }
  }

  /// NaN weights are reported at the first step.
  @Test func infiniteWeightsAreNoticed() async throws {
    let folder = try TemporaryFolder()
    let model = try copy("tiny-sd15", folder)
    let path = "\(model)/unet/diffusion_pytorch_model.safetensors"
    var tensors = try MadeCheckpoint.read(path)
    let place = try #require(tensors.firstIndex { $0.name == "conv_out.bias" })
    tensors[place].values[0] = .nan
    try FileManager.default.removeItem(atPath: path)
    try MadeCheckpoint.writeSafetensors(tensors, to: path, halves: true)
    #expect(try await attempt(model) == .notFinite(step: 1))
  }
}
