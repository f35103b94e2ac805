import Foundation
import TestSupport
import Testing
import TextGeneration
import Tokenization

/// Logits that llama.cpp computed for the tiny models of `data/engine`.
enum Reference {
  static let tokens = (0..<160).map { TokenID((37 * $0 + 11) % 128) }

  static let engineModels: [String] = names(in: "engine")
  static let quantizedModels: [String] = names(in: "quants")

  static func names(in folder: String) -> [String] {
    guard SharedData.isPresent else { return [] }
    // Without the folder there are no models, and the tests say that they were skipped.
    let files = (try? FileManager.default.contentsOfDirectory(atPath: SharedData.file(folder).path)) ?? []
    return files.filter { $0.hasSuffix(".gguf") }.map { String($0.dropLast(5)) }.sorted()
  }

  static func logits(_ path: String) throws -> [Float] {
    let data = try Data(contentsOf: SharedData.file("\(path).f32"))
    return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  /// The squared difference as a share of the squared reference.
  static func deviation(_ found: [Float], _ expected: [Float]) -> Double {
    var difference = 0.0
    var total = 0.0
    for (one, other) in zip(found, expected) {
      difference += Double(one - other) * Double(one - other)
      total += Double(other) * Double(other)
    }
    return found.count == expected.count ? difference / total : .infinity
  }

  static func model(
    _ path: String, cache: LanguageModel.CacheType = .f32, batch: Int = 512, threads: Int = 1
  ) throws -> LanguageModel {
    var settings = LanguageModel.Settings()
    settings.cacheType = cache
    settings.batchLimit = batch
    settings.threadCount = threads
    return try LanguageModel(path: SharedData.file("\(path).gguf").path, settings: settings)
  }
}

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct ReferenceLogitsTests {
  /// The bound for weights in half precision, whose activations stay in single precision as the reference's do.
  static let ceiling = 1e-8

  @Test(arguments: Reference.engineModels)
  func logitsAreThoseOfTheReference(name: String) throws {
    let model = try Reference.model("engine/\(name)")
    let found = try model.logits(of: Reference.tokens)
    let deviation = Reference.deviation(found, try Reference.logits("engine/\(name)"))
    #expect(deviation < Self.ceiling, "\(name): \(deviation)")
  }

  /// Prefill in pieces of every size up to 33 and some above, each length starting where the last one ended.
  @Test(arguments: Reference.engineModels)
  func piecesOfEverySizeGiveTheSame(name: String) throws {
    let expected = try Reference.logits("engine/\(name)")
    for piece in Array(1...33) + [47, 64, 65, 96, 127, 128, 159] {
      let model = try Reference.model("engine/\(name)")
      var found: [Float] = []
      for start in stride(from: 0, to: 160, by: piece) {
        found += try model.logits(of: Array(Reference.tokens[start..<min(160, start + piece)]))
      }
      let deviation = Reference.deviation(found, expected)
      #expect(deviation < Self.ceiling, "\(name) in pieces of \(piece): \(deviation)")
    }
  }

  /// Of tokens whose logits nobody asks for the last layer computes only what later tokens attend to.
  @Test(arguments: Reference.engineModels + Reference.quantizedModels)
  func theLastLogitsAreThoseAmongAll(name: String) throws {
    let folder = Reference.engineModels.contains(name) ? "engine" : "quants"
    let tokens = Reference.tokens
    func model() throws -> LanguageModel { try Reference.model("\(folder)/\(name)", batch: 48, threads: 2) }
    let whole = try model()
    let all = try whole.logits(of: Array(tokens.dropLast())), work = whole.multiplyAddCount
    let after = try whole.logits(of: [tokens[159]])
    let size = whole.vocabularySize
    for rows in [0, 1, 15, 16, 50, 159] {
      let model = try model()
      let last = try model.logits(of: Array(tokens.dropLast()), last: rows)
      #expect(last == Array(all.suffix(rows * size)), "\(name), the last \(rows)")
      // More is saved than the output layer.
      let saved = work - model.multiplyAddCount, unasked = 159 - rows
      #expect(rows == 159 ? saved == 0 : saved > unasked * size * model.configuration.width, "\(name), \(rows)")
      #expect(try model.logits(of: [tokens[159]]) == after, "\(name), after the last \(rows)")
    }
  }

  /// The cache's precision: half floats keep 11 bits, blocks of bytes 8; the ceilings are those of the issue.
  @Test(arguments: Reference.engineModels)
  func smallerCachesStayClose(name: String) throws {
    let expected = try Reference.logits("engine/\(name)")
    for (cache, ceiling) in [(LanguageModel.CacheType.f16, 1e-5), (.q8_0, 1e-3)] {
      let model = try Reference.model("engine/\(name)", cache: cache)
      let deviation = Reference.deviation(try model.logits(of: Reference.tokens), expected)
      #expect(deviation < ceiling, "\(name) with \(cache): \(deviation)")
    }
  }

  @Test(arguments: Reference.engineModels + Reference.quantizedModels)
  func threadsDoNotChangeABit(name: String) throws {
    let folder = Reference.engineModels.contains(name) ? "engine" : "quants"
    let one = try Reference.model("\(folder)/\(name)", threads: 1).logits(of: Reference.tokens)
    for threads in 2...3 {
      let many = try Reference.model("\(folder)/\(name)", threads: threads).logits(of: Reference.tokens)
      #expect(one == many, "\(name) with \(threads) threads")
    }
  }

  /// Eight-bit activations may cost half again what they cost llama.cpp, as `deviation.tsv` has it.
  @Test(arguments: Reference.quantizedModels)
  func quantizedWeightsStayClose(name: String) throws {
    let limits = try String(contentsOf: SharedData.file("quants/deviation.tsv"), encoding: .utf8)
    let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix("\(name)\t") })
    let limit = try #require(Double(line.split(separator: "\t")[1])) * 1.5
    let expected = try Reference.logits("quants/\(name)")
    for piece in [160, 1] {
      let model = try Reference.model("quants/\(name)")
      var found: [Float] = []
      for start in stride(from: 0, to: 160, by: piece) {
        found += try model.logits(of: Array(Reference.tokens[start..<start + piece]))
      }
      let deviation = Reference.deviation(found, expected)
      #expect(deviation < limit, "\(name) in pieces of \(piece): \(deviation) of \(limit)")
    }
  }

  @Test func wrongUseIsAnError() throws {
    let model = try Reference.model("engine/llama-dense")
    #expect(throws: TextGenerationError.unknownToken(id: 128, vocabularySize: 128)) {
      try model.logits(of: [1, 128])
    }
    #expect(throws: TextGenerationError.unknownToken(id: -1, vocabularySize: 128)) {
      try model.logits(of: [-1])
    }
    #expect(throws: TextGenerationError.emptyPrompt) { try model.logits(of: []) }
    #expect(throws: TextGenerationError.contextFull(needed: 257, capacity: 256)) {
      try model.logits(of: Array(repeating: 1, count: 257))
    }
  }
}
