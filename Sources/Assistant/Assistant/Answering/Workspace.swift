import Analysis
import Entitlements
import Foundation
import Retrieval
import Sketching

/// Library, state store and embedders that a command works with, opened once.
package struct Workspace: Sendable {
  /// Folders of settings, data, state and cache.
  package let directories: Directories
  /// The program's own files.
  package let installation: Installation
  /// The documents.
  package let library: Library
  /// Sessions, tickets and telemetry.
  package let store: StateStore
  /// Embedders of passages and queries.
  package let embedders: Embedders
  /// The sketcher's own files.
  let sketches: SketchFiles
  private let answerer: DocumentAnswerer

  /// Opens the workspace, creating what is absent.
  /// - Throws: ``DirectoryError``, `LibraryError`, `DatabaseError`, `AnalysisError`, or Foundation's error of an
  ///   unreadable rule file.
  package init(directories: Directories, installation: Installation, settings: Settings) async throws {
    try directories.prepare()
    try AutomaticBackup.makeIfDue(directories)
    try await self.init(
      directories: directories, installation: installation, settings: settings,
      library: Library(at: directories.libraryDatabase),
      store: StateStore(at: directories.stateDatabase, allowances: Self.allowances(settings)))
  }

  /// Creates a workspace over a library of its own in memory, for a text that is asked about once; sessions are stored
  /// as usual.
  package func ephemeral(settings: Settings) async throws -> Workspace {
    try await Workspace(
      directories: directories, installation: installation, settings: settings,
      library: Library(at: Library.inMemory), store: store)
  }

  private init(
    directories: Directories, installation: Installation, settings: Settings, library: Library, store: StateStore
  ) async throws {
    self.directories = directories
    self.installation = installation
    self.library = library
    self.store = store
    sketches = SketchFiles(folder: installation.sketches)
    embedders = Embedders(library: library, installation: installation, settings: settings)
    func rules(_ name: String) throws -> String {
      try String(contentsOf: installation.rules.appending(path: name), encoding: .utf8)
    }
    let phrases = try Phrases(parsing: rules("phrases.txt"))
    answerer = DocumentAnswerer(
      library: library, embedders: embedders, phrases: phrases,
      limits: DocumentAnswerer.Limits(
        passages: settings.integer("answer.passages"),
        passagesForLists: settings.integer("answer.passages-for-lists"),
        sentences: settings.integer("answer.sentences"), summarySentences: settings.integer("summary.sentences"),
        summaryPassages: settings.integer("summary.passages")))
  }

  private static func allowances(_ settings: Settings) -> PlanAllowances {
    PlanAllowances([
      .free: settings.integer("plans.free-previews"), .starter: settings.integer("plans.starter-previews"),
    ])
  }

  /// Begins a conversation, or goes on with a stored one.
  package func session(backend: (any LocalBackend)? = nil, resuming id: Int? = nil) -> Session {
    Session(
      store: store, library: library, answerer: answerer,
      router: { [installation, sketches] in try Router(installation, things: sketches.vocabulary().names) },
      backend: backend,
      resuming: id)
  }
}
