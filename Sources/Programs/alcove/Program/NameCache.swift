import Assistant
import Synchronization

/// Names that completion offers, filled in the background.
final class NameCache: Sendable {
  let documents = Mutex<[String]>([])
  let sessions = Mutex<[(name: String, about: String)]>([])

  /// Looks the names up. Nothing is offered where something cannot be opened; the command itself says why.
  @MainActor
  func refresh(from program: Program) async {
    guard let workspace = try? await program.workspace() else { return }
    if let names = try? await workspace.documentNames() { documents.withLock { $0 = names } }
    if let sessions = try? await workspace.store.sessions() {
      self.sessions.withLock { $0 = sessions.map { ("\($0.id)", $0.title) } }
    }
  }
}
