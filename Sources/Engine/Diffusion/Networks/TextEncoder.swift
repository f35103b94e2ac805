import Compute

/// Hyperparameters of a text encoder that cannot be read from its tensors.
struct TextEncoderConfiguration: Sendable, Equatable {
  var headCount: Int?
  var activation = Activation.geluQuick
  var epsilon: Float = 1e-5
  /// Number of layers run for the hidden states; nil for all.
  var layerLimit: Int?

  init() {}

  init(_ json: ModelJSON) throws(DiffusionError) {
    headCount = try json.integer("num_attention_heads", in: 1...4096)
    epsilon = Float(try json.number("layer_norm_eps", in: 0...1) ?? 1e-5)
    switch json.text("hidden_act") ?? "quick_gelu" {
    case "quick_gelu": activation = .geluQuick
    case "gelu": activation = .gelu
    case "gelu_new", "gelu_pytorch_tanh": activation = .geluTanh
    case let other: throw .badConfiguration(file: json.file, key: "hidden_act", value: String(other.prefix(80)))
    }
  }
}

/// Text transformer of CLIP (Radford et al. 2021) or OpenCLIP.
final class TextEncoder {
  /// Number of values of a hidden state.
  let width: Int
  /// Number of tokens of a window.
  let windowLength: Int
  /// Number of values of the pooled embedding; nil without a projection.
  let pooledWidth: Int?
  private let tokens: StoredTensor
  private let positions: [Float]
  private let layers: [Layer]
  private let layerLimit: Int
  private let finalNorm: LayerNorm
  private let projection: Convolution?
  private let headCount: Int
  private let workspace: Workspace
  private let precision: PicturePrecision
  private let activation: Activation

  private struct Layer {
    let norm1: LayerNorm
    let qkv: Convolution
    let out: Convolution
    let norm2: LayerNorm
    let up: Convolution
    let down: Convolution
  }

  /// Hidden states of one window of tokens.
  struct Output {
    /// States after the last layer and the final normalization, `(windowLength, width)`.
    let last: [Float]
    /// States before the last layer, not normalized, `(windowLength, width)`.
    let penultimate: [Float]
    /// Projected state of the end-of-text token, `(pooledWidth,)`; empty without a projection.
    let pooled: [Float]
  }

  init(_ loader: LayerLoader, _ configuration: TextEncoderConfiguration) throws(DiffusionError) {
    workspace = Workspace(loader.context)
    precision = loader.precision
    activation = configuration.activation
    tokens = try loader.table.required("embeddings.token_embedding.weight")
    let positionTensor = try loader.table.required("embeddings.position_embedding.weight")
    guard positionTensor.shape.count == 2, (2...4096).contains(positionTensor.shape[0]) else {
      throw .wrongShape(tensor: positionTensor.name, expected: [77, 0], found: positionTensor.shape)
    }
    windowLength = positionTensor.shape[0]
    width = try loader.columns("embeddings.position_embedding.weight")
    guard tokens.shape.count == 2, tokens.shape[1] == width, tokens.shape[0] > 0,
      tokens.type.rowByteCount(columns: width) != nil
    else { throw .wrongShape(tensor: tokens.name, expected: [49408, width], found: tokens.shape) }
    positions = positionTensor.floats()
    headCount = configuration.headCount ?? (width % 64 == 0 ? width / 64 : max(1, width / 8))
    guard width % headCount == 0, width / headCount <= 512 else {
      throw .wrongShape(tensor: positionTensor.name, expected: [headCount], found: [width])
    }
    var layers: [Layer] = []
    for index in 0..<loader.table.count("encoder.layers.") {
      layers.append(try Self.layer(loader, "encoder.layers.\(index).", width, configuration.epsilon))
    }
    guard !layers.isEmpty else { throw .missingTensor("encoder.layers.0.layer_norm1.weight") }
    self.layers = layers
    layerLimit = min(layers.count, configuration.layerLimit ?? layers.count)
    finalNorm = try loader.layerNorm("final_layer_norm", width: width, epsilon: configuration.epsilon)
    projection =
      loader.table["text_projection.weight"] == nil ? nil : try loader.layer("text_projection", inputs: width)
    pooledWidth = projection?.outputChannels
  }

  private static func layer(
    _ loader: LayerLoader, _ name: String, _ width: Int, _ epsilon: Float
  ) throws(DiffusionError) -> Layer {
    let up = try loader.layer(name + "mlp.fc1", inputs: width)
    return Layer(
      norm1: try loader.layerNorm(name + "layer_norm1", width: width, epsilon: epsilon),
      qkv: try loader.layer(
        ["q", "k", "v"].map { "\(name)self_attn.\($0)_proj" }, inputs: width, outputs: width),
      out: try loader.layer(name + "self_attn.out_proj", inputs: width, outputs: width),
      norm2: try loader.layerNorm(name + "layer_norm2", width: width, epsilon: epsilon), up: up,
      down: try loader.layer(name + "mlp.fc2", inputs: up.outputChannels, outputs: width))
  }

  /// Encodes one window.
  /// - Parameters:
  ///   - ids: token numbers below the vocabulary's size, `(windowLength,)`.
  ///   - end: position of the end-of-text token, whose state is pooled.
  func encode(_ ids: [Int], end: Int) throws(DiffusionError) -> Output {
    precondition(ids.count == windowLength && ids.indices.contains(end), "one window of tokens")
    var state = try embedded(ids)
    var penultimate = state.values.map { $0 }
    var last = penultimate
    for (index, layer) in layers.enumerated() {
      if index == layers.count - 1 { penultimate = Array(state.values) }
      state = try run(layer, state)
      if index == layerLimit - 1 { last = try normalized(state) }
    }
    var pooled: [Float] = []
    if let projection {
      let whole = try workspace.map(count: 1, height: 1, width: 1, channels: width)
      let normal = try normalized(state)
      for channel in 0..<width { whole.base[channel] = normal[end * width + channel] }
      pooled = Array(try workspace.multiply(projection, whole).values)
    }
    return Output(last: last, penultimate: penultimate, pooled: pooled)
  }

  private func embedded(_ ids: [Int]) throws(DiffusionError) -> FeatureMap {
    let state = try workspace.map(count: 1, height: 1, width: windowLength, channels: width)
    let rowBytes = tokens.byteCount / tokens.shape[0]
    for (place, id) in ids.enumerated() {
      guard id >= 0, id < tokens.shape[0], let start = tokens.bytes.baseAddress else {
        throw .wrongShape(tensor: tokens.name, expected: [id + 1, width], found: tokens.shape)
      }
      let row = state.base + place * width
      tokens.type.dequantize(start + id * rowBytes, count: width, into: row)
      for channel in 0..<width { row[channel] += positions[place * width + channel] }
    }
    return state
  }

  private func run(_ layer: Layer, _ state: FeatureMap) throws(DiffusionError) -> FeatureMap {
    let qkv = try workspace.multiply(layer.qkv, state, prologue: Prologue(normalization: .layer(layer.norm1)))
    let attended = try workspace.map(like: state, channels: width)
    let attention = PictureAttention(
      queries: windowLength, keys: windowLength, heads: headCount, headSize: width / headCount, isCausal: true,
      precision: precision, queryStride: 3 * width, keyStride: 3 * width, valueStride: 3 * width)
    try DiffusionError.wrapping {
      try workspace.context.attend(
        attention, queries: qkv.base, keys: qkv.base + width, values: qkv.base + 2 * width,
        into: attended.base)
    }
    let middle = try workspace.multiply(layer.out, attended, epilogue: Epilogue(residual: state.base))
    let inner = try workspace.multiply(
      layer.up, middle, prologue: Prologue(normalization: .layer(layer.norm2)),
      epilogue: Epilogue(activation: activation))
    return try workspace.multiply(layer.down, inner, epilogue: Epilogue(residual: middle.base))
  }

  private func normalized(_ state: FeatureMap) throws(DiffusionError) -> [Float] {
    let output = try workspace.map(like: state, channels: width)
    try DiffusionError.wrapping {
      try workspace.context.normalize(finalNorm, state.base, tokens: state.tokens, into: output.base)
    }
    return Array(output.values)
  }
}
