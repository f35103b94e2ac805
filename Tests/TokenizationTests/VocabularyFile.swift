import Foundation
import TestSupport
import Tokenization

/// Reads what a tokenizer needs from a GGUF file whose soundness is not in question.
struct VocabularyFile {
  private let data: [UInt8]
  private var position = 24
  private(set) var definition = TokenizerDefinition(model: "")

  /// The definition in `../shared/data/tokenizers/NAME.gguf`.
  static func named(_ name: String) throws -> TokenizerDefinition {
    try VocabularyFile(SharedData.file("tokenizers/\(name).gguf")).definition
  }

  init(_ file: URL) throws {
    data = try [UInt8](Data(contentsOf: file))
    position = 16
    let keyCount = integer(8)
    for _ in 0..<keyCount {
      let key = String(decoding: string(), as: UTF8.self)
      read(key, type: integer(4))
    }
  }

  private mutating func integer(_ width: Int) -> Int {
    defer { position += width }
    return data[position..<position + width].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private mutating func string() -> ArraySlice<UInt8> {
    let count = integer(8)
    defer { position += count }
    return data[position..<position + count]
  }

  private static let widths = [0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8]

  private mutating func read(_ key: String, type: Int) {
    let field = key.hasPrefix("tokenizer.ggml.") ? String(key.dropFirst(15)) : key
    switch (type, field) {
    case (8, "model"): definition.model = String(decoding: string(), as: UTF8.self)
    case (8, "pre"): definition.preTokenizer = String(decoding: string(), as: UTF8.self)
    case (8, "general.architecture"): definition.architecture = String(decoding: string(), as: UTF8.self)
    case (8, "general.name"): definition.modelName = String(decoding: string(), as: UTF8.self)
    case (8, _): _ = string()
    case (9, _): readArray(field)
    default:
      let value = integer(Self.widths[type] ?? 0)
      switch field {
      case "bos_token_id": definition.specialIDs.bos = value
      case "eos_token_id": definition.specialIDs.eos = value
      case "unknown_token_id": definition.specialIDs.unknown = value
      case "seperator_token_id": definition.specialIDs.separator = value
      case "padding_token_id": definition.specialIDs.padding = value
      case "cls_token_id": definition.specialIDs.classification = value
      case "mask_token_id": definition.specialIDs.mask = value
      case "add_bos_token": definition.addsBeginningOfText = value != 0
      case "add_eos_token": definition.addsEndOfText = value != 0
      case "add_space_prefix": definition.addsSpacePrefix = value != 0
      default: break
      }
    }
  }

  private mutating func readArray(_ field: String) {
    let (type, count) = (integer(4), integer(8))
    switch field {
    case "tokens": for _ in 0..<count { definition.tokens.append(string()) }
    case "merges":
      definition.hasMerges = true
      for _ in 0..<count { definition.merges.append(string()) }
    case "scores":
      definition.scores = (0..<count).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: integer(4))) }
    case "token_type": definition.tokenTypes = (0..<count).map { _ in Int32(truncatingIfNeeded: integer(4)) }
    default:
      if type == 8 {
        for _ in 0..<count { _ = string() }
      } else {
        position += count * (Self.widths[type] ?? 0)
      }
    }
  }
}

/// The vocabularies with reference ids, each made once.
enum ReferenceVocabularies {
  static let names = [
    "bert-bge", "deepseek-llm", "falcon", "gemma-4", "gpt-2", "llama-bpe", "llama-spm", "phi-3", "qwen2",
    "starcoder",
  ]

  private static let tokenizers: [String: Result<Tokenizer, any Error>] = Dictionary(
    uniqueKeysWithValues: names.map { name in
      (name, Result { try Tokenizer(VocabularyFile.named(name)) })
    })

  static func tokenizer(_ name: String) throws -> Tokenizer {
    guard let result = tokenizers[name] else { throw CocoaError(.fileNoSuchFile) }
    return try result.get()
  }

  static func lines(_ file: String) throws -> [String] {
    var lines = try parts(of: file, separator: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines
  }

  static func texts() throws -> [String] { try parts(of: "texts.txt", separator: "\n----\n") }

  /// Cuts by bytes: a combining mark after a separator does not hide it.
  static func parts(of file: String, separator: String) throws -> [String] {
    var rest = try [UInt8](Data(contentsOf: SharedData.file("tokenizers/\(file)")))[...]
    var parts: [String] = []
    while let found = rest.firstRange(of: Array(separator.utf8)) {
      parts.append(String(decoding: rest[..<found.lowerBound], as: UTF8.self))
      rest = rest[found.upperBound...]
    }
    return parts + [String(decoding: rest, as: UTF8.self)]
  }
}
