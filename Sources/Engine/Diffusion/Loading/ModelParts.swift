/// Parts of a model, each with tensor names as in diffusers.
struct ModelParts: Sendable {
  /// Denoising network.
  var unet = TensorTable()
  /// Variational autoencoder (VAE) between pictures and latents.
  var vae = TensorTable()
  /// CLIP text encoder.
  var textEncoder = TensorTable()
  /// Second text encoder, of SDXL.
  var textEncoder2 = TensorTable()
  /// Indicates whether the UNet's tensors were named as in the original checkpoints.
  var hasOriginalNames = false

  /// Sorts the tensors of one file by part, for all known naming schemes.
  /// - Throws: ``DiffusionError/notADiffusionModel(path:found:)`` if no tensor belongs to a diffusion model.
  init(_ table: TensorTable, path: String) throws(DiffusionError) {
    var unet: [String: StoredTensor] = [:]
    var vae: [String: StoredTensor] = [:]
    for (name, tensor) in table.tensors {
      if let rest = Self.rest(of: name, after: ["model.diffusion_model.", "unet."]) {
        unet[rest] = tensor
      } else if let rest = Self.rest(of: name, after: ["first_stage_model.", "vae."]) {
        vae[rest] = tensor
      } else if let (rest, isSecond) = Self.textEncoderName(name) {
        if isSecond {
          try Self.addText(rest, tensor, to: &textEncoder2)
        } else {
          try Self.addText(rest, tensor, to: &textEncoder)
        }
      } else if Self.unetStarts.contains(where: { name.hasPrefix($0) }) {
        unet[name] = tensor
      } else if Self.vaeStarts.contains(where: { name.hasPrefix($0) }) {
        vae[name] = tensor
      }
    }
    hasOriginalNames = unet.keys.contains { $0.hasPrefix("input_blocks.") }
    self.unet = UNetNames(unet.keys).renamed(unet)
    self.vae = VAENames(vae.keys).renamed(vae)
    guard !self.unet.isEmpty || !self.vae.isEmpty || !textEncoder.isEmpty else {
      let kind = table.metadata["general.architecture"].map { "a model of the family '\($0)'" }
      throw .notADiffusionModel(path: path, found: kind ?? "\(table.tensors.count) tensors of another kind")
    }
  }

  init() {}

  private static let unetStarts = [
    "input_blocks.", "middle_block.", "output_blocks.", "time_embed.", "label_emb.", "out.", "down_blocks.",
    "mid_block.", "up_blocks.", "conv_in.", "conv_out.", "conv_norm_out.", "time_embedding.", "add_embedding.",
  ]
  private static let vaeStarts = ["encoder.", "decoder.", "quant_conv.", "post_quant_conv."]

  private static func rest(of name: String, after prefixes: [String]) -> String? {
    for prefix in prefixes where name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
    return nil
  }

  private static let textEncoderStarts: [(prefix: String, isSecond: Bool)] = [
    ("conditioner.embedders.0.", false), ("conditioner.embedders.1.", true), ("cond_stage_model.1.", true),
    ("cond_stage_model.", false), ("text_encoders.clip_l.", false), ("text_encoders.clip_g.", true),
    ("text_encoder_2.", true), ("text_encoder.", false), ("clip_l.", false), ("clip_g.", true),
    ("te1.", true), ("te.", false),
  ]

  private static func textEncoderName(_ name: String) -> (String, isSecond: Bool)? {
    for (prefix, isSecond) in textEncoderStarts where name.hasPrefix(prefix) {
      return (String(name.dropFirst(prefix.count)), isSecond)
    }
    for start in ["text_model.", "transformer.text_model."] where name.hasPrefix(start) { return (name, false) }
    return nil
  }

  /// Renames the tensors of a text encoder's own file.
  static func textEncoder(_ table: TensorTable) throws(DiffusionError) -> TensorTable {
    var result = TensorTable()
    for (name, tensor) in table.tensors { try addText(name, tensor, to: &result) }
    return result
  }

  /// Adds a tensor of a text encoder under its name in the transformers library.
  private static func addText(
    _ name: String, _ tensor: StoredTensor, to table: inout TensorTable
  ) throws(DiffusionError) {
    var name = name
    if let place = name.firstRange(of: "resblocks.") {
      name = "encoder.layers." + name[place.upperBound...]
    } else {
      for prefix in ["transformer.", "model.", "text_model."] where name.hasPrefix(prefix) {
        name.removeFirst(prefix.count)
      }
      name = wholeTextNames[name] ?? name
    }
    for (original, own) in textNames where name.contains(original) {
      name = name.replacing(original, with: own)
      break
    }
    for kind in ["weight", "bias"] {
      for fused in ["self_attn.in_proj_\(kind)", "self_attn.in_proj.\(kind)"] where name.hasSuffix(fused) {
        let base = name.dropLast(fused.count)
        for (index, letter) in ["q", "k", "v"].enumerated() {
          guard let part = tensor.part(index, of: 3) else {
            throw .wrongShape(tensor: tensor.name, expected: [3], found: tensor.shape)
          }
          table["\(base)self_attn.\(letter)_proj.\(kind)"] = part
        }
        return
      }
    }
    var tensor = tensor
    if name == "text_projection" {
      // OpenCLIP stores the matrix transposed.
      name = "text_projection.weight"
      tensor.isTransposed = true
      tensor.shape.reverse()
    }
    table[name] = tensor
  }

  private static let wholeTextNames = [
    "positional_embedding": "embeddings.position_embedding.weight",
    "token_embedding.weight": "embeddings.token_embedding.weight", "ln_final.weight": "final_layer_norm.weight",
    "ln_final.bias": "final_layer_norm.bias",
  ]
  private static let textNames: [(String, String)] = [
    (".attn.", ".self_attn."), (".ln_1.", ".layer_norm1."), (".ln_2.", ".layer_norm2."),
    (".mlp.c_fc.", ".mlp.fc1."), (".mlp.c_proj.", ".mlp.fc2."),
  ]
}
