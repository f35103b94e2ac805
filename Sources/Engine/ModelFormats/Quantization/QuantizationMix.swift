import Compute

/// Chooses the type of every tensor of a model, as the usual mixes do: more bits where errors cost most.
struct QuantizationMix {
  private let fileType: QuantizedFileType
  private let architecture: String
  private let layerCount: Int
  private let expertCount: Int
  /// Query heads that share a key and a value.
  private let sharing: Int
  private let hasOutput: Bool
  private let valueCount: Int
  /// Tensors of the kind seen so far.
  private var valueIndex = 0
  private var downIndex = 0

  private enum Role {
    case embedding, output, value, key, attentionOutput, down, other

    init(_ name: String) {
      switch name {
      case "output.weight": self = .output
      case "token_embd.weight", "per_layer_token_embd.weight": self = .embedding
      case _ where ["attn_qkv.weight", "attn_kv_b.weight", "attn_v.weight"].contains(where: name.contains):
        self = .value
      case _ where name.contains("attn_k.weight"): self = .key
      case _ where name.contains("attn_output.weight"): self = .attentionOutput
      case _ where name.contains("ffn_down"): self = .down
      default: self = .other
      }
    }
  }

  /// The types by tensor name.
  static func types(_ fileType: QuantizedFileType, of file: GGUFFile) -> [String: TensorType] {
    // Layer by layer, since some choices depend on how many tensors of a kind came before.
    let ordered = file.tensors.map { (layer: layer(of: $0.name) ?? -1, tensor: $0) }
      .sorted { ($0.layer, $0.tensor.name) < ($1.layer, $1.tensor.name) }
    var mix = QuantizationMix(fileType, header: file.header, tensors: file.tensors)
    var types: [String: TensorType] = [:]
    for (_, tensor) in ordered { types[tensor.name] = mix.type(of: tensor) }
    return types
  }

  private init(_ fileType: QuantizedFileType, header: GGUFHeader, tensors: [GGUFTensor]) {
    self.fileType = fileType
    // What the file does not say, or says oddly, only makes the choice the plain one.
    var architecture = ""
    if case .string(let name) = header["general.architecture"] { architecture = name }
    self.architecture = architecture
    func first(_ key: String) -> Int? {
      let value = header["\(architecture).\(key)"]
      if case .array(let array) = value { return array.integers?.first }
      return value?.integer
    }
    layerCount = min(max(first("block_count") ?? 0, 0), 1 << 20)
    expertCount = first("expert_count") ?? 0
    let heads = first("attention.head_count") ?? 0
    let sharedHeads = first("attention.head_count_kv") ?? heads
    sharing = heads > 0 && sharedHeads > 0 ? heads / sharedHeads : 0
    hasOutput = tensors.contains { $0.name == "output.weight" }
    valueCount = tensors.count { Role($0.name) == .value }
  }

  private mutating func type(of tensor: GGUFTensor) -> TensorType {
    guard Self.isConverted(tensor) else { return tensor.type }
    guard fileType.base.isQuantized else { return fileType.base }
    return Self.fitting(wanted(tensor), columns: tensor.columnCount)
  }

  private mutating func wanted(_ tensor: GGUFTensor) -> TensorType {
    let role = Role(tensor.name)
    let base = fileType.base
    // Without an output matrix, the embeddings are it.
    if role == .output || role == .embedding && !hasOutput {
      let isPlain = fileType == .mxfp4_MOE || architecture == "falcon" || base == .q8_0
      return isPlain || tensor.columnCount % base.blockSize != 0 ? .q8_0 : .q6_K
    }
    if fileType == .mxfp4_MOE { return tensor.dimensions.count > 2 && tensor.dimensions[2] > 1 ? .mxfp4 : .q8_0 }
    switch role {
    case .value:
      defer { valueIndex += 1 }
      return value
    case .key: return expertCount == 8 ? .q8_0 : base
    case .down:
      defer { downIndex += 1 }
      return down(layer: expertCount > 1 ? Self.layer(of: tensor.name) ?? downIndex : downIndex)
    case .attentionOutput: return attentionOutput
    case .embedding, .output, .other: return base
    }
  }

  private var value: TensorType {
    if expertCount == 8 { return .q8_0 }
    let isShared = sharing >= 4
    let type: TensorType =
      switch fileType {
      case .q2_K: isShared ? .q4_K : .q3_K
      case .q2_K_S where isShared: .q4_K
      case .q3_K_M: valueIndex < 2 ? .q5_K : .q4_K
      case .q3_K_L: .q5_K
      case .iq4_NL where isShared, .iq4_XS where isShared: .q5_K
      case .q4_K_M where deservesMore(valueIndex, of: valueCount): .q6_K
      case .q5_K_M where deservesMore(valueIndex, of: valueCount): .q6_K
      case .q4_K_S where valueIndex < 4: .q5_K
      default: fileType.base
      }
    // In the largest dense models the matrix is small for its weight.
    let isLargest = layerCount == 80 && (architecture == "llama" && sharing > 1 || architecture == "qwen2")
    return isLargest && (type == .q3_K || type == .q4_K) ? .q5_K : type
  }

  private func down(layer: Int) -> TensorType {
    let isFalcon = architecture == "falcon"
    let isEarly = layer < layerCount / 8
    let isFirst = layer < layerCount / 16
    let deserving = deservesMore(layer, of: layerCount)
    return switch fileType {
    case .q2_K: .q3_K
    case .q2_K_S where isEarly: .q4_K
    case .q3_K_M: isFirst ? .q5_K : !isFalcon || deserving ? .q4_K : .q3_K
    case .q3_K_L: isFalcon ? .q4_K : .q5_K
    case .q4_K_M where isFalcon: isFirst ? .q6_K : deserving ? .q5_K : .q4_K
    case .q4_K_M where deserving, .q5_K_M where deserving: .q6_K
    case .iq4_NL where isEarly, .iq4_XS where isEarly: .q5_K
    case .q4_K_S where isEarly && !isFalcon: .q5_K
    default: fileType.base
    }
  }

  private var attentionOutput: TensorType {
    if architecture == "falcon" { return fileType == .q3_K_L ? .q4_K : fileType.base }
    if expertCount == 8 {
      let raised: [QuantizedFileType] = [.q2_K, .q3_K_S, .q3_K_M, .iq4_NL, .q4_K_S, .q4_K_M, .iq4_XS]
      return raised.contains(fileType) ? .q5_K : fileType.base
    }
    return switch fileType {
    case .q2_K: .q3_K
    case .q3_K_M: .q4_K
    case .q3_K_L: .q5_K
    default: fileType.base
    }
  }

  /// The first and the last eighth of the layers, and every third between.
  private func deservesMore(_ layer: Int, of count: Int) -> Bool {
    layer < count / 8 || layer >= 7 * count / 8 || (layer - count / 8) % 3 == 2
  }

  /// The number in `blk.N.`, or nil for tensors of no layer.
  private static func layer(of name: String) -> Int? {
    guard name.hasPrefix("blk.") else { return nil }
    return Int(name.dropFirst(4).prefix { $0 != "." })
  }

  /// The type itself, or the nearest whose blocks the rows divide into.
  private static func fitting(_ type: TensorType, columns: Int) -> TensorType {
    if columns % type.blockSize == 0 { return type }
    let substitute: TensorType =
      switch type {
      case .q2_K, .q3_K: .q4_0
      case .q4_K: .q5_0
      case .q5_K: .q5_1
      case .q6_K: .q8_0
      case .iq4_XS: .iq4_NL
      default: .f16
      }
    return columns % substitute.blockSize == 0 ? substitute : .f16
  }

  /// Indicates whether a tensor is a matrix of weights; the small ones that steer a model keep their precision.
  private static func isConverted(_ tensor: GGUFTensor) -> Bool {
    guard tensor.dimensions.dropFirst().contains(where: { $0 > 1 }), tensor.name.hasSuffix("weight") else {
      return false
    }
    return !keptNames.contains(tensor.name) && !keptParts.contains(where: tensor.name.contains)
  }

  private static let keptNames: Set<String> = ["position_embd.weight", "token_types.weight"]

  private static let keptParts = [
    "_norm.weight", "ffn_gate_inp.weight", "ffn_gate_tid2eid.weight", "altup", "laurel", "per_layer_model_proj",
    "ssm_conv1d", "shortconv.conv.weight", "indexer.k_proj.weight", "indexer.q_proj.weight",
    "time_mix_first.weight", "time_mix_w0.weight", "time_mix_w1.weight", "time_mix_w2.weight",
    "time_mix_v0.weight", "time_mix_v1.weight", "time_mix_v2.weight", "time_mix_a0.weight", "time_mix_a1.weight",
    "time_mix_a2.weight", "time_mix_g1.weight", "time_mix_g2.weight", "time_mix_decay_w1.weight",
    "time_mix_decay_w2.weight", "time_mix_lerp_fused.weight", "attn_rel_b.weight", ".position_embd",
    "sam.pos_embd", "sam.neck.", "sam.net_", ".rel_pos", ".patch_embd", ".patch_merger", "a.rvq.codebook",
    "mm.a.code_embd",
  ]
}
