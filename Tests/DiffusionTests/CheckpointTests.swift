import Compute
import Diffusion
import Foundation
import Images
import ModelFormats
import TestSupport
import Testing

/// Reference models in other file formats.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct CheckpointTests {
  private static let merges =
    SharedData.isPresent ? SharedData.file("diffusion/tiny-sd15/tokenizer/merges.txt").path : ""

  private func latents(
    _ path: String, _ reference: DiffusionReference, _ scheduler: SchedulerKind = .euler
  ) async throws -> (latents: [Float], variant: DiffusionVariant) {
    let engine = try DiffusionEngine(
      path: path, settings: DiffusionSettings(precision: .exact, merges: Self.merges))
    let latents = try await engine.latents(
      reference.request(scheduler), initial: reference.floats("initial_latents"))
    return (latents, engine.description.variant)
  }

  /// Computes the latents of the folder with the padding of the published models' second tokenizer, which checkpoints
  /// omit.
  private func expected(_ reference: DiffusionReference) async throws -> [Float] {
    guard reference.name == "tiny-sdxl" else { return try reference.floats("euler.final_latents") }
    let folder = try TemporaryFolder()
    let model = folder.url.appending(path: "model").path
    try MadeCheckpoint.copyFolder(reference.path, to: model)
    try folder.write("model/tokenizer_2/tokenizer_config.json", #"{"pad_token": "!"}"#)
    return try await latents(model, reference).latents
  }

  @Test(arguments: DiffusionReference.names)
  func readsCheckpointsWithTheOriginalNames(name: String) async throws {
    let folder = try TemporaryFolder()
    let reference = try DiffusionReference(name)
    let path = folder.url.appending(path: "model.safetensors").path
    try MadeCheckpoint(folder: reference.path).writeSafetensors(to: path)
    let (found, variant) = try await latents(path, reference)
    #expect(normalizedError(found, try await expected(reference)) < 1e-9)
    #expect(variant == (name == "tiny-sdxl" ? .stableDiffusionXL : .stableDiffusion1))
  }

  /// Rounding a weight to b bits of its block's largest leaves about 4^-b / 3 of the square: 2e-5 for 8 bits, 5e-3 for
  /// 4, and eight steps with a guidance of 7.5 amplify that some hundred times here. BF16 has 8 bits of each weight's
  /// own. Of these small matrices few have rows of 256, so that K-quants change little.
  @Test(
    arguments: DiffusionReference.names,
    [(TensorType.f16, 1e-6), (.bf16, 5e-3), (.q8_0, 2e-2), (.q4_0, 1), (.q4_K, 1e-2), (.q6_K, 1e-3)])
  func readsGGUF(name: String, form: (type: TensorType, bound: Double)) async throws {
    let folder = try TemporaryFolder()
    let reference = try DiffusionReference(name)
    let path = folder.url.appending(path: "model.gguf").path
    try MadeCheckpoint(folder: reference.path, isRenamedText: true).writeGGUF(to: path, type: form.type)
    let (found, _) = try await latents(path, reference)
    let error = normalizedError(found, try await expected(reference))
    #expect(error < form.bound)
  }

  @Test func takesAnotherAutoencoder() async throws {
    let folder = try TemporaryFolder()
    let reference = try DiffusionReference("tiny-sd15")
    let path = folder.url.appending(path: "vae.safetensors").path
    let vae = try MadeCheckpoint.read(reference.path + "/vae/diffusion_pytorch_model.safetensors")
    try MadeCheckpoint.writeSafetensors(
      vae.map { tensor in
        MadeCheckpoint.Tensor(
          name: MadeCheckpoint.vaeName(tensor.name), shape: tensor.shape, values: tensor.values)
      }, to: path, halves: true)
    let latents = try reference.floats("dpmpp_2m.final_latents")
    let own = try await reference.engine().decoded(latents, width: 128, height: 128)
    for place in [path, reference.path + "/vae"] {
      let engine = try DiffusionEngine(
        path: reference.path, settings: DiffusionSettings(precision: .exact, autoencoder: place))
      #expect(try await engine.decoded(latents, width: 128, height: 128) == own)
    }
    let other = DiffusionReference.path("tiny-sdxl") + "/vae"
    let engine = try DiffusionEngine(
      path: reference.path, settings: DiffusionSettings(precision: .exact, autoencoder: other))
    #expect(try await engine.decoded(latents, width: 128, height: 128) != own)
  }

  /// Applying a LoRA equals running a model into whose weights it was merged.
  @Test(arguments: [false, true]) func addsLoRAs(isKohya: Bool) async throws {
    let folder = try TemporaryFolder()
    let reference = try DiffusionReference("tiny-sd15")
    let model = folder.url.appending(path: "merged").path
    try MadeCheckpoint.copyFolder(reference.path, to: model)
    var random = SeededGenerator(seed: 4)
    var lora: [MadeCheckpoint.Tensor] = []
    for (part, layers) in [
      (
        "unet/diffusion_pytorch_model",
        [
          "down_blocks.0.attentions.1.transformer_blocks.0.attn2.to_k", "mid_block.attentions.0.proj_in",
          "up_blocks.1.resnets.0.conv1", "up_blocks.2.attentions.0.transformer_blocks.0.attn1.to_out.0",
        ]
      ), ("text_encoder/model", ["encoder.layers.1.self_attn.q_proj", "encoder.layers.0.mlp.fc1"]),
    ] {
      let path = "\(model)/\(part).safetensors"
      var tensors = try MadeCheckpoint.read(path)
      for layer in layers {
        let place = try #require(tensors.firstIndex { $0.name == layer + ".weight" })
        let (outputs, inner) = (tensors[place].shape[0], tensors[place].shape.dropFirst().reduce(1, *))
        let down = (0..<2 * inner).map { _ in Float.random(in: -0.2...0.2, using: &random) }
        let up = (0..<2 * outputs).map { _ in Float.random(in: -0.2...0.2, using: &random) }
        for row in 0..<outputs {
          for column in 0..<inner {
            // Strength 0.8, alpha 1, rank 2.
            tensors[place].values[row * inner + column] +=
              0.4 * (up[row * 2] * down[column] + up[row * 2 + 1] * down[inner + column])
          }
        }
        let isText = part.hasPrefix("text")
        let own = layer.replacingOccurrences(of: ".", with: "_")
        let start =
          isKohya
          ? (isText ? "lora_te_text_model_" : "lora_unet_") + own
          : (isText ? "text_encoder.text_model." : "unet.") + layer
        let tail = tensors[place].shape.dropFirst()
        let ones = tail.map { _ in 1 }.dropFirst()
        lora += [
          MadeCheckpoint.Tensor(
            name: start + (isKohya ? ".lora_down.weight" : ".lora_A.weight"), shape: [2] + tail, values: down),
          MadeCheckpoint.Tensor(
            name: start + (isKohya ? ".lora_up.weight" : ".lora_B.weight"), shape: [outputs, 2] + ones, values: up),
          MadeCheckpoint.Tensor(name: start + ".alpha", shape: [], values: [1]),
        ]
      }
      try FileManager.default.removeItem(atPath: path)
      try MadeCheckpoint.writeSafetensors(tensors, to: path, halves: false)
    }
    try MadeCheckpoint.writeSafetensors(
      lora, to: folder.url.appending(path: "style.safetensors").path, halves: false)
    var request = reference.request(.euler)
    request.steps = 3
    let noise = try reference.floats("initial_latents")
    let expected = try await DiffusionEngine(
      path: model, settings: DiffusionSettings(precision: .exact)
    ).latents(request, initial: noise)
    let engine = try DiffusionEngine(
      path: reference.path, settings: DiffusionSettings(precision: .exact, loraFolders: [folder.url.path]))
    let plain = try await engine.latents(request, initial: noise)
    request.prompt += " <lora:style:0.8>"
    let found = try await engine.latents(request, initial: noise)
    #expect(normalizedError(found, expected) < 1e-9)
    #expect(normalizedError(plain, expected) > 1e-6)
    request.prompt += "<lora:absent:1>"
    await #expect(throws: DiffusionError.noLoRA(name: "absent", folders: [folder.url.path])) {
      _ = try await engine.latents(request, initial: noise)
    }
  }
}
