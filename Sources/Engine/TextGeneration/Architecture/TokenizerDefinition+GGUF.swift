import ModelFormats
import Tokenization

extension TokenizerDefinition {
  /// Reads the `tokenizer.ggml.*` keys of a model file.
  package init(_ header: GGUFHeader) throws(TextGenerationError) {
    do {
      try self.init(keysOf: header)
    } catch {
      throw .file(error)
    }
  }

  private init(keysOf header: GGUFHeader) throws(GGUFError) {
    let prefix = "tokenizer.ggml."
    guard let model = try header.string(prefix + "model") else { throw .missingKey(prefix + "model") }
    self.init(model: model, preTokenizer: try header.string(prefix + "pre") ?? "")
    architecture = try header.string("general.architecture") ?? ""
    modelName = try header.string("general.name") ?? ""
    guard let tokens = try header.byteStrings(prefix + "tokens") else { throw .missingKey(prefix + "tokens") }
    self.tokens = tokens
    scores = try header.floats(prefix + "scores") ?? []
    tokenTypes = try header.integers(prefix + "token_type")?.map { Int32(truncatingIfNeeded: $0) } ?? []
    if let merges = try header.byteStrings(prefix + "merges") {
      self.merges = merges
      hasMerges = true
    }
    characterMap =
      try header.integers(prefix + "precompiled_charsmap")?.map { UInt8(truncatingIfNeeded: $0) } ?? []
    addsBeginningOfText = try header.bool(prefix + "add_bos_token")
    addsEndOfText = try header.bool(prefix + "add_eos_token")
    addsSpacePrefix = try header.bool(prefix + "add_space_prefix")
    removesExtraSpaces = try header.bool(prefix + "remove_extra_whitespaces")
    lowercases = try header.bool(prefix + "normalizer.lowercase")
    stripsAccents = try header.bool(prefix + "normalizer.strip_accents")
    specialIDs = try SpecialIDs(keysOf: header, prefix: prefix)
  }
}

extension TokenizerDefinition.SpecialIDs {
  fileprivate init(keysOf header: GGUFHeader, prefix: String) throws(GGUFError) {
    self.init()
    func id(_ name: String) throws(GGUFError) -> Int? { try header.integer("\(prefix)\(name)_token_id") }
    bos = try id("bos")
    eos = try id("eos")
    eot = try id("eot")
    eom = try id("eom")
    unknown = try id("unknown")
    separator = try id("seperator")  // The file format spells it so.
    padding = try id("padding")
    classification = try id("cls")
    mask = try id("mask")
    fillPrefix = try id("fim_pre")
    fillSuffix = try id("fim_suf")
    fillMiddle = try id("fim_mid")
    fillPadding = try id("fim_pad")
    fillRepository = try id("fim_rep")
    fillFileSeparator = try id("fim_sep")
  }
}

extension GGUFHeader {
  /// A list of texts as their bytes, or nil where the key is absent.
  fileprivate func byteStrings(_ key: String) throws(GGUFError) -> ByteStrings? {
    guard let value = self[key] else { return nil }
    guard case .array(let array) = value, array.elementType == .string else {
      throw .wrongType(key: key, expected: "array of strings", found: value.type)
    }
    var strings = ByteStrings()
    strings.reserveCapacity(strings: array.count, bytes: array.byteCount)
    array.forEachString { strings.append($0) }
    return strings
  }
}
