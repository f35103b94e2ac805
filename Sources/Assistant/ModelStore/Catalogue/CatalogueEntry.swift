import Foundation

/// Kind of a model, by its output.
package enum ModelKind: String, Sendable, Codable, CaseIterable {
  /// Writes text.
  case text
  /// Makes vectors of texts.
  case embedder
  /// Draws pictures.
  case diffusion
}

/// One model that can be fetched, in the forms it comes in.
package struct CatalogueEntry: Sendable, Equatable, Codable {
  /// The word it is asked for by.
  package var name: String
  /// Name for people.
  package var title: String
  /// Kind of the model, by its output.
  package var kind: ModelKind
  /// The architecture's name, as files give it.
  package var family: String
  /// Number of weights.
  package var parameters: Int
  /// Licence under which it may be used.
  package var licence: String
  /// The longest text it was trained on, in tokens.
  package var context: Int
  /// Purpose it is good for, in a few words.
  package var goodFor: String
  /// Repository on the Hugging Face Hub: owner and name.
  package var repository: String
  /// Sizes of its layers; nil where it has no KV cache.
  package var shape: Sizes?
  /// The files it comes in, the smallest first.
  package var files: [File]

  /// The sizes of a text model or embedder, as its header gives them.
  package struct Sizes: Sendable, Equatable, Codable {
    /// Blocks.
    package var layers: Int
    /// Number of heads of keys and values.
    package var keyValueHeads: Int
    /// Heads of queries.
    package var heads: Int
    /// Elements of a head.
    package var headLength: Int
    /// The width of the residual stream.
    package var width: Int
    /// The width within the feed-forward network.
    package var innerWidth: Int
    /// Tokens it knows.
    package var vocabulary: Int
  }

  /// One file of it.
  package struct File: Sendable, Equatable, Codable {
    /// Name of the quantization, such as `Q4_K_M`.
    package var quantization: String
    /// Path in the repository.
    package var file: String
    /// Size in bytes, where known.
    package var bytes: Int?
    /// SHA-256 in hexadecimal, where known.
    package var sha256: String?

    /// Makes a file.
    package init(quantization: String, file: String, bytes: Int? = nil, sha256: String? = nil) {
      self.quantization = quantization
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  /// The size of a file: the known one, or one estimated from the number of weights.
  ///
  /// The usual mixes keep the matrix of the vocabulary in six bits or eight, which is much of a small model.
  package func byteCount(of file: File) -> Int {
    if let bytes = file.bytes { return bytes }
    let bits = QuantizationName.bitsPerWeight(file.quantization)
    guard let shape, let ends = QuantizationName.bitsAtTheEnds(file.quantization), bits < ends else {
      return Int(Double(parameters) * bits / 8)
    }
    // One matrix that is embedding and output at once, or two, of which the embedding is stored like the rest.
    let end = min(parameters, shape.vocabulary.saturatingProduct(shape.width))
    let inner = QuantizationName.bitsWithin(file.quantization) ?? bits
    // Rows that do not divide into blocks of 256 are stored in the next finer form of blocks of 32.
    let isOdd = shape.width % 256 != 0 && file.quantization.uppercased().contains("_K")
    let all = Double(parameters - end) * (isOdd ? inner + 0.8 : inner) + Double(end) * (isOdd ? 8.5 : ends)
    return Int(all / 8) + shape.vocabulary * 40
  }

  /// The numbers that decide the memory one file takes; nil for a picture model.
  package func memoryShape(of file: File) -> ModelShape? {
    guard let shape else { return nil }
    return ModelShape(
      weightBytes: byteCount(of: file), attentionLayers: shape.layers, keyValueHeads: shape.keyValueHeads,
      heads: shape.heads, keyLength: shape.headLength, valueLength: shape.headLength, width: shape.width,
      innerWidth: shape.innerWidth, vocabulary: shape.vocabulary, contextLength: context,
      isEncoder: kind == .embedder)
  }

  /// The bytes it takes in memory with a context; a picture model's is its file and three fifths for the work on a
  /// picture.
  package func memory(of file: File, context: Int) -> Int {
    if let shape = memoryShape(of: file) { return MemoryEstimate(shape, context: context).total }
    return byteCount(of: file).saturatingProduct(8) / 5
  }

  /// Judges whether one file of it fits a machine's memory.
  package func verdict(of file: File, memory machine: MachineMemory) -> Verdict {
    if let shape = memoryShape(of: file) { return Verdict(shape, memory: machine) }
    let needed = memory(of: file, context: context)
    if needed <= machine.available - machine.available / 3 { return .fitsWell }
    if needed <= machine.available - machine.available / 10 { return .fits }
    return needed <= machine.available ? .tight : .doesNotFit
  }
}

/// The names of the mixes of types that weights are stored in.
package enum QuantizationName {
  /// Average number of bits of a weight; 16 for a name that is not known.
  package static func bitsPerWeight(_ name: String) -> Double { table[name.uppercased()] ?? 16 }

  /// Bits of a weight of the output's matrix, where a mix keeps that finer than the rest.
  static func bitsAtTheEnds(_ name: String) -> Double? {
    ["Q4_K_M", "Q4_K_S", "Q5_K_M", "Q5_K_S", "Q3_K_M", "Q3_K_L", "Q4_0", "Q5_0"].contains(name.uppercased())
      ? 6.5625 : nil
  }

  /// Bits of a weight within the layers of such a mix: half of two of seven matrices is finer than the rest.
  static func bitsWithin(_ name: String) -> Double? {
    ["Q4_K_M": 4.83, "Q4_K_S": 4.58, "Q5_K_M": 5.67, "Q5_K_S": 5.52, "Q3_K_M": 3.87, "Q4_0": 4.5, "Q5_0": 5.5][
      name.uppercased()]
  }

  /// Finds the name in a file's name, `Q4_K_M` in `qwen2.5-3b-instruct-q4_k_m.gguf`; nil where none is there.
  package static func find(in fileName: String) -> String? {
    let upper = fileName.uppercased()
    let found = table.keys.filter { name in
      guard let place = upper.range(of: name, options: .backwards) else { return false }
      let before = place.lowerBound == upper.startIndex ? nil : upper[upper.index(before: place.lowerBound)]
      let after = place.upperBound == upper.endIndex ? nil : upper[place.upperBound]
      return !(before.map { $0.isLetter || $0.isNumber } ?? false)
        && !(after.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false)
    }
    return found.max { ($0.count, $0) < ($1.count, $1) }
  }

  /// The order in which forms are picked: the usual one, the finer ones that still run well, then smaller ones.
  package static let preference = [
    "Q4_K_M", "Q5_K_M", "Q4_K_S", "Q6_K", "Q4_0", "Q5_K_S", "Q5_0", "IQ4_XS", "Q8_0", "Q3_K_M", "Q3_K_L", "Q3_K_S",
    "IQ3_M", "Q2_K", "F16", "BF16", "F32",
  ]

  // Averages over whole files of the usual mixes, output and embedding included.
  private static let table: [String: Double] = [
    "F32": 32, "F16": 16, "BF16": 16, "Q8_0": 8.5, "Q6_K": 6.6, "Q5_K_M": 5.7, "Q5_K_S": 5.55, "Q5_0": 5.55,
    "Q5_1": 6, "Q4_K_M": 4.95, "Q4_K_S": 4.7, "Q4_0": 4.7, "Q4_1": 5.1, "IQ4_XS": 4.4, "IQ4_NL": 4.6,
    "Q3_K_L": 4.4,
    "Q3_K_M": 4.05, "Q3_K_S": 3.65, "IQ3_M": 3.8, "IQ3_S": 3.6, "IQ3_XS": 3.4, "IQ3_XXS": 3.2, "Q2_K": 3.3,
    "IQ2_M": 2.9, "IQ2_S": 2.7, "IQ2_XS": 2.5, "IQ2_XXS": 2.3, "IQ1_M": 2, "IQ1_S": 1.8, "MXFP4": 4.6,
  ]
}
