import Assistant
import Documents
import Foundation
import Telemetry
import Terminal

extension Program {
  /// The workspace, opened when first asked for.
  func workspace() async throws -> Workspace {
    if let openedWorkspace { return openedWorkspace }
    let workspace = try await Workspace(
      directories: directories, installation: Installation(environment: environment), settings: settings())
    openedWorkspace = workspace
    return workspace
  }

  /// The conversation: the one that was asked for by `--continue` or `--session`, else a new one.
  func session() async throws -> Session {
    if let openedSession { return openedSession }
    let workspace = try await workspace()
    var id = requestedSession
    if continuesLast {
      id = try await workspace.store.sessions().first?.id
      if id == nil { throw NotFound(sentence: "there is no session to continue") }
    } else if let id, try await !workspace.store.sessions().contains(where: { $0.id == id }) {
      throw SessionError.noSession(id)
    }
    try await workspace.store.record(.sessionStarted(isInteractive: terminal.isInteractive))
    let session = workspace.session(backend: try await backend(), resuming: id)
    openedSession = session
    if loadedModel != nil { await letDraw(session) }
    if id != nil { try await applySettings(of: session) }
    return session
  }

  /// Lets the model of a session have pictures drawn.
  func letDraw(_ session: Session?) async {
    // Where nothing can draw, there is no tool for it.
    await session?.draw(with: try? illustrator())
  }

  /// The turns of a stored conversation.
  func turns(of id: Int) async throws -> [Turn] {
    let store = try await workspace().store
    guard try await store.sessions().contains(where: { $0.id == id }) else { throw SessionError.noSession(id) }
    return try await store.turns(session: id)
  }

  /// Takes the text of removed documents out of the sessions and of what is at hand.
  func forget(documents hashes: [String]) async throws {
    try await workspace().store.forget(documents: hashes)
    try forgetStates(of: hashes)
    places.removeAll { hashes.contains($0.documentHash) }
    if let sources = lastAnswer?.sources, sources.contains(where: { hashes.contains($0.citation.documentHash) }) {
      lastAnswer = nil
    }
  }

  /// Takes questions out of the prompt's history.
  func forget(questions: Set<String>, isEverything: Bool) {
    let isForgotten: (String) -> Bool = {
      isEverything || questions.contains($0.trimmingSpaces()) || questions.contains(MultilineQuotes.unwrapped($0))
    }
    if let editor {
      editor.history.remove(where: isForgotten)
    } else {
      var history = History(path: directories.historyFile.path)
      history.remove(where: isForgotten)
    }
  }
}
