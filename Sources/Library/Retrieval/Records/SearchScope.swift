import Documents
import Foundation

/// The part of a library that a search is over. Every condition must hold; with none, everything.
package struct SearchScope: Sendable, Hashable, Codable {
  /// Only these documents; nil for all.
  package var documents: Set<DocumentID>?
  /// Only documents with a path below this folder; nil for all.
  package var folder: String?
  /// Only documents of these forms; nil for all.
  package var kinds: Set<DocumentKind>?
  /// Only documents last changed at this moment or later; nil for all.
  package var since: Date?
  /// Only documents last changed before this moment; nil for all.
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

  /// The whole library.
  package static let everything = SearchScope()

  /// Whether a document is in the scope.
  package func contains(_ document: LibraryDocument) -> Bool {
    if let documents, !documents.contains(document.id) { return false }
    if let kinds, !kinds.contains(document.kind) { return false }
    if let since, document.modified < since { return false }
    if let before, document.modified >= before { return false }
    guard let folder else { return true }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    return document.paths.contains { $0.hasPrefix(prefix) }
  }

  /// What is in both scopes.
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
        // Folders that do not lie in each other have nothing in common.
        both.documents = []
      }
    }
    return both
  }
}
