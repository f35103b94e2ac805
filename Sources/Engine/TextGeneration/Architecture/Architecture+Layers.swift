import ModelFormats

// Settings that a file's metadata and its architecture's defaults decide together.
extension Architecture {
  /// Indicates whether each layer is recurrent.
  func recurrentLayers(
    _ reader: MetadataReader, _ layerCount: Int, keyValueHeadCounts: [Int]
  ) throws(GGUFError) -> [Bool] {
    switch recurrence {
    case .none: return Array(repeating: false, count: layerCount)
    case .shortConvolution: return keyValueHeadCounts.map { $0 == 0 }
    case .gatedDelta:
      let key = "attention.recurrent_layers"
      if reader.hasList(key), let listed = try reader.perLayer(key, layerCount, in: 0...1) {
        return listed.map { $0 != 0 }
      }
      let interval = try reader.integer("full_attention_interval", in: 1...4096, orIfZero: 4)
      return (0..<layerCount).map { ($0 + 1) % interval != 0 }
    }
  }

  /// Size of the sliding window, zero for none, and whether each layer has it.
  func windows(_ reader: MetadataReader, _ layerCount: Int) throws(GGUFError) -> (size: Int, layers: [Bool]) {
    let none = (size: 0, layers: Array(repeating: false, count: layerCount))
    guard case .patterned(let familyPeriod, let globalFirst, let defaultSize) = window else { return none }
    let size = try reader.integer("attention.sliding_window", in: 0...(1 << 30), orIfZero: defaultSize ?? 0)
    guard size > 0 else { return none }
    let key = "attention.sliding_window_pattern"
    if reader.hasList(key), let listed = try reader.perLayer(key, layerCount, in: 0...1) {
      return (size, listed.map { $0 != 0 })
    }
    let period = try reader.integer(key, in: 1...4096, orIfZero: familyPeriod)
    guard period > 1 else { return none }
    return (size, (0..<layerCount).map { globalFirst ? $0 % period != 0 : $0 % period < period - 1 })
  }

  /// Factor of attention scores, `(query · key) · factor`.
  func attentionScale(
    _ reader: MetadataReader, keyLength: Int, width: Int, headCount: Int, layerCount: Int
  ) throws(GGUFError) -> Float {
    let byHead = 1 / Float(keyLength).squareRoot()
    switch scoreScale {
    case .head: return byHead
    case .key: return try reader.numberIfSet("attention.scale") ?? byHead
    case .gemma(let wide):
      return layerCount == wide ? 1 / Float(width / max(1, headCount)).squareRoot() : byHead
    }
  }
}

extension MetadataReader {
  /// The family's cap where the file sets none; zero where the family knows no cap.
  func cap(_ key: String, _ familyDefault: Float?) throws(GGUFError) -> Float {
    guard let familyDefault else { return 0 }
    return try number(key) ?? familyDefault
  }
}

/// Runs what may find the file wrong and passes that on as this module's error.
func checked<Value>(_ body: () throws(GGUFError) -> Value) throws(TextGenerationError) -> Value {
  do {
    return try body()
  } catch {
    throw .file(error)
  }
}
