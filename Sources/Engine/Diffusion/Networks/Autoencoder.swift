import Compute

/// Hyperparameters of an autoencoder that cannot be read from its tensors.
struct AutoencoderConfiguration: Sendable, Equatable {
  var groups: Int?
  /// Scale of latents before they enter the UNet.
  var scale: Double?
  /// Offset subtracted from latents before scaling.
  var shift = 0.0

  init() {}

  init(_ json: ModelJSON) throws(DiffusionError) {
    groups = try json.integer("norm_num_groups", in: 1...4096)
    scale = try json.number("scaling_factor", in: 1e-6...1e6)
    shift = try json.number("shift_factor", in: -1e6...1e6) ?? 0
  }
}

/// Builds the residual blocks and attention of an encoder or decoder.
struct AutoencoderBlocks {
  private let loader: LayerLoader
  private let groups: Int

  init(_ loader: LayerLoader, groups: Int) { (self.loader, self.groups) = (loader, groups) }

  func residual(_ name: String, _ channels: Int) throws(DiffusionError) -> ResidualBlock {
    try ResidualBlock(loader, name, channels: channels, groups: groups, epsilon: 1e-6, timeWidth: nil)
  }

  func norm(_ name: String, _ channels: Int) throws(DiffusionError) -> GroupNorm {
    try loader.groupNorm(name, channels: channels, groups: groups, epsilon: 1e-6)
  }

  /// Loads the middle: two residual blocks around attention.
  func middle(_ name: String, _ channels: Int) throws(DiffusionError) -> Middle {
    let first = try residual(name + "mid_block.resnets.0.", channels)
    let width = first.outputChannels
    let attention = name + "mid_block.attentions.0."
    var layers: Middle.Attention?
    if loader.table[attention + "to_q.weight"] != nil {
      guard width <= 512 else {
        throw .wrongShape(tensor: attention + "to_q.weight", expected: [512, 512], found: [width, width])
      }
      layers = Middle.Attention(
        norm: try norm(attention + "group_norm", width),
        qkv: try loader.layer(["q", "k", "v"].map { "\(attention)to_\($0)" }, inputs: width, outputs: width),
        out: try loader.layer(attention + "to_out.0", inputs: width, outputs: width))
    }
    return Middle(first: first, attention: layers, second: try residual(name + "mid_block.resnets.1.", width))
  }

  /// Residual blocks of one resolution, followed by a change of resolution.
  struct Level {
    let residuals: [ResidualBlock]
    let resample: Convolution?
  }

  /// Loads the levels of an encoder or decoder.
  /// - Parameters:
  ///   - channels: number of channels that come in; afterwards that of the channels that go out.
  ///   - isUp: whether each level doubles a picture's sides; otherwise it halves them.
  /// - Returns: the levels, and the factor by which they change a side together.
  func levels(
    _ side: String, _ channels: inout Int, isUp: Bool
  ) throws(DiffusionError) -> (levels: [Level], factor: Int) {
    var levels: [Level] = []
    var factor = 1
    for index in 0..<loader.table.count(side) {
      let name = "\(side)\(index)."
      var residuals: [ResidualBlock] = []
      for layer in 0..<loader.table.count(name + "resnets.") {
        residuals.append(try residual("\(name)resnets.\(layer).", channels))
        channels = residuals[layer].outputChannels
      }
      let sampler = name + (isUp ? "upsamplers.0.conv" : "downsamplers.0.conv")
      var resample: Convolution?
      if loader.table[sampler + ".weight"] != nil {
        let layer = try loader.layer(
          sampler, inputs: channels, kernel: 3, stride: isUp ? 1 : 2, padding: isUp ? nil : .trailing,
          upsamples: isUp)
        (resample, channels, factor) = (layer, layer.outputChannels, factor * 2)
      }
      guard factor <= 64 else { throw .unsupported(feature: "an autoencoder with more than six levels") }
      levels.append(Level(residuals: residuals, resample: resample))
    }
    return (levels, factor)
  }

  /// Innermost blocks.
  struct Middle {
    struct Attention {
      let norm: GroupNorm
      let qkv: Convolution
      let out: Convolution
    }
    let first: ResidualBlock
    let attention: Attention?
    let second: ResidualBlock

    func callAsFunction(_ input: FeatureMap, _ workspace: Workspace) throws(DiffusionError) -> FeatureMap {
      var state = try first(input, time: nil, workspace)
      if let attention {
        let width = state.channels
        let qkv = try workspace.convolve(
          attention.qkv, state, prologue: Prologue(normalization: .group(attention.norm)))
        let attended = try workspace.map(like: state, channels: width)
        let setting = PictureAttention(
          texts: state.count, queries: state.pixels, keys: state.pixels, heads: 1, headSize: width,
          precision: attention.qkv.precision, queryStride: 3 * width, keyStride: 3 * width,
          valueStride: 3 * width)
        try DiffusionError.wrapping {
          try workspace.context.attend(
            setting, queries: qkv.base, keys: qkv.base + width, values: qkv.base + 2 * width,
            into: attended.base)
        }
        state = try workspace.multiply(
          attention.out, attended, epilogue: Epilogue(residual: state.base), into: state)
      }
      return try second(state, time: nil, workspace)
    }
  }
}

/// Decoder of the autoencoder: from latents to a picture.
final class LatentDecoder {
  /// Number of channels of a latent.
  let latentChannels: Int
  /// Number of picture pixels per latent pixel, along a side.
  let factor: Int
  private let workspace: Workspace
  private let postQuantConv: Convolution?
  private let convIn: Convolution
  private let middle: AutoencoderBlocks.Middle
  private let levels: [AutoencoderBlocks.Level]
  private let norm: GroupNorm
  private let convOut: Convolution

  init(_ loader: LayerLoader, _ configuration: AutoencoderConfiguration) throws(DiffusionError) {
    workspace = Workspace(loader.context)
    latentChannels = try loader.columns("decoder.conv_in.weight")
    convIn = try loader.layer("decoder.conv_in", inputs: latentChannels, kernel: 3)
    postQuantConv =
      loader.table["post_quant_conv.weight"] == nil
      ? nil : try loader.layer("post_quant_conv", inputs: latentChannels, outputs: latentChannels)
    // The last level is the narrowest; small test models have four channels per group.
    let narrowest = try loader.columns("decoder.conv_out.weight")
    let groups = configuration.groups ?? min(32, max(1, narrowest / 4))
    let blocks = AutoencoderBlocks(loader, groups: groups)
    middle = try blocks.middle("decoder.", convIn.outputChannels)
    var channels = middle.second.outputChannels
    (levels, factor) = try blocks.levels("decoder.up_blocks.", &channels, isUp: true)
    norm = try blocks.norm("decoder.conv_norm_out", channels)
    convOut = try loader.layer("decoder.conv_out", inputs: channels, outputs: 3, kernel: 3)
  }

  /// Decodes one latent.
  /// - Parameter latent: `(latentChannels, height, width)`, already unscaled.
  /// - Returns: `(height · factor, width · factor, 3)`, roughly from -1 to 1.
  func decode(
    _ latent: [Float], height: Int, width: Int, check: () throws(DiffusionError) -> Void = {}
  ) throws(DiffusionError) -> FeatureMap {
    var state = try workspace.map(planes: latent, count: 1, height: height, width: width, channels: latentChannels)
    if let postQuantConv { state = try workspace.multiply(postQuantConv, state) }
    state = try workspace.convolve(convIn, state)
    state = try middle(state, workspace)
    for level in levels {
      for residual in level.residuals {
        try check()
        state = try residual(state, time: nil, workspace)
      }
      if let resample = level.resample {
        try check()
        var prologue = Prologue.none
        prologue.upsamples = true
        state = try workspace.convolve(resample, state, prologue: prologue)
      }
    }
    return try workspace.convolve(
      convOut, state, prologue: Prologue(normalization: .group(norm), activation: .silu))
  }

  /// Frees the memory of activations.
  func trim() { workspace.trim() }
}

/// Encoder of the autoencoder: from a picture to the distribution of its latents.
final class LatentEncoder {
  /// Number of picture pixels per latent pixel, along a side.
  let factor: Int
  /// Number of channels of a latent.
  let latentChannels: Int
  private let workspace: Workspace
  private let convIn: Convolution
  private let levels: [AutoencoderBlocks.Level]
  private let middle: AutoencoderBlocks.Middle
  private let norm: GroupNorm
  private let convOut: Convolution
  private let quantConv: Convolution?

  init(_ loader: LayerLoader, _ configuration: AutoencoderConfiguration) throws(DiffusionError) {
    workspace = Workspace(loader.context)
    convIn = try loader.layer("encoder.conv_in", inputs: 3, kernel: 3)
    let groups = configuration.groups ?? min(32, max(1, convIn.outputChannels / 4))
    let blocks = AutoencoderBlocks(loader, groups: groups)
    var channels = convIn.outputChannels
    (levels, factor) = try blocks.levels("encoder.down_blocks.", &channels, isUp: false)
    middle = try blocks.middle("encoder.", channels)
    channels = middle.second.outputChannels
    norm = try blocks.norm("encoder.conv_norm_out", channels)
    convOut = try loader.layer("encoder.conv_out", inputs: channels, kernel: 3)
    guard convOut.outputChannels % 2 == 0 else {
      throw .wrongShape(tensor: "encoder.conv_out.weight", expected: [8], found: [convOut.outputChannels])
    }
    latentChannels = convOut.outputChannels / 2
    quantConv =
      loader.table["quant_conv.weight"] == nil
      ? nil : try loader.layer("quant_conv", inputs: convOut.outputChannels, outputs: convOut.outputChannels)
  }

  /// Encodes one picture.
  /// - Parameter picture: `(3, height, width)`, from -1 to 1.
  /// - Returns: mean and standard deviation of the latents, each `(latentChannels, height / factor, width / factor)`.
  func encode(
    _ picture: [Float], height: Int, width: Int, check: () throws(DiffusionError) -> Void = {}
  ) throws(DiffusionError) -> (mean: [Float], deviation: [Float]) {
    var state = try workspace.map(planes: picture, count: 1, height: height, width: width, channels: 3)
    state = try workspace.convolve(convIn, state)
    for level in levels {
      for residual in level.residuals {
        try check()
        state = try residual(state, time: nil, workspace)
      }
      if let resample = level.resample { state = try workspace.convolve(resample, state) }
    }
    state = try middle(state, workspace)
    state = try workspace.convolve(
      convOut, state, prologue: Prologue(normalization: .group(norm), activation: .silu))
    if let quantConv { state = try workspace.multiply(quantConv, state) }
    let planes = state.planes()
    let half = planes.count / 2
    return (Array(planes[..<half]), planes[half...].map { (0.5 * min(max($0, -30), 20)).exponential })
  }

  /// Frees the memory of activations.
  func trim() { workspace.trim() }
}
