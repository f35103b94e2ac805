import Compute
import Foundation
import ModelFormats
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// A tiny model of `data/engine` given a vocabulary, so that it can talk: byte tokens in place of its test tokens.
struct TalkingModel {
  let path: String
  private let folder: TemporaryFolder

  /// - Parameter spelling: whether the tokens are characters and pieces of JSON rather than words.
  init(_ name: String, spelling: Bool = false) throws {
    folder = try TemporaryFolder()
    let file = try GGUFFile(path: SharedData.file("engine/\(name).gguf").path)
    var writer = GGUFWriter()
    for key in file.header.keys where !key.hasPrefix("tokenizer.") {
      if let value = file.header[key] { writer.set(key, value) }
    }
    let words = (0..<128).map { $0 < 3 ? ["<unk>", "<s>", "</s>"][$0] : "t\($0) " }
    let tokens = spelling ? Self.spelling : words
    writer.set("tokenizer.ggml.model", .string("llama"))
    writer.set("tokenizer.ggml.tokens", .array(GGUFArray(tokens)))
    writer.set("tokenizer.ggml.scores", .array(GGUFArray([Float](repeating: 0, count: 128))))
    let types = tokens.map { Int32(["<unk>", "<s>", "</s>"].contains($0) ? 3 : $0.hasPrefix("<0x") ? 6 : 1) }
    writer.set("tokenizer.ggml.token_type", .array(GGUFArray(types)))
    for tensor in file.tensors {
      guard let (_, mapping) = file.tensor(tensor.name) else { continue }
      writer.add(
        tensor.name, dimensions: tensor.dimensions, type: tensor.type,
        bytes: Array(mapping.bytes[tensor.offset..<tensor.offset + tensor.byteCount]))
    }
    path = folder.url.appending(path: "\(name).gguf").path
    try writer.write(to: path)
  }

  /// Every printable ASCII character, some bytes of characters of two, three and four, and pieces of JSON.
  static let spelling: [String] = {
    var tokens = ["<unk>", "<s>", "</s>", "▁"] + (0x21...0x7E).map { String(UnicodeScalar(UInt8($0))) }
    tokens += ["0A", "09", "C3", "A9", "E2", "82", "AC", "F0", "9F", "98", "80"].map { "<0x\($0)>" }
    tokens += [
      "\":", "\",", "{\"", "\"}", "true", "null", "\\\"", "▁\"", "\":▁", "00", "12", "ab", "]}", "[{", "},", "é",
      "a\",\"", "\\n", ".5",
    ]
    return tokens
  }()

  func tokenizer() throws -> Tokenizer { try Tokenizer(GGUFFile(path: path).header) }

  func generator(threads: Int = 1) async throws -> TextGenerator {
    let generator = TextGenerator()
    var settings = LanguageModel.Settings()
    settings.threadCount = threads
    settings.batchLimit = 32
    try await generator.load(path: path, settings: settings)
    return generator
  }
}

/// A vocabulary of some pieces and nothing else, without a model.
struct VocabularyOfPieces {
  private let pieces: [String]

  init(_ pieces: [String]) { self.pieces = pieces }

  func tokenizer() throws -> Tokenizer {
    let folder = try TemporaryFolder()
    let tokens = ["<unk>", "<s>", "</s>"] + pieces
    var writer = GGUFWriter()
    writer.set("general.architecture", .string("llama"))
    writer.set("tokenizer.ggml.model", .string("llama"))
    writer.set("tokenizer.ggml.tokens", .array(GGUFArray(tokens)))
    writer.set("tokenizer.ggml.scores", .array(GGUFArray([Float](repeating: 0, count: tokens.count))))
    writer.set("tokenizer.ggml.token_type", .array(GGUFArray(tokens.indices.map { Int32($0 < 3 ? 3 : 1) })))
    let path = folder.url.appending(path: "pieces.gguf").path
    try writer.write(to: path)
    return try Tokenizer(GGUFFile(path: path).header)
  }
}
