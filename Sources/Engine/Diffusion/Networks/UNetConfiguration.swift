/// Hyperparameters of a UNet that cannot be read from its tensors.
struct UNetConfiguration: Sendable, Equatable {
  var groups: Int?
  /// Number of attention heads per level from the outside in, or one number for all; nil for heads of a fixed size.
  var headCounts: [Int]?
  var epsilon: Float = 1e-5
  /// Indicates whether cosines precede sines in time embeddings.
  var beginsWithCosines = true
  var frequencyShift: Float = 0
  /// Width of the embedding of each of SDXL's sizes.
  var sizeEmbeddingWidth: Int?
  var latentChannels: Int?

  init() {}

  init(_ json: ModelJSON) throws(DiffusionError) {
    groups = try json.integer("norm_num_groups", in: 1...4096)
    headCounts = try json.integers("num_attention_heads", in: 1...4096)
    if headCounts == nil { headCounts = try json.integers("attention_head_dim", in: 1...4096) }
    epsilon = Float(try json.number("norm_eps", in: 0...1) ?? 1e-5)
    beginsWithCosines = json.flag("flip_sin_to_cos") ?? true
    frequencyShift = Float(try json.number("freq_shift", in: -10...10) ?? 0)
    sizeEmbeddingWidth = try json.integer("addition_time_embed_dim", in: 2...65_536)
    latentChannels = try json.integer("out_channels", in: 1...64)
    let supported: [String: Set<String>] = [
      "act_fn": ["silu", "swish"], "time_embedding_type": ["positional"], "addition_embed_type": ["text_time"],
      "resnet_time_scale_shift": ["default"], "attention_type": ["default"],
      "mid_block_type": ["UNetMidBlock2DCrossAttn"],
    ]
    for (key, values) in supported.sorted(by: { $0.key < $1.key }) {
      if let value = json.text(key), !values.contains(value) { throw .unsupported(feature: "\(key) \(value)") }
    }
    for key in ["class_embed_type", "encoder_hid_dim_type", "cross_attention_norm"] {
      if let value = json.text(key) { throw .unsupported(feature: "\(key) \(value)") }
    }
    for key in ["dual_cross_attention", "only_cross_attention", "center_input_sample"]
    where json.flag(key) ?? false {
      throw .unsupported(feature: key)
    }
  }
}
