import ModelFormats

/// Reads the keys of one model's family, with their prefix, and checks that values are in range.
///
/// Files often carry keys of other families with a value that means "off"; only what is asked for counts.
struct MetadataReader {
  let header: GGUFHeader
  let architecture: String
  let family: Architecture

  init(_ file: GGUFFile) throws(TextGenerationError) {
    header = file.header
    let name = try checked { () throws(GGUFError) in try file.header.string("general.architecture") }
    guard let name else { throw .file(.missingKey("general.architecture")) }
    guard let family = Architecture.table[name] else {
      throw .unsupportedArchitecture(found: name, supported: Architecture.supportedNames)
    }
    architecture = name
    self.family = family
  }

  func missing(_ key: String) -> TextGenerationError { .file(.missingKey(full(key))) }
  func bad(_ key: String, _ value: String) -> TextGenerationError {
    .file(.badValue(key: full(key), value: value))
  }

  func string(_ key: String) throws(TextGenerationError) -> String? {
    try checked { () throws(GGUFError) in
      try header.string(key.hasPrefix("general.") ? key : full(key))
    }
  }

  func bool(_ key: String) throws(TextGenerationError) -> Bool? {
    try checked { () throws(GGUFError) in try header.bool(full(key)) }
  }

  func number(_ key: String) throws(TextGenerationError) -> Float? {
    guard let number = try checked({ () throws(GGUFError) in try header.number(full(key)) }) else {
      return nil
    }
    guard number.isFinite else { throw bad(key, "\(number)") }
    return Float(number)
  }

  /// A number, or nil where it is absent or zero.
  func numberIfSet(_ key: String) throws(TextGenerationError) -> Float? {
    guard let number = try number(key), number != 0 else { return nil }
    return number
  }

  func requiredNumber(_ key: String) throws(TextGenerationError) -> Float {
    guard let number = try number(key) else { throw missing(key) }
    guard number >= 0 else { throw bad(key, "\(number)") }
    return number
  }

  /// The family's cap where the file sets none; zero where the family knows no cap.
  func cap(_ key: String, _ familyDefault: Float?) throws(TextGenerationError) -> Float {
    guard let familyDefault else { return 0 }
    return try number(key) ?? familyDefault
  }

  func required(_ key: String, in range: ClosedRange<Int>) throws(TextGenerationError) -> Int {
    guard let value = try checked({ () throws(GGUFError) in try header.integer(full(key)) }) else {
      throw missing(key)
    }
    guard range.contains(value) else { throw bad(key, "\(value)") }
    return value
  }

  /// An integer, or `fallback` where it is absent or zero.
  func integer(
    _ key: String, in range: ClosedRange<Int>, orIfZero fallback: Int
  ) throws(TextGenerationError) -> Int {
    guard let value = try checked({ () throws(GGUFError) in try header.integer(full(key)) }), value != 0
    else { return fallback }
    guard range.contains(value) else { throw bad(key, "\(value)") }
    return value
  }

  /// An integer that some writers store without its sign.
  func signed(_ key: String) throws(TextGenerationError) -> Int? {
    guard let value = try checked({ () throws(GGUFError) in try header.integer(full(key)) }) else {
      return nil
    }
    return Int(Int32(truncatingIfNeeded: value))
  }

  func integers(_ key: String) throws(TextGenerationError) -> [Int]? {
    guard case .array? = header[full(key)] else { return nil }
    return try checked { () throws(GGUFError) in try header.integers(full(key)) }
  }

  func perLayer(
    _ key: String, _ layerCount: Int, in range: ClosedRange<Int>
  ) throws(TextGenerationError) -> [Int]? {
    let values = try checked { () throws(GGUFError) in
      try header.integers(full(key), perLayer: layerCount)
    }
    if let wrong = values?.first(where: { !range.contains($0) }) { throw bad(key, "\(wrong)") }
    return values
  }

  /// Layers after the last that predict further tokens; they are not run.
  func extraLayerCount() throws(TextGenerationError) -> Int {
    let blockCount = try required("block_count", in: 1...ModelConfiguration.layerLimit)
    let extra = try integer("nextn_predict_layers", in: 0...ModelConfiguration.layerLimit, orIfZero: 0)
    guard extra < blockCount else { throw bad("nextn_predict_layers", "\(extra)") }
    return extra
  }

  func recurrentLayers(
    _ layerCount: Int, keyValueHeadCounts: [Int]
  ) throws(TextGenerationError) -> [Bool] {
    switch family.recurrence {
    case .none: return Array(repeating: false, count: layerCount)
    case .shortConvolution: return keyValueHeadCounts.map { $0 == 0 }
    case .gatedDelta:
      if case .array? = header[full("attention.recurrent_layers")],
        let listed = try perLayer("attention.recurrent_layers", layerCount, in: 0...1)
      {
        return listed.map { $0 != 0 }
      }
      let interval = try integer("full_attention_interval", in: 1...4096, orIfZero: 4)
      return (0..<layerCount).map { ($0 + 1) % interval != 0 }
    }
  }

  /// The window's size, zero for none, and the layers that have it.
  func windows(_ layerCount: Int) throws(TextGenerationError) -> (size: Int, layers: [Bool]) {
    let none = (size: 0, layers: Array(repeating: false, count: layerCount))
    guard case .patterned(let familyPeriod, let globalFirst, let defaultSize) = family.window else {
      return none
    }
    let size = try integer("attention.sliding_window", in: 0...(1 << 30), orIfZero: defaultSize ?? 0)
    guard size > 0 else { return none }
    let key = "attention.sliding_window_pattern"
    if case .array? = header[full(key)], let listed = try perLayer(key, layerCount, in: 0...1) {
      return (size, listed.map { $0 != 0 })
    }
    let period = try integer(key, in: 1...4096, orIfZero: familyPeriod)
    guard period > 1 else { return none }
    return (size, (0..<layerCount).map { globalFirst ? $0 % period != 0 : $0 % period < period - 1 })
  }

  func scoreScale(
    keyLength: Int, width: Int, headCount: Int, layerCount: Int
  ) throws(TextGenerationError) -> Float {
    let byHead = 1 / Float(keyLength).squareRoot()
    switch family.scoreScale {
    case .head: return byHead
    case .key: return try numberIfSet("attention.scale") ?? byHead
    case .gemma(let wide):
      return layerCount == wide ? 1 / Float(width / max(1, headCount)).squareRoot() : byHead
    }
  }

  private func full(_ key: String) -> String { "\(architecture).\(key)" }
}

/// Runs what may find the file wrong and passes that on as this module's error.
func checked<Value>(_ body: () throws(GGUFError) -> Value) throws(TextGenerationError) -> Value {
  do {
    return try body()
  } catch {
    throw .file(error)
  }
}
