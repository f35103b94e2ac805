import Compute
import Foundation

/// Denoising U-Net (Ronneberger et al. 2015; Rombach et al. 2021; Podell et al. 2023).
///
/// Its structure is read from the tensors: levels, layers, position and depth of attention.
final class UNet {
  /// Number of channels of a latent, including the mask and masked picture of an inpainting model.
  let inputChannels: Int
  /// Number of channels of a latent.
  let outputChannels: Int
  /// Number of values of a token's text embedding.
  let textWidth: Int
  /// Widths of SDXL's added conditions: of the pooled text embedding, and of each of six sizes; nil for other models.
  let addition: (pooledWidth: Int, sizeWidth: Int)?
  /// Width of the guidance embedding of distilled models that take the guidance as an input; nil for other models.
  let guidanceWidth: Int?

  private let configuration: UNetConfiguration
  private let workspace: Workspace
  private let convIn: Convolution
  private let timeLinear1: Convolution
  private let timeLinear2: Convolution
  private let guidance: Convolution?
  private let addedLinear1: Convolution?
  private let addedLinear2: Convolution?
  private let down: [Level]
  private let middle: Level
  private let up: [Level]
  private let normOut: GroupNorm
  private let convOut: Convolution

  /// Blocks of one resolution, followed by a change of resolution.
  private struct Level {
    var residuals: [ResidualBlock] = []
    var transformers: [SpatialTransformer] = []
    var resample: Convolution?
  }

  init(_ loader: LayerLoader, _ configuration: UNetConfiguration) throws(DiffusionError) {
    let table = loader.table
    self.configuration = configuration
    workspace = Workspace(loader.context)
    inputChannels = try loader.columns("conv_in.weight")
    convIn = try loader.layer("conv_in", inputs: inputChannels, kernel: 3)
    let base = convIn.outputChannels
    timeLinear1 = try loader.layer("time_embedding.linear_1", inputs: base)
    timeLinear2 = try loader.layer("time_embedding.linear_2", inputs: timeLinear1.outputChannels)
    let timeWidth = timeLinear2.outputChannels
    if table["time_embedding.cond_proj.weight"] != nil {
      guidanceWidth = try loader.columns("time_embedding.cond_proj.weight")
      guidance = try loader.layer("time_embedding.cond_proj", inputs: guidanceWidth ?? 0, outputs: base)
    } else {
      (guidanceWidth, guidance) = (nil, nil)
    }
    if table["add_embedding.linear_1.weight"] != nil {
      let width = try loader.columns("add_embedding.linear_1.weight")
      let first = try loader.layer("add_embedding.linear_1", inputs: width)
      addedLinear1 = first
      addedLinear2 = try loader.layer("add_embedding.linear_2", inputs: first.outputChannels, outputs: timeWidth)
      let sizeWidth = configuration.sizeEmbeddingWidth ?? (width > 1536 ? 256 : max(2, base / 4))
      guard width > 6 * sizeWidth, sizeWidth % 2 == 0 else {
        throw .wrongShape(tensor: "add_embedding.linear_1.weight", expected: [6 * sizeWidth + 1], found: [width])
      }
      addition = (width - 6 * sizeWidth, sizeWidth)
    } else {
      (addedLinear1, addedLinear2, addition) = (nil, nil, nil)
    }
    textWidth = try Self.textWidth(table, loader)
    let builder = Builder(
      loader: loader, configuration: configuration, base: base, timeWidth: timeWidth, textWidth: textWidth,
      levelCount: table.count("down_blocks."))
    var channels = base
    var skips = [base]
    (down, channels, skips) = try builder.down(channels, skips)
    (middle, channels) = try builder.middle(channels)
    (up, channels) = try builder.up(channels, &skips)
    guard skips.isEmpty else { throw .missingTensor("up_blocks: \(skips.count) connections are left") }
    normOut = try loader.groupNorm(
      "conv_norm_out", channels: channels, groups: builder.groups, epsilon: configuration.epsilon)
    convOut = try loader.layer("conv_out", inputs: channels, kernel: 3)
    outputChannels = convOut.outputChannels
  }

  private static func textWidth(_ table: TensorTable, _ loader: LayerLoader) throws(DiffusionError) -> Int {
    guard let name = table.names.first(where: { $0.hasSuffix("attn2.to_k.weight") }) else {
      throw .missingTensor("attn2.to_k.weight")
    }
    return try loader.columns(name)
  }

  /// Builds the levels from their tensors.
  private struct Builder {
    let loader: LayerLoader
    let configuration: UNetConfiguration
    let base: Int
    let timeWidth: Int
    let textWidth: Int
    let levelCount: Int

    /// Number of groups of group normalization; small test models have four channels per group.
    var groups: Int { configuration.groups ?? min(32, max(1, base / 4)) }

    /// Returns the number of attention heads by width, for a level counted from the outside.
    func heads(_ level: Int) -> (Int) -> Int {
      if let counts = configuration.headCounts {
        return { _ in counts[min(max(level, 0), counts.count - 1)] }
      }
      // Stable Diffusion 1 has eight heads everywhere, its successors heads of 64 values (16 in small test models).
      let isFirst =
        loader.table.names.first { $0.hasSuffix("proj_in.weight") }
        .map { loader.table[$0]?.shape.count == 4 } ?? true
      return isFirst ? { _ in 8 } : { $0 / min(64, max(1, base / 2)) }
    }

    func residual(_ name: String, _ channels: Int) throws(DiffusionError) -> ResidualBlock {
      try ResidualBlock(
        loader, name, channels: channels, groups: groups, epsilon: configuration.epsilon, timeWidth: timeWidth)
    }

    func transformer(_ name: String, _ channels: Int, level: Int) throws(DiffusionError) -> SpatialTransformer? {
      guard loader.table[name + "norm.weight"] != nil else { return nil }
      return try SpatialTransformer(
        loader, name, channels: channels, groups: groups, textWidth: textWidth, heads: heads(level))
    }

    func down(_ start: Int, _ skips: [Int]) throws(DiffusionError) -> ([Level], Int, [Int]) {
      var (levels, channels, skips) = ([Level](), start, skips)
      guard levelCount > 0 else { throw .missingTensor("down_blocks.0.resnets.0.norm1.weight") }
      for index in 0..<levelCount {
        let name = "down_blocks.\(index)."
        var level = Level()
        for layer in 0..<loader.table.count(name + "resnets.") {
          level.residuals.append(try residual("\(name)resnets.\(layer).", channels))
          channels = level.residuals[layer].outputChannels
          if let transformer = try transformer("\(name)attentions.\(layer).", channels, level: index) {
            level.transformers.append(transformer)
          }
          skips.append(channels)
        }
        if loader.table[name + "downsamplers.0.conv.weight"] != nil {
          level.resample = try loader.layer(
            name + "downsamplers.0.conv", inputs: channels, kernel: 3, stride: 2, padding: .one)
          channels = level.resample?.outputChannels ?? channels
          skips.append(channels)
        }
        try levels.append(whole(level, name))
      }
      return (levels, channels, skips)
    }

    func middle(_ channels: Int) throws(DiffusionError) -> (Level, Int) {
      var level = Level()
      level.residuals.append(try residual("mid_block.resnets.0.", channels))
      let inner = level.residuals[0].outputChannels
      if let transformer = try transformer("mid_block.attentions.0.", inner, level: levelCount - 1) {
        level.transformers.append(transformer)
      }
      level.residuals.append(try residual("mid_block.resnets.1.", inner))
      return (level, level.residuals[1].outputChannels)
    }

    func up(_ start: Int, _ skips: inout [Int]) throws(DiffusionError) -> ([Level], Int) {
      var (levels, channels) = ([Level](), start)
      for index in 0..<loader.table.count("up_blocks.") {
        let name = "up_blocks.\(index)."
        var level = Level()
        for layer in 0..<loader.table.count(name + "resnets.") {
          guard let skip = skips.popLast() else { throw .missingTensor("down_blocks for \(name)resnets.\(layer)") }
          level.residuals.append(try residual("\(name)resnets.\(layer).", channels + skip))
          channels = level.residuals[layer].outputChannels
          let place = levelCount - 1 - index
          if let transformer = try transformer("\(name)attentions.\(layer).", channels, level: place) {
            level.transformers.append(transformer)
          }
        }
        if loader.table[name + "upsamplers.0.conv.weight"] != nil {
          level.resample = try loader.layer(
            name + "upsamplers.0.conv", inputs: channels, kernel: 3, upsamples: true)
          channels = level.resample?.outputChannels ?? channels
        }
        try levels.append(whole(level, name))
      }
      return (levels, channels)
    }

    /// Checks that a level has attention after each of its layers or after none.
    private func whole(_ level: Level, _ name: String) throws(DiffusionError) -> Level {
      guard level.transformers.isEmpty || level.transformers.count == level.residuals.count else {
        throw .missingTensor("\(name)attentions.\(level.transformers.count).norm.weight")
      }
      return level
    }
  }

  /// Conditions of the network besides the latent; one entry or row per picture.
  struct Conditions {
    /// Text embeddings, `(count, 1, tokens, textWidth)`.
    let text: FeatureMap
    /// Pooled text embeddings for SDXL, `(count, pooledWidth)`.
    var pooled: [[Float]] = []
    /// Sizes for SDXL: requested height and width, top and left of the crop, height and width again.
    var sizes: [Float] = []
    /// Guidance scale, for models that take it as an input.
    var guidance: Double = 0
  }

  /// Allocates an input of the network.
  func makeMap(count: Int, height: Int, width: Int, channels: Int) throws(DiffusionError) -> FeatureMap {
    try workspace.map(count: count, height: height, width: width, channels: channels)
  }

  /// Makes an input from planes; see ``Workspace/map(planes:count:height:width:channels:)``.
  func makeMap(planes: [Float], count: Int, height: Int, width: Int, channels: Int) throws(DiffusionError)
    -> FeatureMap
  {
    try workspace.map(planes: planes, count: count, height: height, width: width, channels: channels)
  }

  /// Frees the memory of activations.
  func trim() { workspace.trim() }

  /// Runs the network once.
  /// - Parameters:
  ///   - input: `(count, height, width, inputChannels)`
  ///   - time: position among the noise levels of training, falling from the last to 0.
  ///   - check: called between layers; throws to stop.
  func callAsFunction(
    _ input: FeatureMap, time: Double, _ conditions: Conditions, check: () throws(DiffusionError) -> Void = {}
  ) throws(DiffusionError) -> FeatureMap {
    precondition(
      input.channels == inputChannels && conditions.text.channels == textWidth, "the network's channels")
    let embedding = try timeEmbedding(time, conditions, count: input.count)
    var state = try workspace.convolve(convIn, input)
    var skips = [state]
    for level in down {
      for (index, residual) in level.residuals.enumerated() {
        try check()
        state = try residual(state, time: embedding, workspace)
        if !level.transformers.isEmpty {
          state = try level.transformers[index](state, text: conditions.text, workspace, check: check)
        }
        skips.append(state)
      }
      if let resample = level.resample {
        state = try workspace.convolve(resample, state)
        skips.append(state)
      }
    }
    state = try middle.residuals[0](state, time: embedding, workspace)
    for transformer in middle.transformers {
      state = try transformer(state, text: conditions.text, workspace, check: check)
    }
    state = try middle.residuals[1](state, time: embedding, workspace)
    for level in up {
      for (index, residual) in level.residuals.enumerated() {
        try check()
        state = try residual(join(state, skips.removeLast()), time: embedding, workspace)
        if !level.transformers.isEmpty {
          state = try level.transformers[index](state, text: conditions.text, workspace, check: check)
        }
      }
      if let resample = level.resample {
        var prologue = Prologue.none
        prologue.upsamples = true
        state = try workspace.convolve(resample, state, prologue: prologue)
      }
    }
    var prologue = Prologue(normalization: .group(normOut))
    prologue.activation = .silu
    return try workspace.convolve(convOut, state, prologue: prologue)
  }

  private func join(_ state: FeatureMap, _ skip: FeatureMap) throws(DiffusionError) -> FeatureMap {
    guard state.pixels == skip.pixels else {
      throw .wrongShape(
        tensor: "up_blocks", expected: [skip.height, skip.width], found: [state.height, state.width])
    }
    let joined = try workspace.map(like: state, channels: state.channels + skip.channels)
    workspace.context.joinChannels(
      state.base, channels: state.channels, skip.base, channels: skip.channels, pixels: state.tokens,
      into: joined.base)
    return joined
  }

  // MARK: Time

  /// Computes the time embedding, `(count, 1, 1, timeWidth)`, activated for the residual blocks.
  private func timeEmbedding(
    _ time: Double, _ conditions: Conditions, count: Int
  ) throws(DiffusionError) -> FeatureMap {
    let waves = try workspace.map(count: count, height: 1, width: 1, channels: convIn.outputChannels)
    let values = sinusoids(Float(time), width: convIn.outputChannels)
    for picture in 0..<count { copy(values, to: waves.base + picture * waves.channels) }
    if let guidance, let width = guidanceWidth {
      let input = try workspace.map(count: count, height: 1, width: 1, channels: width)
      let embedded = guidanceEmbedding(conditions.guidance, width: width)
      for picture in 0..<count { copy(embedded, to: input.base + picture * width) }
      let projected = try workspace.multiply(guidance, input)
      workspace.context.add(waves.base, projected.base, count: waves.elementCount, into: waves.base)
    }
    let inner = try workspace.multiply(timeLinear1, waves, epilogue: Epilogue(activation: .silu))
    var embedding = try workspace.multiply(timeLinear2, inner)
    if let addedLinear1, let addedLinear2, let addition {
      let input = try workspace.map(count: count, height: 1, width: 1, channels: addedLinear1.inputChannels)
      let sizes = conditions.sizes.flatMap { sinusoids($0, width: addition.sizeWidth) }
      for picture in 0..<count {
        copy(conditions.pooled[picture] + sizes, to: input.base + picture * input.channels)
      }
      let inner = try workspace.multiply(addedLinear1, input, epilogue: Epilogue(activation: .silu))
      embedding = try workspace.multiply(addedLinear2, inner, epilogue: Epilogue(residual: embedding.base))
    }
    workspace.context.activate(.silu, embedding.base, count: embedding.elementCount, into: embedding.base)
    return embedding
  }

  private func copy(_ values: [Float], to target: UnsafeMutablePointer<Float>) {
    values.withUnsafeBufferPointer {
      if let start = $0.baseAddress { target.update(from: start, count: $0.count) }
    }
  }

  /// Returns the sinusoidal embedding of a number (Vaswani et al. 2017), in F32 like the reference.
  private func sinusoids(_ value: Float, width: Int) -> [Float] {
    let half = width / 2
    let angles = (0..<half).map { index in
      value * exp(-log(Float(10_000)) * Float(index) / (Float(half) - configuration.frequencyShift))
    }
    let (sines, cosines) = (angles.map { sin($0) }, angles.map { cos($0) })
    let waves = configuration.beginsWithCosines ? cosines + sines : sines + cosines
    return waves + [Float](repeating: 0, count: width - waves.count)
  }

  /// Returns the embedding of the guidance minus one, times 1000: sines, then cosines (Luo et al. 2023).
  private func guidanceEmbedding(_ guidance: Double, width: Int) -> [Float] {
    let half = width / 2
    let scaled = Float(guidance - 1) * 1000
    let angles = (0..<half).map { scaled * exp(-log(Float(10_000)) * Float($0) / Float(max(1, half - 1))) }
    return angles.map { sin($0) } + angles.map { cos($0) } + [Float](repeating: 0, count: width - 2 * half)
  }
}
