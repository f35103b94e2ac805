import Compute

/// Two convolutions with a residual connection around them; the time embedding is added between them.
struct ResidualBlock {
  let inputChannels: Int
  let outputChannels: Int
  private let norm1: GroupNorm
  private let conv1: Convolution
  private let time: Convolution?
  private let norm2: GroupNorm
  private let conv2: Convolution
  private let shortcut: Convolution?

  /// - Parameter timeWidth: width of the time embedding; nil for a block without it.
  init(
    _ loader: LayerLoader, _ name: String, channels: Int, groups: Int, epsilon: Float, timeWidth: Int?
  ) throws(DiffusionError) {
    inputChannels = channels
    norm1 = try loader.groupNorm(name + "norm1", channels: channels, groups: groups, epsilon: epsilon)
    conv1 = try loader.layer(name + "conv1", inputs: channels, kernel: 3)
    outputChannels = conv1.outputChannels
    if let timeWidth {
      time = try loader.layer(name + "time_emb_proj", inputs: timeWidth, outputs: conv1.outputChannels)
    } else {
      time = nil
    }
    norm2 = try loader.groupNorm(name + "norm2", channels: outputChannels, groups: groups, epsilon: epsilon)
    conv2 = try loader.layer(name + "conv2", inputs: outputChannels, outputs: outputChannels, kernel: 3)
    let hasShortcut = loader.table[name + "conv_shortcut.weight"] != nil
    guard hasShortcut || channels == outputChannels else { throw .missingTensor(name + "conv_shortcut.weight") }
    shortcut =
      hasShortcut ? try loader.layer(name + "conv_shortcut", inputs: channels, outputs: outputChannels) : nil
  }

  /// - Parameter time: time embedding, `(count, timeWidth)`, already activated.
  func callAsFunction(
    _ input: FeatureMap, time embedding: FeatureMap?, _ workspace: Workspace
  ) throws(DiffusionError) -> FeatureMap {
    var addend: FeatureMap?
    if let time, let embedding { addend = try workspace.multiply(time, embedding) }
    var prologue = Prologue.none
    (prologue.normalization, prologue.activation) = (.group(norm1), .silu)
    var epilogue = Epilogue.none
    epilogue.addend = addend.map { UnsafePointer($0.base) }
    let inner = try workspace.convolve(conv1, input, prologue: prologue, epilogue: epilogue)
    let straight =
      try shortcut.map { layer throws(DiffusionError) in try workspace.multiply(layer, input) } ?? input
    prologue.normalization = .group(norm2)
    epilogue = .none
    epilogue.residual = UnsafePointer(straight.base)
    return try withExtendedLifetime((addend, straight)) { () throws(DiffusionError) in
      try workspace.convolve(conv2, inner, prologue: prologue, epilogue: epilogue)
    }
  }
}

/// Transformer layers over the pixels: self-attention, cross-attention to the text and a gated feed-forward layer.
struct SpatialTransformer {
  private let norm: GroupNorm
  private let projIn: Convolution
  private let layers: [Layer]
  private let projOut: Convolution
  private let headCount: Int
  private let width: Int

  private struct Layer {
    let norm1: LayerNorm
    let qkv: Convolution
    let out1: Convolution
    let norm2: LayerNorm
    let queries: Convolution
    let keysValues: Convolution
    let out2: Convolution
    let norm3: LayerNorm
    let gateUp: Convolution
    let down: Convolution
  }

  /// - Parameter heads: returns the number of attention heads for a width.
  init(
    _ loader: LayerLoader, _ name: String, channels: Int, groups: Int, textWidth: Int, heads: (Int) -> Int
  ) throws(DiffusionError) {
    norm = try loader.groupNorm(name + "norm", channels: channels, groups: groups, epsilon: 1e-6)
    projIn = try loader.layer(name + "proj_in", inputs: channels)
    width = projIn.outputChannels
    projOut = try loader.layer(name + "proj_out", inputs: width, outputs: channels)
    headCount = heads(width)
    guard headCount > 0, width % headCount == 0, width / headCount <= 512 else {
      throw .wrongShape(tensor: name + "proj_in.weight", expected: [headCount], found: [width])
    }
    let count = loader.table.count(name + "transformer_blocks.")
    guard count > 0 else { throw .missingTensor(name + "transformer_blocks.0.norm1.weight") }
    var layers: [Layer] = []
    for index in 0..<count {
      layers.append(try Self.layer(loader, "\(name)transformer_blocks.\(index).", width, textWidth))
    }
    self.layers = layers
  }

  private static func layer(
    _ loader: LayerLoader, _ name: String, _ width: Int, _ textWidth: Int
  ) throws(DiffusionError) -> Layer {
    let rows = try loader.rows(name + "ff.net.0.proj.weight")
    guard rows % 2 == 0 else {
      throw .wrongShape(tensor: name + "ff.net.0.proj.weight", expected: [rows + 1, width], found: [rows, width])
    }
    let gateUp = try loader.layer(name + "ff.net.0.proj", inputs: width, gate: .gelu)
    return Layer(
      norm1: try loader.layerNorm(name + "norm1", width: width, epsilon: 1e-5),
      qkv: try loader.layer(["q", "k", "v"].map { "\(name)attn1.to_\($0)" }, inputs: width, outputs: width),
      out1: try loader.layer(name + "attn1.to_out.0", inputs: width, outputs: width),
      norm2: try loader.layerNorm(name + "norm2", width: width, epsilon: 1e-5),
      queries: try loader.layer(name + "attn2.to_q", inputs: width, outputs: width),
      keysValues: try loader.layer(["k", "v"].map { "\(name)attn2.to_\($0)" }, inputs: textWidth, outputs: width),
      out2: try loader.layer(name + "attn2.to_out.0", inputs: width, outputs: width),
      norm3: try loader.layerNorm(name + "norm3", width: width, epsilon: 1e-5), gateUp: gateUp,
      down: try loader.layer(name + "ff.net.2", inputs: gateUp.outputChannels, outputs: width))
  }

  /// - Parameter text: text embeddings, `(count, 1, tokens, textWidth)`.
  func callAsFunction(
    _ input: FeatureMap, text: FeatureMap, _ workspace: Workspace, check: () throws(DiffusionError) -> Void
  ) throws(DiffusionError) -> FeatureMap {
    var state = try workspace.convolve(projIn, input, prologue: Prologue(normalization: .group(norm)))
    for layer in layers {
      try check()
      state = try attendToPixels(layer, state, workspace)
      state = try attendToText(layer, state, text, workspace)
      let inner = try workspace.multiply(
        layer.gateUp, state, prologue: Prologue(normalization: .layer(layer.norm3)))
      state = try workspace.multiply(layer.down, inner, epilogue: Epilogue(residual: state.base), into: state)
    }
    return try workspace.multiply(projOut, state, epilogue: Epilogue(residual: input.base))
  }

  private func attendToPixels(
    _ layer: Layer, _ state: FeatureMap, _ workspace: Workspace
  ) throws(DiffusionError) -> FeatureMap {
    let qkv = try workspace.multiply(layer.qkv, state, prologue: Prologue(normalization: .layer(layer.norm1)))
    let attended = try workspace.map(like: state, channels: width)
    let attention = PictureAttention(
      texts: state.count, queries: state.pixels, keys: state.pixels, heads: headCount, headSize: width / headCount,
      precision: layer.qkv.precision, queryStride: 3 * width, keyStride: 3 * width, valueStride: 3 * width)
    try DiffusionError.wrapping {
      try workspace.context.attend(
        attention, queries: qkv.base, keys: qkv.base + width, values: qkv.base + 2 * width,
        into: attended.base)
    }
    return try workspace.multiply(layer.out1, attended, epilogue: Epilogue(residual: state.base), into: state)
  }

  private func attendToText(
    _ layer: Layer, _ state: FeatureMap, _ text: FeatureMap, _ workspace: Workspace
  ) throws(DiffusionError) -> FeatureMap {
    let queries = try workspace.multiply(
      layer.queries, state, prologue: Prologue(normalization: .layer(layer.norm2)))
    let keysValues = try workspace.multiply(layer.keysValues, text)
    let attended = try workspace.map(like: state, channels: width)
    let attention = PictureAttention(
      texts: state.count, queries: state.pixels, keys: text.pixels, heads: headCount, headSize: width / headCount,
      precision: layer.queries.precision, keyStride: 2 * width, valueStride: 2 * width)
    try DiffusionError.wrapping {
      try workspace.context.attend(
        attention, queries: queries.base, keys: keysValues.base, values: keysValues.base + width,
        into: attended.base)
    }
    return try workspace.multiply(layer.out2, attended, epilogue: Epilogue(residual: state.base), into: state)
  }
}
