import Foundation
import Retrieval
import TextGeneration

/// Embeds the passages of a library, a batch at a time, and stores each batch as soon as it is made.
///
/// The library records the passages still to be embedded: a run that was stopped or killed continues where it was, in
/// any later process.
package struct PassageEmbedding: Sendable {
  private let library: Library

  /// Version of the embedded text, part of the identity of vectors. It changes when ``context(of:)`` or
  /// ``windowTokenCount`` does.
  static let recipe = 2

  /// Number of tokens of a window. Short windows find details that a passage mentions in passing: on CISI, windows of
  /// 128 tokens with the title before each rank at 0.443 (nDCG@10), of 256 at 0.432, and whole passages without the
  /// title at 0.416.
  static func windowTokenCount(of engine: TextEmbedder) -> Int { engine.tokenLimit > 512 ? 512 : 128 }

  /// Number of passages of one step: enough for the embedder to sort them by length; fewer let others in sooner.
  package var batchCount = 64

  /// Progress of a run.
  package struct Progress: Sendable, Hashable {
    /// Number of passages embedded in this step; 0 where nothing was left to be done.
    package var embedded: Int
    /// Number of passages that still wait.
    package var remaining: Int
    /// Time that the embedder took.
    package var embedding: Duration
    /// Time that storing the vectors took.
    package var storing: Duration

    /// Progress of a step with nothing to do.
    package static let nothing = Progress(embedded: 0, remaining: 0, embedding: .zero, storing: .zero)
  }

  /// Prepares a run over a library.
  package init(library: Library) { self.library = library }

  /// Embeds every passage that has no vectors of an embedder yet.
  /// - Throws: `CancellationError`, the library's errors, and `TextGenerationError` where the embedder fails;
  ///   everything stored by then stays.
  package func run(_ embedder: LoadedEmbedder, tell: (Progress) async -> Void = { _ in }) async throws {
    while true {
      let progress = try await step(embedder)
      if progress.embedded == 0 { break }
      await tell(progress)
    }
    try await library.tidyVectors()
  }

  /// Embeds one batch of passages.
  package func step(_ embedder: LoadedEmbedder) async throws -> Progress {
    let identity = embedder.description.identity
    // An embedder that the library knows may be at work next to the chosen one.
    if try await !library.embedders().contains(where: { $0.embedder.identity == identity && $0.role != .leaving })
    {
      try await library.choose(embedder.description)
    }
    let passages = try await library.passagesToEmbed(for: identity, limit: batchCount)
    if passages.isEmpty { return .nothing }
    let started = ContinuousClock.now
    let made = try await vectors(of: passages, by: embedder.engine)
    let embedded = ContinuousClock.now
    try await library.store(made, for: identity)
    let stored = ContinuousClock.now
    let state = try await library.embedders().first { $0.embedder.identity == identity }
    return Progress(
      embedded: passages.count, remaining: state.map { $0.passageCount - $0.embeddedPassageCount } ?? 0,
      embedding: embedded - started, storing: stored - embedded)
  }

  /// Text before every window of a passage: the document's title and the headings above.
  static func context(of passage: PassageToEmbed) -> String {
    var parts: [String] = []
    for part in [passage.title] + passage.headings where !part.isEmpty && !parts.contains(part) {
      parts.append(part)
    }
    return parts.map { $0 + ". " }.joined()
  }

  private func vectors(of passages: [PassageToEmbed], by engine: TextEmbedder) async throws -> [PassageVectors] {
    do {
      return try await windows(of: passages, by: engine)
    } catch let error as TextGenerationError {
      // One passage that the embedder cannot take must not keep the others from their vectors; but an embedder that
      // can take none is broken.
      var made: [PassageVectors] = []
      var failureCount = 0
      for passage in passages {
        do {
          made += try await windows(of: [passage], by: engine)
        } catch is TextGenerationError {
          made.append(PassageVectors(passage, windows: []))
          failureCount += 1
        }
      }
      if failureCount == passages.count {
        guard (try? await engine.embed(["a"])) != nil else { throw error }
      }
      return made
    }
  }

  private func windows(of passages: [PassageToEmbed], by engine: TextEmbedder) async throws -> [PassageVectors] {
    let made = try await engine.embedWindows(
      of: passages.map(\.text), contexts: passages.map(Self.context), tokenLimit: Self.windowTokenCount(of: engine)
    )
    return zip(passages, made).map { passage, windows in
      PassageVectors(passage, windows: windows.map { PassageWindow(range: $0.range, vector: $0.vector) })
    }
  }
}

extension Workspace {
  /// Loads the embedder of a file and makes it the chosen one.
  /// - Parameter file: the file; empty for the one that comes with Alcove, `off` for none.
  /// - Returns: its name; nil for none.
  package func choose(embedder file: String, _ settings: Settings) async throws -> String? {
    var changed = settings
    try changed.set("embedder.file", to: file, origin: .session)
    guard let embedder = try await embedders.use(changed) else { return nil }
    try await library.choose(embedder.description)
    return embedder.description.name
  }

  /// Gives every passage its vectors by the embedder that is chosen.
  /// - Parameter tell: called with the number of passages done and their total.
  package func embedAll(tell: @escaping @Sendable (_ done: Int, _ total: Int) async -> Void) async throws {
    guard let embedder = try await embedders.chosen() else { return }
    var done = 0
    try await PassageEmbedding(library: library).run(embedder) { step in
      done += step.embedded
      await tell(done, done + step.remaining)
    }
  }
}
