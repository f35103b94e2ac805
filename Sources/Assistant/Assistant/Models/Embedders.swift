import Foundation
import Retrieval
import TextGeneration
import Threading

/// The embedders of a workspace: the one that the settings choose, and the one whose vectors answer. Each is loaded when it is
/// first needed, and loading blocks no one else.
package actor Embedders {
  private let thread = DedicatedThread(name: "embedders")
  /// Loading runs on a thread of its own.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let library: Library
  private var choice: Choice
  private let bundled: String
  private var loaded: [LoadedEmbedder] = []

  /// What the settings say.
  struct Choice: Sendable {
    /// The file; nil for none at all.
    var path: String?
    /// What is put before queries and passages; nil for what the model is known for.
    var prefixes: EmbeddingPrefixes?
    var threadCount: Int?

    init(_ settings: Settings, bundled: String) {
      let file = settings.text("embedder.file")
      path = file == "off" ? nil : file.isEmpty ? bundled : file
      let (query, passage) = (settings.text("embedder.query-prefix"), settings.text("embedder.passage-prefix"))
      prefixes = query.isEmpty && passage.isEmpty ? nil : EmbeddingPrefixes(query: query, passage: passage)
      let count = settings.integer("model.threads")
      threadCount = count > 0 ? count : nil
    }
  }

  /// Reads from the settings which embedder is chosen; loads nothing yet.
  init(library: Library, installation: Installation, settings: Settings) {
    self.library = library
    bundled = installation.embedder.path
    choice = Choice(settings, bundled: bundled)
  }

  /// Takes what the settings say now; returns the embedder they choose, nil for none.
  /// - Throws: `TextGenerationError` where its file is missing or not an embedder's; then nothing is changed.
  package func use(_ settings: Settings) throws -> LoadedEmbedder? {
    let changed = Choice(settings, bundled: bundled)
    let embedder = try changed.path.map { try load($0, changed.prefixes) }
    choice = changed
    return embedder
  }

  /// The chosen embedder where passages wait for its vectors, or others' vectors for being taken out; nil where all is done.
  package func withWork() async throws -> LoadedEmbedder? {
    guard try await library.size().passageCount > 0, let embedder = try chosen() else { return nil }
    let states = try await library.embedders()
    let isDone = states.count == 1 && states.allSatisfy { $0.isComplete && $0.embedder == embedder.description }
    return isDone ? nil : embedder
  }

  /// The embedder that the settings choose; nil where they say `off`.
  /// - Throws: `TextGenerationError` where its file is missing or not an embedder's.
  package func chosen() throws -> LoadedEmbedder? {
    guard let path = choice.path else { return nil }
    return try load(path, choice.prefixes)
  }

  /// The embedder that new passages are embedded by first: the one whose vectors answer, else the one that is chosen.
  package func current() async throws -> LoadedEmbedder? {
    if choice.path != nil, let state = try await library.embedders().first(where: { $0.role == .answering }),
      let embedder = find(state.embedder)
    {
      return embedder
    }
    return try chosen()
  }

  /// A query as the embedder makes it whose vectors answer; nil where there is none or it cannot be had: search then goes on by
  /// keywords alone.
  package func queryVector(_ text: String) async -> QueryVector? {
    // Without vectors there is nothing to compare with, and nothing to load.
    guard choice.path != nil, let state = try? await library.embedders().first(where: { $0.role == .answering }),
      state.embeddedPassageCount > 0, let embedder = find(state.embedder),
      let made = try? await embedder.engine.embed([text], as: .query).first
    else { return nil }
    return QueryVector(embedder: state.embedder.identity, values: made.vector)
  }

  /// The embedder that made some vectors: where it was, else a copy of it that the settings or the program have.
  private func find(_ known: EmbedderDescription) -> LoadedEmbedder? {
    let prefixes = EmbeddingPrefixes(query: known.queryPrefix, passage: known.passagePrefix)
    for path in [known.path, choice.path, bundled] {
      guard let path, FileManager.default.fileExists(atPath: path) else { continue }
      // A file that is no embedder (any more) is not the one that is looked for.
      if let embedder = try? load(path, prefixes), embedder.description.identity == known.identity {
        return embedder
      }
    }
    return nil
  }

  private func load(_ path: String, _ prefixes: EmbeddingPrefixes?) throws -> LoadedEmbedder {
    if let known = loaded.first(where: {
      $0.description.path == path && (prefixes == nil || $0.engine.prefixes == prefixes)
    }) {
      return known
    }
    let embedder = try LoadedEmbedder(path: path, prefixes: prefixes, threadCount: choice.threadCount)
    loaded.append(embedder)
    return embedder
  }
}

/// An embedder that is ready, and how the library knows it.
package struct LoadedEmbedder: Sendable {
  /// The engine.
  package let engine: TextEmbedder
  /// How the library knows it.
  package let description: EmbedderDescription

  /// Loads an embedder's file.
  /// - Parameter prefixes: what is put before queries and passages; nil for what the model is known for.
  package init(
    path: String, prefixes: EmbeddingPrefixes? = nil, threadCount: Int? = nil
  ) throws(TextGenerationError) {
    engine = try TextEmbedder(path: path, prefixes: prefixes, threadCount: threadCount)
    let name = engine.name ?? URL(filePath: path).deletingPathExtension().lastPathComponent
    description = EmbedderDescription(
      identity: "\(engine.identity)/\(PassageEmbedding.recipe)", name: name, path: path,
      dimension: engine.dimension, queryPrefix: engine.prefixes.query, passagePrefix: engine.prefixes.passage)
  }
}
