import Compute
import Foundation
import ModelFormats

/// Writer of the small reference models in other file formats, with the original tensor names.
struct MadeCheckpoint {
  struct Tensor {
    var name: String
    var shape: [Int]
    var values: [Float]
  }

  private(set) var tensors: [Tensor] = []

  /// Reads one part of a folder, or a whole file.
  static func read(_ path: String) throws -> [Tensor] {
    let file = try SafetensorsFile(path: path)
    return file.tensors.compactMap { tensor in
      let count = tensor.shape.reduce(1, *)
      let bytes = file.file.bytes
      let values: [Float]
      switch tensor.type {
      case .f16:
        values = (0..<count).map {
          Float(Float16(bitPattern: bytes.loadUnaligned(fromByteOffset: tensor.offset + 2 * $0, as: UInt16.self)))
        }
      case .f32:
        values = (0..<count).map {
          bytes.loadUnaligned(fromByteOffset: tensor.offset + 4 * $0, as: Float.self)
        }
      default: return nil
      }
      return Tensor(name: tensor.name, shape: tensor.shape, values: values)
    }
  }

  /// Reads a folder's parts and renames them as in one checkpoint.
  /// - Parameter isRenamedText: whether text encoders have the names that stable-diffusion.cpp gives them.
  init(folder: String, isRenamedText: Bool = false) throws {
    for tensor in try Self.read(folder + "/unet/diffusion_pytorch_model.safetensors") {
      add("model.diffusion_model." + Self.unetName(tensor.name), tensor)
    }
    let vae = try Self.read(folder + "/vae/diffusion_pytorch_model.safetensors")
    for tensor in vae {
      var tensor = tensor
      if tensor.name.contains("attentions"), tensor.shape.count == 2 { tensor.shape += [1, 1] }
      add("first_stage_model." + Self.vaeName(tensor.name), tensor)
    }
    let second = folder + "/text_encoder_2/model.safetensors"
    let isXL = FileManager.default.fileExists(atPath: second)
    let first = isXL && !isRenamedText ? "conditioner.embedders.0.transformer." : "cond_stage_model.transformer."
    for tensor in try Self.read(folder + "/text_encoder/model.safetensors") {
      let name = tensor.name.replacingOccurrences(of: "text_model.", with: "")
      add(first + "text_model." + name, tensor)
    }
    if isXL { try addSecond(Self.read(second), isRenamedText: isRenamedText) }
  }

  private mutating func add(_ name: String, _ tensor: Tensor) {
    tensors.append(Tensor(name: name, shape: tensor.shape, values: tensor.values))
  }

  /// Renames to OpenCLIP's names: fused projections, and the last one transposed.
  private mutating func addSecond(_ source: [Tensor], isRenamedText: Bool) throws {
    let plain = Dictionary(
      uniqueKeysWithValues: source.map { ($0.name.replacingOccurrences(of: "text_model.", with: ""), $0) })
    let start = isRenamedText ? "cond_stage_model.1.transformer.text_model." : "conditioner.embedders.1.model."
    let names = [
      "embeddings.token_embedding.weight": "token_embedding.weight",
      "embeddings.position_embedding.weight": "positional_embedding", "final_layer_norm.weight": "ln_final.weight",
      "final_layer_norm.bias": "ln_final.bias",
    ]
    let parts = [
      "layer_norm1": "ln_1", "layer_norm2": "ln_2", "mlp.fc1": "mlp.c_fc", "mlp.fc2": "mlp.c_proj",
      "self_attn.out_proj": "attn.out_proj",
    ]
    for (name, tensor) in plain.sorted(by: { $0.key < $1.key }) {
      if name == "text_projection.weight" {
        let (rows, columns) = (tensor.shape[0], tensor.shape[1])
        let turned = (0..<rows * columns).map { tensor.values[$0 % rows * columns + $0 / rows] }
        tensors.append(Tensor(name: start + "text_projection", shape: [columns, rows], values: turned))
      } else if isRenamedText, !name.contains("self_attn.q_proj"), !name.contains("_proj.") || name.contains("out")
      {
        add(start + name, tensor)
      } else if let renamed = names[name] {
        add(start + renamed, tensor)
      } else if name.contains("self_attn.q_proj") {
        let fused = ["q", "k", "v"].compactMap {
          plain[name.replacingOccurrences(of: "q_proj", with: "\($0)_proj")]
        }
        let kind = name.hasSuffix("weight") ? "weight" : "bias"
        let layer = name.split(separator: ".")[2]
        let own =
          isRenamedText
          ? "encoder.layers.\(layer).self_attn.in_proj.\(kind)"
          : "transformer.resblocks.\(layer).attn.in_proj_\(kind)"
        var shape = tensor.shape
        shape[0] *= 3
        tensors.append(Tensor(name: start + own, shape: shape, values: fused.flatMap(\.values)))
      } else if let (old, new) = parts.first(where: { name.contains(".\($0.key).") }) {
        let rest = name.replacingOccurrences(of: "encoder.layers", with: "transformer.resblocks")
        add(start + rest.replacingOccurrences(of: old, with: new), tensor)
      }
    }
  }

  /// Renames with two layers per level, as in all published models: block 3 i + j + 1 is layer j of level i.
  static func unetName(_ name: String) -> String {
    let words = name.split(separator: ".").map(String.init)
    let residual = [
      "norm1": "in_layers.0", "conv1": "in_layers.2", "time_emb_proj": "emb_layers.1", "norm2": "out_layers.0",
      "conv2": "out_layers.3", "conv_shortcut": "skip_connection",
    ]
    func rest(_ start: Int) -> String {
      var rest = Array(words[start...])
      if let own = residual[rest[0]], name.contains("resnets") { rest[0] = own }
      return rest.joined(separator: ".")
    }
    let whole = [
      "conv_in": "input_blocks.0.0", "time_embedding.linear_1": "time_embed.0",
      "time_embedding.linear_2": "time_embed.2", "add_embedding.linear_1": "label_emb.0.0",
      "add_embedding.linear_2": "label_emb.0.2", "conv_norm_out": "out.0", "conv_out": "out.2",
    ]
    for (own, original) in whole where name.hasPrefix(own + ".") { return original + name.dropFirst(own.count) }
    switch words[0] {
    case "down_blocks":
      let (level, layer) = (Int(words[1])!, Int(words[3])!)
      if words[2] == "downsamplers" { return "input_blocks.\(3 * (level + 1)).0.op.\(words[5])" }
      return "input_blocks.\(3 * level + layer + 1).\(words[2] == "resnets" ? 0 : 1).\(rest(4))"
    case "mid_block":
      return "middle_block.\(words[1] == "attentions" ? 1 : 2 * Int(words[2])!).\(rest(3))"
    case "up_blocks":
      let (level, layer) = (Int(words[1])!, Int(words[3])!)
      if words[2] == "upsamplers" { return "output_blocks.\(3 * level + 2).UP.conv.\(words[5])" }
      return "output_blocks.\(3 * level + layer).\(words[2] == "resnets" ? 0 : 1).\(rest(4))"
    default: return name
    }
  }

  static func vaeName(_ name: String) -> String {
    var result = name
    for (own, original) in [
      ("conv_norm_out", "norm_out"), ("conv_shortcut", "nin_shortcut"), ("mid_block.resnets.0", "mid.block_1"),
      ("mid_block.resnets.1", "mid.block_2"), ("mid_block.attentions.0", "mid.attn_1"), ("group_norm", "norm"),
      ("to_out.0", "proj_out"), ("to_q", "q"), ("to_k", "k"), ("to_v", "v"), ("downsamplers.0", "downsample"),
      ("upsamplers.0", "upsample"), (".resnets.", ".block."), ("down_blocks", "down"),
    ] { result = result.replacingOccurrences(of: own, with: original) }
    for level in 0..<4 {
      if result.contains("up_blocks.\(level).") {
        return result.replacingOccurrences(of: "up_blocks.\(level).", with: "up.\(3 - level).")
      }
    }
    return result
  }

  /// Numbers the upsampler after the attention of its level, if any.
  private var settled: [Tensor] {
    let names = Set(tensors.map { $0.name.split(separator: ".").prefix(5).joined(separator: ".") })
    return tensors.map { tensor in
      guard let place = tensor.name.range(of: ".UP.") else { return tensor }
      var tensor = tensor
      let head = tensor.name[..<place.lowerBound]
      let hasAttention = names.contains("\(head).1")
      tensor.name = tensor.name.replacingOccurrences(of: ".UP.", with: hasAttention ? ".2." : ".1.")
      return tensor
    }
  }

  /// Writes one file like the original checkpoints.
  func writeSafetensors(to path: String, halves: Bool = true) throws {
    try Self.writeSafetensors(settled, to: path, halves: halves)
  }

  /// Writes a GGUF file like stable-diffusion.cpp: matrices quantized if their rows divide.
  func writeGGUF(to path: String, type: TensorType) throws {
    var writer = GGUFWriter()
    let pool = ComputeContext(threadCount: 1).pool
    for tensor in settled {
      let columns = tensor.shape.last ?? 1
      let isMatrix = tensor.shape.count == 2 && columns % type.blockSize == 0 && !tensor.name.contains("embedding")
      let dimensions = Array(tensor.shape.reversed())
      let stored: TensorType = isMatrix ? type : .f16
      var bytes = [UInt8](repeating: 0, count: stored.byteCount(rows: 1, columns: tensor.values.count)!)
      if stored == .f16 {
        bytes = Self.halves(tensor.values)
      } else {
        try tensor.values.withUnsafeBufferPointer { values in
          try bytes.withUnsafeMutableBytes {
            try stored.quantize(
              values.baseAddress!, rows: tensor.values.count / columns, columns: columns, into: $0.baseAddress!,
              pool: pool)
          }
        }
      }
      writer.add(tensor.name, dimensions: dimensions, type: stored, bytes: bytes)
    }
    try writer.write(to: path)
  }

  /// Copies a folder that may be read-only into one that may be written.
  static func copyFolder(_ source: String, to path: String) throws {
    try FileManager.default.copyItem(atPath: source, toPath: path)
    let entries = try FileManager.default.subpathsOfDirectory(atPath: path)
    for entry in [""] + entries {
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(path)/\(entry)")
    }
  }

  private static func halves(_ values: [Float]) -> [UInt8] {
    values.flatMap { value in withUnsafeBytes(of: Float16(value).bitPattern.littleEndian) { Array($0) } }
  }

  static func writeSafetensors(_ tensors: [Tensor], to path: String, halves isHalf: Bool) throws {
    var header: [String: Any] = [:]
    var data = Data()
    for tensor in tensors {
      let bytes =
        isHalf ? Self.halves(tensor.values) : tensor.values.withUnsafeBytes { Array($0) }
      header[tensor.name] = [
        "dtype": isHalf ? "F16" : "F32", "shape": tensor.shape,
        "data_offsets": [data.count, data.count + bytes.count],
      ]
      data.append(contentsOf: bytes)
    }
    var text = try JSONSerialization.data(withJSONObject: header)
    while text.count % 8 != 0 { text.append(0x20) }
    var file = Data()
    withUnsafeBytes(of: UInt64(text.count).littleEndian) { file.append(contentsOf: $0) }
    try (file + text + data).write(to: URL(filePath: path))
  }
}
