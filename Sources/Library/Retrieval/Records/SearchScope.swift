import Documents
import Foundation

/// Part of a library to search. Every condition must hold; without any, everything is searched.
package struct SearchScope: Sendable, Hashable, Codable {
  /// Documents to search; nil for all.
  package var documents: Set<DocumentID>?
  /// Folder that must hold a path of the document; nil for all.
  package var folder: String?
  /// Forms of file to search; nil for all.
  package var kinds: Set<DocumentKind>?
  /// Earliest time of the last change; nil for no bound.
  package var since: Date?
  /// Time before which the last change must lie; nil for no bound.
  package var before: Date?

  /// Makes a scope; with no argument, everything.
  package init(
    documents: Set<DocumentID>? = nil, folder: String? = nil, kinds: Set<DocumentKind>? = nil, since: Date? = nil,
    before: Date? = nil
  ) {
    self.documents = documents
    self.folder = folder
    self.kinds = kinds
    self.since = since
    self.before = before
  }

  /// Scope of the whole library.
  package static let everything = SearchScope()

  /// Indicates whether a document is in the scope.
  package func contains(_ document: LibraryDocument) -> Bool {
    if let documents, !documents.contains(document.id) { return false }
    if let kinds, !kinds.contains(document.kind) { return false }
    if let since, document.modified < since { return false }
    if let before, document.modified >= before { return false }
    guard let folder else { return true }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return document.paths.contains { $0.hasPrefix(prefix) }
  }

  /// Returns the intersection of both scopes.
  package func narrowed(by other: SearchScope) -> SearchScope {
    var both = self
    if let more = other.documents { both.documents = documents.map { $0.intersection(more) } ?? more }
    if let more = other.kinds { both.kinds = kinds.map { $0.intersection(more) } ?? more }
    both.since = [since, other.since].compactMap(\.self).max()
    both.before = [before, other.before].compactMap(\.self).min()
    if let more = other.folder {
      let (old, new) = ((folder ?? "") + "/", more + "/")
      if new.hasPrefix(old) {
        both.folder = more
      } else if !old.hasPrefix(new) {
        // Folders that do not contain each other have nothing in common.
        both.documents = []
      }
    }
    return both
  }
}
