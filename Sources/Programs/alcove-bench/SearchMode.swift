import Assistant
import Foundation
import Retrieval
import TextGeneration

/// Halves of the search that a benchmark uses, and the embedder where it needs one.
struct SearchMode: Sendable {
  enum Halves: String, CaseIterable { case keyword, vector, hybrid }

  let halves: Halves
  let embedder: LoadedEmbedder?
  var ranking = RankingSettings()

  static let parameters = """
    [--mode keyword|vector|hybrid] [--fusion rrf|score] [--vector-weight W] [--rank-constant C] [--depth N] \
    [--join 0|1] [--embedder FILE] [--threads N] [--keep FOLDER]
    """

  /// The halves named by `--mode`; the bundled embedder unless another is given.
  init(_ options: Options, default halves: Halves) throws {
    let name = options.text("mode") ?? halves.rawValue
    guard let named = Halves(rawValue: name) else {
      throw UsageError(message: "--mode needs keyword, vector or hybrid, not \(name)")
    }
    self.halves = named
    if let name = options.text("fusion") {
      guard let method = FusionMethod(rawValue: name) else {
        throw UsageError(message: "--fusion needs rrf or score, not \(name)")
      }
      ranking.fusion.method = method
    }
    ranking.fusion.vectorWeight = try options.number("vector-weight", default: ranking.fusion.vectorWeight)
    ranking.fusion.rankConstant = try options.number("rank-constant", default: ranking.fusion.rankConstant)
    ranking.fusion.depth = try options.count("depth", default: ranking.fusion.depth)
    ranking.joinsNeighbours = try options.whole("join", default: 1) > 0
    if named == .vector { ranking.fusion.vectorWeight = 1 }
    guard named != .keyword else {
      embedder = nil
      return
    }
    let path = options.text("embedder") ?? "Resources/Models/all-minilm-l6-v2-q8_0.gguf"
    let threads = options.text("threads") == nil ? nil : try options.count("threads", default: 1)
    embedder = try LoadedEmbedder(path: path, threadCount: threads)
  }

  /// Opens the library of a set: a temporary one, or one that stays for the next run under `--keep`.
  func withLibrary<Value>(
    of set: String, _ options: Options, store: (Library) async throws -> Void,
    body: (Library) async throws -> Value
  ) async throws -> Value {
    func run(_ folder: URL) async throws -> Value {
      let library = try await Library(at: folder.appending(path: "\(set).db"))
      if try await library.size().documentCount == 0 { try await store(library) }
      if let embedder {
        try await PassageEmbedding(library: library).run(embedder) { progress in
          guard !options.isJSON else { return }
          FileHandle.standardError.write(Data("\r\(set): \(progress.remaining) passages to embed ".utf8))
        }
      }
      return try await body(library)
    }
    guard let path = options.text("keep") else { return try await withTemporaryFolder(run) }
    let folder = URL(filePath: path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return try await run(folder)
  }

  /// The query as the embedder makes it; nil where only words are compared.
  func vector(_ text: String) async throws -> QueryVector? {
    guard let embedder, let made = try await embedder.engine.embed([text], as: .query).first else { return nil }
    return QueryVector(embedder: embedder.description.identity, values: made.vector)
  }
}
