import Foundation
import Retrieval
import TextGeneration
import Threading

/// Embedders of a workspace: the one that the settings choose, and the one whose vectors answer. Each is loaded when
/// it is first needed, and loading blocks no one else.
package actor Embedders {
  private let thread = DedicatedThread(name: "embedders")
  /// Executor of its own thread, so that loading blocks no other.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let library: Library
  private var choice: Choice
  private let bundled: String
  private var loaded: [LoadedEmbedder] = []

  /// Embedder that the settings choose.
  struct Choice: Sendable {
    /// Path of the file; nil for none at all.
    var path: String?
    /// Text put before queries and passages; nil for the model's own.
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

  /// Takes the settings in force; returns the embedder they choose, nil for none.
  /// - Throws: `TextGenerationError` where its file is missing or no embedder; then nothing is changed.
  package func use(_ settings: Settings) throws -> LoadedEmbedder? {
    let changed = Choice(settings, bundled: bundled)
    let embedder = try changed.path.map { try load($0, changed.prefixes) }
    choice = changed
    return embedder
  }

  /// Chosen embedder where passages wait for its vectors or another embedder's vectors wait to be removed; nil where
  /// all is done.
  package func withWork() async throws -> LoadedEmbedder? {
    guard try await library.size().passageCount > 0, let embedder = try chosen() else { return nil }
    let states = try await library.embedders()
    let isDone = states.count == 1 && states.allSatisfy { $0.isComplete && $0.embedder == embedder.description }
    return isDone ? nil : embedder
  }

  /// The embedder that the settings choose; nil where they say `off`.
  /// - Throws: `TextGenerationError` where its file is missing or no embedder.
  package func chosen() throws -> LoadedEmbedder? {
    guard let path = choice.path else { return nil }
    return try load(path, choice.prefixes)
  }

  /// Embedder that new passages are embedded by first: the one whose vectors answer, else the chosen one.
  package func current() async throws -> LoadedEmbedder? {
    if choice.path != nil, let state = try await library.embedders().first(where: { $0.role == .answering }),
      let embedder = find(state.embedder)
    {
      return embedder
    }
    return try chosen()
  }

  /// Query vector of the embedder whose vectors answer; nil where there is none or it cannot be loaded: search then
  /// goes on by keywords alone.
  package func queryVector(_ text: String) async -> QueryVector? {
    // Without vectors there is nothing to compare with, and nothing to load.
    guard choice.path != nil, let state = try? await library.embedders().first(where: { $0.role == .answering }),
      state.embeddedPassageCount > 0, let embedder = find(state.embedder),
      let made = try? await embedder.engine.embed([text], as: .query).first
    else { return nil }
    return QueryVector(embedder: state.embedder.identity, values: made.vector)
  }

  /// Embedder that made some vectors: at its recorded path, else a copy of it that the settings or the program have.
  private func find(_ known: EmbedderDescription) -> LoadedEmbedder? {
    let prefixes = EmbeddingPrefixes(query: known.queryPrefix, passage: known.passagePrefix)
    for path in [known.path, choice.path, bundled] {
      guard let path, FileManager.default.fileExists(atPath: path) else { continue }
      // A file that is no embedder (any more) is not the one looked for.
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

/// An embedder that is ready, with the library's description of it.
package struct LoadedEmbedder: Sendable {
  /// The engine.
  package let engine: TextEmbedder
  /// Description that the library stores with its vectors.
  package let description: EmbedderDescription

  /// Loads an embedder's file.
  /// - Parameter prefixes: text put before queries and passages; nil for the model's own.
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
