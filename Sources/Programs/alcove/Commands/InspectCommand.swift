import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  /// View of the engine from outside, for tests and for the curious.
  static let inspect = Command(
    name: "inspect", surface: .shell, summary: "look into documents and models as the engine sees them",
    subcommands: [
      inspectText, inspectChunks, inspectGGUF, inspectTokens, inspectTemplate, inspectLogits,
      inspectEmbed, inspectRoute, inspectLatents,
    ])

  private static let model = Argument(name: "MODEL", kind: .path)
  private static let json = Option(name: "json", help: "write JSON")

  static let inspectGGUF = Command(
    name: "gguf", surface: .shell, summary: "list a model file's metadata and tensors",
    arguments: [Argument(name: "FILE", kind: .path)], options: [json]
  ) { invocation, program in
    let listing = GGUFListing(file: try InspectedModelFile(path: try invocation.required("FILE")))
    program.output.write(
      invocation.has("json") ? listing.json.text + "\n" : listing.text(ink: program.output.ink))
    return .ok
  }

  static let inspectTokens = Command(
    name: "tokens", surface: .shell, summary: "turn texts into token numbers, one line for each text",
    details: "The texts of the file are separated by lines of four dashes; - reads them from standard input.",
    arguments: [model],
    options: [
      Option(name: "texts", value: ("FILE", .path), help: "the texts"),
      Option(name: "special", help: "parse and add special tokens"),
    ]
  ) { invocation, program in
    let vocabulary = try InspectedVocabulary(model: try invocation.required("MODEL"))
    let data = try ShellInput.data(try invocation.required("texts", isOption: true))
    let isSpecial = invocation.has("special")
    for text in data.split(separator: Data("\n----\n".utf8), omittingEmptySubsequences: false) {
      let tokens = vocabulary.tokens(of: String(decoding: text, as: UTF8.self), isSpecial: isSpecial)
      program.output.writeLine(tokens.map { "\($0)" }.joined(separator: " "))
    }
    return .ok
  }

  static let inspectLogits = Command(
    name: "logits", surface: .shell, summary: "write the scores of all tokens after each token of a text",
    details: "The output is positions × vocabulary numbers, float32, little-endian.", arguments: [model],
    options: [
      Option(name: "tokens", value: ("LIST", .text), help: "token numbers, separated by commas"),
      Option(name: "out", value: ("FILE", .path), help: "file for the scores"),
      Option(name: "threads", value: ("N", .integer(1...1024)), help: "number of threads"),
      Option(name: "batch", value: ("N", .integer(1...65_536)), help: "tokens evaluated in one batch (512)"),
      Option(
        name: "cache", value: ("TYPE", .choice(InspectedLogits.cacheTypes)),
        help: "type of the KV cache (f32)"),
    ], examples: ["alcove inspect logits model.gguf --tokens 11,48,85 --out scores.f32"]
  ) { invocation, program in
    let tokens = try invocation.required("tokens", isOption: true).split(separator: ",").map { word in
      guard let token = Int32(word.filter { $0 != " " }) else {
        throw UsageError(message: "--tokens takes numbers, not '\(word)'", path: invocation.path)
      }
      return token
    }
    let output = try invocation.required("out", isOption: true)
    var logits = InspectedLogits()
    logits.cacheType = invocation.value("cache")
    logits.threadCount = invocation.integer("threads")
    logits.batchLimit = invocation.integer("batch")
    let scores = try await logits.scores(model: try invocation.required("MODEL"), tokens: tokens)
    try scores.withUnsafeBytes { try Data($0).write(to: URL(filePath: output)) }
    return .ok
  }

  static let inspectEmbed = Command(
    name: "embed", surface: .shell, summary: "turn a text into a vector", arguments: [model],
    options: [
      Option(name: "text", value: ("TEXT", .text), help: "the text; - reads it from standard input"), json,
    ]
  ) { invocation, program in
    var text = try invocation.required("text", isOption: true)
    if text == "-" { text = String(decoding: try ShellInput.data("-"), as: UTF8.self) }
    guard let embedding = try await InspectedEmbedding.of(text, model: try invocation.required("MODEL")) else {
      return .failure
    }
    if invocation.has("json") {
      let json = JSON.document(
        "embedding",
        [
          ("dimension", .int(embedding.vector.count)),
          ("tokens", .array(embedding.tokens.map(JSON.int))),
          ("truncated", .bool(embedding.isTruncated)),
          ("vector", .array(embedding.vector.map { .number(Double($0)) })),
        ])
      program.output.writeLine(json.text)
    } else {
      program.output.writeLine(embedding.vector.map { String(format: "%.6f", $0) }.joined(separator: " "))
    }
    if embedding.isTruncated { program.notice("only the first \(embedding.tokens.count) tokens were read") }
    return .ok
  }
}

extension Invocation {
  /// Returns a value that must be there; the parser checks arguments, not options.
  func required(_ name: String, isOption: Bool = false) throws(UsageError) -> String {
    guard let value = value(name) else {
      throw UsageError(message: "\(path.last?.name ?? "") needs \(isOption ? "--" : "")\(name)", path: path)
    }
    return value
  }
}

/// Reader of the files that are named on the command line.
enum ShellInput {
  /// Returns a file's bytes; for `-`, those of standard input.
  static func data(_ path: String) throws -> Data {
    path == "-"
      ? try FileHandle.standardInput.readToEnd() ?? Data() : try Data(contentsOf: URL(filePath: path))
  }
}
