import Compute
import Foundation

/// Low-rank adaptation (Hu et al. 2021): for each layer a product of two narrow matrices added to its weights.
struct LoRA: Sendable {
  /// Name in the prompt.
  let name: String
  private let pairs: [String: Pair]

  /// Matrices of one layer: weight + strength · alpha / rank · up · down.
  struct Pair: Sendable {
    var down: StoredTensor?
    var up: StoredTensor?
    var alpha: Float?
  }

  /// Parts of a model that a LoRA can change.
  enum Part: Sendable { case unet, textEncoder, textEncoder2 }

  /// Reads a file with tensor names as written by kohya's scripts or diffusers.
  init(path: String, name: String) throws(DiffusionError) {
    self.name = name
    let table = try TensorTable(path: path)
    var pairs: [String: Pair] = [:]
    for (key, tensor) in table.tensors {
      guard let (layer, kind) = Self.split(key) else { continue }
      switch kind {
      case .down: pairs[layer, default: Pair()].down = tensor
      case .up: pairs[layer, default: Pair()].up = tensor
      case .alpha:
        guard tensor.count == 1, tensor.type.isMultipliable else { continue }
        pairs[layer, default: Pair()].alpha = tensor.floats()[0]
      }
    }
    self.pairs = pairs.filter { $0.value.down != nil && $0.value.up != nil }
    guard !self.pairs.isEmpty else { throw .notADiffusionModel(path: path, found: "no tensors of a LoRA") }
  }

  private enum Kind { case down, up, alpha }

  private static let endings: [(String, Kind)] = [
    (".lora_down.weight", .down), (".lora_up.weight", .up), (".lora_A.weight", .down), (".lora_B.weight", .up),
    (".lora.down.weight", .down), (".lora.up.weight", .up), ("_lora.down.weight", .down), ("_lora.up.weight", .up),
    (".lora_linear_layer.down.weight", .down), (".lora_linear_layer.up.weight", .up),
    (".lora_A.default.weight", .down), (".lora_B.default.weight", .up), (".alpha", .alpha),
  ]

  private static func split(_ key: String) -> (layer: String, Kind)? {
    for (ending, kind) in endings where key.hasSuffix(ending) {
      return (plain(String(key.dropLast(ending.count))), kind)
    }
    return nil
  }

  /// Normalizes a layer's name across programs, without dots, such as `unet_down_blocks_0_…_to_q`.
  private static func plain(_ key: String) -> String {
    var name = key.replacing(".processor", with: "").replacing(".", with: "_")
    for (start, own) in [
      ("lora_unet_", "unet_"), ("lora_te1_", "te_"), ("lora_te2_", "te2_"), ("lora_te_", "te_"),
      ("text_encoder_2_", "te2_"), ("text_encoder_", "te_"), ("base_model_model_", "unet_"),
    ] where name.hasPrefix(start) {
      name = own + name.dropFirst(start.count)
      break
    }
    for part in ["te_", "te2_"] where name.hasPrefix(part + "text_model_") {
      name = part + name.dropFirst((part + "text_model_").count)
    }
    // Older files leave out the index of the output layer.
    if name.hasSuffix("_to_out") { name += "_0" }
    return name
  }

  /// Indicates whether any layer of the LoRA is one of the model's.
  func belongs(to parts: ModelParts) -> Bool {
    let names = OriginalUNetNames(parts.unet)
    let tables: [(TensorTable, Part)] = [
      (parts.unet, .unet), (parts.textEncoder, .textEncoder), (parts.textEncoder2, .textEncoder2),
    ]
    return tables.contains { table, part in
      table.names.contains { name in
        name.hasSuffix(".weight")
          && pair(String(name.dropLast(7)), part: part, originalName: { part == .unet ? names[$0] : nil }) != nil
      }
    }
  }

  /// Returns the matrices of the layer that diffusers calls `name`.
  func pair(_ name: String, part: Part, originalName: (String) -> String?) -> Pair? {
    let start: String
    switch part {
    case .unet: start = "unet_"
    case .textEncoder: start = "te_"
    case .textEncoder2: start = "te2_"
    }
    if let found = pairs[start + Self.plain(name)] { return found }
    return originalName(name).flatMap { pairs[start + Self.plain($0)] }
  }
}

/// LoRAs that change one part of a model, each with its strength.
struct LoRAStack {
  var loras: [(lora: LoRA, strength: Float)] = []
  var part = LoRA.Part.unet
  /// Returns the name of a layer in the original checkpoints.
  var originalName: (String) -> String? = { _ in nil }

  /// Indicates whether a LoRA changes a layer.
  func changes(_ name: String) -> Bool {
    loras.contains { $0.lora.pair(name, part: part, originalName: originalName) != nil }
  }

  /// Returns a layer's weights with all LoRAs added.
  /// - Parameter shape: `(outputs, inputs)` or `(outputs, inputs, kernel, kernel)`.
  func added(to weights: [Float], name: String, shape: [Int]) throws(DiffusionError) -> [Float] {
    var weights = weights
    for (lora, strength) in loras {
      guard let pair = lora.pair(name, part: part, originalName: originalName), let down = pair.down,
        let up = pair.up
      else { continue }
      let (outputs, inner) = (shape[0], shape.dropFirst().reduce(1, *))
      guard let rank = down.shape.first, rank > 0, down.count == rank * inner, up.count == outputs * rank,
        up.shape.first == outputs, down.type.isMultipliable, up.type.isMultipliable
      else { throw .wrongShape(tensor: up.name, expected: [outputs, down.shape.first ?? 0], found: up.shape) }
      let factor = strength * (pair.alpha ?? Float(rank)) / Float(rank)
      let (first, second) = (down.floats(), up.floats())
      weights.withUnsafeMutableBufferPointer { weights in
        first.withUnsafeBufferPointer { first in
          guard let target = weights.baseAddress, let source = first.baseAddress else { return }
          for row in 0..<outputs {
            for index in 0..<rank {
              InstructionSet.best.addScaled(
                source + index * inner, by: factor * second[row * rank + index], count: inner,
                into: target + row * inner)
            }
          }
        }
      }
    }
    return weights
  }
}
