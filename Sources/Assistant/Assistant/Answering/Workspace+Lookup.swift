import Documents
import Foundation
import Images
import Retrieval
import Sketching
import Telemetry

extension Workspace {
  /// Returns the document that a name, path or id stands for.
  /// - Throws: ``WorkspaceError`` where there is none, or where several fit equally well.
  package func document(named name: String) async throws -> LibraryDocument {
    if let id = Int64(name.hasPrefix("#") ? String(name.dropFirst()) : name),
      let document = try await library.document(DocumentID(rawValue: id))
    {
      return document
    }
    let path = directories.absolutePath(name)
    let found = try await library.documents(matching: name)
    let all = try await library.documents()
    if let exact = all.first(where: { $0.paths.contains(path) }) { return exact }
    let lowered = name.lowercased()
    let named = found.filter { $0.name.lowercased() == lowered || $0.title?.lowercased() == lowered }
    if let only = named.count == 1 ? named.first : found.count == 1 ? found.first : nil { return only }
    if found.isEmpty { throw WorkspaceError.noDocument(name: name, known: all.map(\.name)) }
    throw WorkspaceError.severalDocuments(
      name: name, fitting: (named.isEmpty ? found : named).prefix(5).map { "\($0.id.rawValue) \($0.path)" })
  }

  /// Returns the question that a session remembers for a document's summary.
  package func summaryRequest(for document: LibraryDocument) -> String { "Summarize \(document.name)" }

  /// Goes on with a stored conversation, or with the one last used, or begins one.
  /// - Throws: ``SessionError/noSession(_:)`` or ``WorkspaceError/nothingToContinue``.
  package func session(
    _ requested: Int?, continuesLast: Bool, isInteractive: Bool,
    backend: @Sendable () async throws -> (any LocalBackend)?
  ) async throws -> Session {
    var id = requested
    if continuesLast {
      id = try await store.sessions().first?.id
      if id == nil { throw WorkspaceError.nothingToContinue }
    } else if let id, try await !store.sessions().contains(where: { $0.id == id }) {
      throw SessionError.noSession(id)
    }
    try await store.record(.sessionStarted(isInteractive: isInteractive))
    return session(backend: try await backend(), resuming: id)
  }

  /// Returns the turns of a stored conversation.
  /// - Throws: ``SessionError/noSession(_:)``.
  package func turns(ofSession id: Int) async throws -> [Turn] {
    guard try await store.sessions().contains(where: { $0.id == id }) else { throw SessionError.noSession(id) }
    return try await store.turns(session: id)
  }

  /// Returns the sources of the last answer that cites something: of a session, else of the session last used.
  package func lastSources(ofSession session: Int?) async throws -> [Source] {
    var id = session
    if id == nil { id = try await store.sessions().first?.id }
    guard let id else { return [] }
    return try await store.turns(session: id).last { !$0.sources.isEmpty }?.sources ?? []
  }

  /// Returns how much the library holds.
  /// - Throws: what the library throws.
  package func librarySize() async throws -> (documents: Int, pages: Int, passages: Int) {
    let size = try await library.size()
    return (size.documentCount, size.pageCount, size.passageCount)
  }

  /// Waits until the library has removed the remains of deleted documents and merged its index.
  package func settle() async throws { try await library.settle() }

  /// Returns the names of all documents.
  package func documentNames() async throws -> [String] { try await library.documents().map(\.name) }

  /// Creates the maker of pictures, with the sketcher and the models that are lent to it.
  /// - Parameter model: finds the model that makes a picture; nil where none is to.
  /// - Throws: ``ImageError/badSketchFile(file:line:reason:)``.
  package func illustrator(
    model: @escaping @Sendable (ImageRequest) async throws -> LentModel?
  ) throws -> Illustrator {
    Illustrator(
      gallery: Gallery(folder: directories.images, store: store), store: store,
      engine: Sketcher(vocabulary: try sketches.vocabulary()), model: model)
  }
}
