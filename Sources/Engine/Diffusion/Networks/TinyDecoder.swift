import Compute

/// TAESD, a small decoder for quick previews (Bohan 2023), with tensor names of its author or of diffusers.
final class TinyDecoder {
  /// Number of channels of a latent.
  let latentChannels: Int
  private let workspace: Workspace
  private let layers: [Layer]

  private enum Layer {
    /// Convolution: the first is followed by a ReLU, one without bias follows an upsampling.
    case convolution(Convolution, upsamples: Bool, isFirst: Bool)
    case block([Convolution], shortcut: Convolution?)
  }

  init(_ loader: LayerLoader) throws(DiffusionError) {
    workspace = Workspace(loader.context)
    let prefix = ["decoder.layers.", "decoder.", "taesd_decoder.", ""].first { prefix in
      loader.table.names.contains { name in
        name.hasPrefix(prefix) && Int(name.dropFirst(prefix.count).prefix { $0 != "." }) != nil
      }
    }
    guard let prefix else { throw .missingTensor("decoder.layers.0.weight") }
    let numbers = Set(
      loader.table.names.compactMap { name in
        name.hasPrefix(prefix) ? Int(name.dropFirst(prefix.count).prefix { $0 != "." }) : nil
      }
    ).sorted()
    var layers: [Layer] = []
    var channels = 0
    for number in numbers {
      let name = "\(prefix)\(number)"
      if loader.table[name + ".conv.0.weight"] != nil {
        var block: [Convolution] = []
        let start = channels
        for place in [0, 2, 4] {
          block.append(try loader.layer("\(name).conv.\(place)", inputs: channels, kernel: 3))
          channels = block[block.count - 1].outputChannels
        }
        let hasShortcut = loader.table[name + ".skip.weight"] != nil
        let shortcut =
          hasShortcut ? try loader.layer(name + ".skip", inputs: start, outputs: channels) : nil
        guard hasShortcut || start == channels else { throw .missingTensor(name + ".skip.weight") }
        layers.append(.block(block, shortcut: shortcut))
      } else {
        if layers.isEmpty { channels = try loader.columns(name + ".weight") }
        let layer = try loader.layer(name, inputs: channels, kernel: 3)
        let hasBias = loader.table[name + ".bias"] != nil
        layers.append(.convolution(layer, upsamples: !hasBias, isFirst: layers.isEmpty))
        channels = layer.outputChannels
      }
    }
    guard case .convolution(let first, _, _)? = layers.first, channels == 3 else {
      throw .wrongShape(tensor: "\(prefix)\(numbers.last ?? 0).weight", expected: [3], found: [channels])
    }
    latentChannels = first.inputChannels
    self.layers = layers
  }

  /// Decodes one latent in the UNet's scale.
  /// - Returns: `(8 · height, 8 · width, 3)`, roughly from -1 to 1.
  func decode(_ latent: [Float], height: Int, width: Int) throws(DiffusionError) -> FeatureMap {
    let clamped = latent.map { ($0 / 3).hyperbolicTangent * 3 }
    var state = try workspace.map(
      planes: clamped, count: 1, height: height, width: width, channels: latentChannels)
    for layer in layers {
      switch layer {
      case .convolution(let convolution, let upsamples, let isFirst):
        state = try workspace.convolve(
          convolution, state, prologue: Prologue(upsamples: upsamples),
          epilogue: Epilogue(activation: isFirst ? .relu : nil))
      case .block(let block, let shortcut):
        let straight =
          try shortcut.map { layer throws(DiffusionError) in try workspace.multiply(layer, state) } ?? state
        var inner = state
        for (index, convolution) in block.enumerated() {
          let epilogue = index < block.count - 1 ? Epilogue(activation: .relu) : Epilogue(residual: straight.base)
          inner = try workspace.convolve(convolution, inner, epilogue: epilogue)
        }
        workspace.context.activate(.relu, inner.base, count: inner.elementCount, into: inner.base)
        state = inner
      }
    }
    for index in 0..<state.elementCount { state.base[index] = 2 * state.base[index] - 1 }
    return state
  }
}
