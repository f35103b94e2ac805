import Foundation
import Persistence
import Retrieval

extension Session {
  /// The part of the library that this session is limited to.
  package func scope() async throws -> SearchScope {
    if let id, knownScope?.session != id {
      knownScope = (id, try await store.scope(of: id))
    }
    return knownScope?.scope ?? .everything
  }

  /// Limits this session to a part of the library, from the next turn on and whenever it is resumed.
  package func limit(to scope: SearchScope) async throws {
    if let id { try await store.keep(scope, of: id) }
    knownScope = (id, scope)
  }

  /// Lifts the limit of this session.
  package func liftLimit() async throws { try await limit(to: .everything) }

  /// Indicates whether this session is limited to a part of the library.
  package func isLimited() async throws -> Bool { try await scope() != .everything }

  /// Returns the name of the folder that this session is limited to, or "limited" for another limit; nil without one.
  package func limitName() async throws -> String? {
    let scope = try await scope()
    if scope == .everything { return nil }
    return scope.folder?.split(separator: "/").last.map(String.init) ?? "limited"
  }

  /// Stores a limit that was set before the session had its first turn.
  func keepScope() async throws {
    guard let id, let known = knownScope, known.session == nil else { return }
    if known.scope != .everything { try await store.keep(known.scope, of: id) }
    knownScope = (id, known.scope)
  }
}

extension StateStore {
  /// The schema's step that made scopes.
  static let scopeSchema =
    "CREATE TABLE session_scopes(session INTEGER PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE, scope TEXT NOT NULL)"

  /// The part of the library that a session is limited to.
  package func scope(of session: Int) throws(DatabaseError) -> SearchScope {
    let stored = try database.first("SELECT scope FROM session_scopes WHERE session=?", session) {
      row throws(DatabaseError) in row.text(0)
    }
    guard let stored else { return .everything }
    do { return try JSONDecoder().decode(SearchScope.self, from: Data(stored.utf8)) } catch {
      throw .malformed(column: "session_scopes.scope", value: stored)
    }
  }

  /// Limits a session to a part of the library.
  package func keep(_ scope: SearchScope, of session: Int) throws(DatabaseError) {
    let text: String
    do { text = String(decoding: try JSONEncoder().encode(scope), as: UTF8.self) } catch {
      throw .malformed(column: "session_scopes.scope", value: "\(error)")
    }
    try database.run("INSERT OR REPLACE INTO session_scopes(session, scope) VALUES(?,?)", session, text)
  }
}
