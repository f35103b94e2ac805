import Documents
import Foundation
import Retrieval

/// Part of the library, as options and places name it.
package struct ScopeRequest: Sendable, Equatable {
  /// Documents and folders; one folder at most.
  package var places: [String] = []
  /// Documents.
  package var documents: [String] = []
  /// Forms of documents.
  package var kinds: [DocumentKind] = []
  /// Day, month or year, such as 2024-03: only what was changed in it or later.
  package var since: String?
  /// Day, month or year: only what was changed in it or earlier.
  package var until: String?
  /// Day, month or year: only what was changed before it. Not together with ``until``.
  package var before: String?

  /// Makes a request for the whole library.
  package init() {}

  /// Indicates whether it names the whole library.
  package var isEverything: Bool { self == ScopeRequest() }
}

extension Workspace {
  /// Returns the part of the library that a request names, within the one that a session is limited to.
  /// - Throws: ``ScopeError``, ``WorkspaceError``, and what the library throws.
  package func scope(_ request: ScopeRequest, within session: Session? = nil) async throws -> SearchScope {
    var scope = SearchScope()
    var documents: Set<DocumentID> = []
    for place in request.places {
      let path = directories.absolutePath(place)
      var isFolder: ObjCBool = false
      let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      var holds = isThere && isFolder.boolValue
      if !holds {
        // A folder that is gone can still be one of the library's.
        holds = try await library.documents().contains { $0.paths.contains { $0.hasPrefix(path + "/") } }
      }
      guard holds else {
        documents.insert(try await document(named: place).id)
        continue
      }
      guard scope.folder == nil else { throw ScopeError.severalFolders }
      scope.folder = path
    }
    for name in request.documents { documents.insert(try await document(named: name).id) }
    if !documents.isEmpty { scope.documents = documents }
    if !request.kinds.isEmpty { scope.kinds = Set(request.kinds) }
    if let since = request.since { scope.since = try Self.days(since).start }
    if let until = request.until { scope.before = try Self.days(until).end }
    if let before = request.before {
      guard scope.before == nil else { throw ScopeError.twoEnds }
      scope.before = try Self.days(before).start
    }
    return try await session?.scope().narrowed(by: scope) ?? scope
  }

  /// Returns the time that a year, a month or a day takes.
  private static func days(_ text: String) throws(ScopeError) -> DateInterval {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }
    let units: [Calendar.Component] = [.year, .month, .day]
    let calendar = Calendar(identifier: .gregorian)
    guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
      let start = calendar.date(
        from: DateComponents(
          year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1)),
      let interval = calendar.dateInterval(of: units[numbers.count - 1], for: start),
      numbers.count < 2 || calendar.component(.month, from: start) == numbers[1],
      numbers.count < 3 || calendar.component(.day, from: start) == numbers[2]
    else { throw .notADate(text) }
    return interval
  }

  /// Returns the part of the library that a session is limited to, in words.
  /// - Throws: what the library and the store throw.
  package func describeScope(of session: Session) async throws -> String {
    let scope = try await session.scope()
    if scope == .everything { return "the whole library" }
    var parts: [String] = []
    if let documents = scope.documents {
      var names: [String] = []
      for id in documents.sorted() {
        names.append(try await library.document(id)?.name ?? "a document that is gone")
      }
      parts.append(names.isEmpty ? "nothing" : names.joined(separator: ", "))
    }
    if let folder = scope.folder { parts.append("what is below \(folder)") }
    if let kinds = scope.kinds {
      parts.append("files of type " + kinds.map(\.rawValue).sorted().joined(separator: ", "))
    }
    if let since = scope.since { parts.append("changed since \(since.shown)") }
    if let before = scope.before { parts.append("changed before \(before.shown)") }
    return parts.joined(separator: "; ")
  }
}
