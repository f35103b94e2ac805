import Assistant
import Foundation
import Retrieval
import Terminal

extension Program {
  /// Makes an embedder the chosen one from now on. Until every passage has its vectors, the one before answers.
  func use(embedder name: String) async throws -> ExitCode {
    let file = ["", "off", "bundled"].contains(name) ? (name == "off" ? name : "") : try modelFile(name)
    let workspace = try await workspace()
    var changed = try settings()
    try changed.set("embedder.file", to: file, origin: .session)
    // Loading it now tells at once whether it will do.
    let embedder = try await workspace.embedders.use(changed)
    try await set("embedder.file", to: file)
    try save("embedder.file")
    guard let embedder else {
      output.writeLine("Nothing makes vectors from now on; the search goes by words.")
      return .ok
    }
    try await workspace.library.choose(embedder.description)
    let shown = TextSanitizer.line(embedder.description.name)
    if terminal.isInteractive, editor != nil {
      embedInBackground()
      output.writeLine("\(shown) makes the vectors; it answers once every passage has its own.")
      return .ok
    }
    let progress = ProgressLine(output: errors, environment: environment)
    defer { progress.clear() }
    var done = 0
    do {
      try await interruptible {
        try await PassageEmbedding(library: workspace.library).run(embedder) { @MainActor step in
          done += step.embedded
          progress.update(done: done, total: done + step.remaining, label: "passages embedded")
        }
      }
    } catch is CancellationError {
      progress.clear()
      output.writeLine("Stopped; it goes on at the prompt, or with the same command.")
      return .interrupted
    }
    progress.clear()
    output.writeLine("\(shown) makes the vectors from now on.")
    return .ok
  }

  /// Gives passages their vectors while nobody waits for anything else: what an import left when it was stopped, and all of them for
  /// an embedder that is to take over.
  func embedInBackground() {
    embeddingTask?.cancel()
    embeddingTask = Task { [self] in
      do {
        let workspace = try await workspace()
        guard let embedder = try await workspace.embedders.withWork() else { return }
        try await workspace.library.choose(embedder.description)
        var embedding = PassageEmbedding(library: workspace.library)
        embedding.batchCount = 8
        repeat {
          // An answer is not to wait for the processor.
          while isBusy { try await Task.sleep(for: .milliseconds(50)) }
        } while try await embedding.step(embedder).embedded > 0
        try await workspace.library.tidyVectors()
      } catch {
        // It is tried again when the program starts next; `library list` shows how far it has come.
        return
      }
    }
  }

  /// How far the vectors have come, where they are not all there.
  func embeddingStatus() async throws -> String? {
    let states = try await library().embedders().filter { $0.role != .leaving && !$0.isComplete }
    return states.isEmpty
      ? nil
      : states.map { state in
        let share = "\(state.embeddedPassageCount) of \(state.passageCount) passages"
        let name = TextSanitizer.line(state.embedder.name)
        return state.role == .answering
          ? "\(share) are found by their meaning too (\(name))"
          : "\(name) has \(share), and takes over when it has all"
      }.joined(separator: "; ") + "."
  }
}
