import Assistant
import Documents
import Foundation
import Retrieval
import Synchronization
import Terminal

/// The names that completion offers, filled in the background.
final class NameCache: Sendable {
  let documents = Mutex<[String]>([])
  let sessions = Mutex<[(name: String, about: String)]>([])
}

extension Program {
  /// The library, opened when first asked for.
  func library() async throws -> Library {
    try await workspace().library
  }

  /// Waits until the library has cleared away what was removed and put its index in order.
  func settle() async {
    output.flush()
    errors.flush()
    guard let library = openedWorkspace?.library else { return }
    // The answer is out; who still sees the program run is told why.
    let progress = ProgressLine(output: errors, environment: environment)
    let notice = Task {
      try await Task.sleep(for: .milliseconds(700))
      progress.update(done: 0, total: 0, label: "putting the library in order …")
    }
    defer {
      notice.cancel()
      progress.clear()
    }
    do {
      try await library.settle()
    } catch {
      // What was left to do is done by the next start.
      complain(Failure.explain(error).0)
      errors.flush()
    }
  }

  /// The document that a name, path or id stands for.
  /// - Throws: ``NotFound`` where there is none, or where several fit equally well.
  func document(named name: String) async throws -> LibraryDocument {
    try await workspace().document(named: name, path: absolutePath(name))
  }

  func absolutePath(_ path: String) -> String {
    let expanded = path.hasPrefix("~/") ? (environment["HOME"] ?? "~") + path.dropFirst() : path
    return URL(filePath: expanded).standardizedFileURL.path
  }

  /// Why a file was not read, as a sentence.
  func reason(_ failure: ReadingFailure) -> String { ErrorSentence.describe(failure) }

  /// The places that numbers refer to: what was last answered or found.
  func lastPlaces() async throws -> [Place] {
    places.isEmpty ? try await lastSources().map(Place.init) : places
  }

  /// Looks up, in the background, what completion offers.
  func refreshNames() {
    Task { await lookUpNames() }
  }

  /// Looks up what completion offers. Nothing is offered where something cannot be opened; the command itself says why.
  func lookUpNames() async {
    guard let workspace = try? await workspace() else { return }
    if let documents = try? await workspace.library.documents() {
      nameCache.documents.withLock { $0 = documents.map(\.name) }
    }
    if let sessions = try? await workspace.store.sessions() {
      nameCache.sessions.withLock { $0 = sessions.map { ("\($0.id)", $0.title) } }
    }
  }
}
