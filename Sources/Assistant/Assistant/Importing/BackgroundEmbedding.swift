import Foundation
import Retrieval

/// Embedding of passages while nothing else is at work: passages that an interrupted import left, and all of them for
/// an embedder that is to take over.
@MainActor
package final class BackgroundEmbedding {
  private var task: Task<Void, Never>?
  /// Indicates whether a command or an answer is at work, which then has the processor to itself.
  package var isPaused = false

  /// Creates an embedding that has not started.
  package init() {}

  /// Starts, or starts again with the embedder that is chosen now.
  /// - Parameter open: opens the library and its embedders.
  package func start(_ open: @escaping () async throws -> (library: Library, embedders: Embedders)) {
    task?.cancel()
    task = Task { [self] in
      do {
        let (library, embedders) = try await open()
        guard let embedder = try await embedders.withWork() else { return }
        try await library.choose(embedder.description)
        var embedding = PassageEmbedding(library: library)
        embedding.batchCount = 8
        repeat {
          while isPaused { try await Task.sleep(for: .milliseconds(50)) }
        } while try await embedding.step(embedder).embedded > 0
        try await library.tidyVectors()
      } catch {
        // The next start of the program tries again; `library list` shows how far it has come.
        return
      }
    }
  }
}

extension Library {
  /// Sentence on the progress of embedding; nil where every passage has its vectors.
  package func embeddingStatus() async throws -> String? {
    let states = try embedders().filter { $0.role != .leaving && !$0.isComplete }
    return states.isEmpty
      ? nil
      : states.map { state in
        let share = "\(state.embeddedPassageCount) of \(state.passageCount) passages"
        return state.role == .answering
          ? "\(share) can be found by their meaning too (\(state.embedder.name))"
          : "\(state.embedder.name) has embedded \(share) and is used once it has all"
      }.joined(separator: "; ") + "."
  }
}
