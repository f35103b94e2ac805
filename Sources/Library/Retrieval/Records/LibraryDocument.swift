import Documents
import Foundation
import Linguistics

/// File as it was when it was read.
package struct FileFacts: Sendable, Hashable {
  /// Absolute path.
  package var path: String
  /// Size in bytes.
  package var byteCount: Int
  /// Time of the last change.
  package var modified: Date

  /// Makes the facts.
  package init(path: String, byteCount: Int, modified: Date) {
    self.path = path
    self.byteCount = byteCount
    self.modified = modified
  }
}

/// Document of the library: one content, in one file or in several copies.
package struct LibraryDocument: Sendable, Hashable, Identifiable {
  /// Id in this library.
  package var id: DocumentID
  /// SHA-256 of the file's bytes, in lower-case hexadecimal.
  package var hash: String
  /// Files that hold it, the first one first; never empty.
  package var paths: [String]
  /// Indicates whether every file was missing at the last check.
  package var isMissing: Bool
  /// Form of the file.
  package var kind: DocumentKind
  /// Title that the file states.
  package var title: String?
  /// Author that the file states.
  package var author: String?
  /// Language whose stemmer and stop words it is indexed with.
  package var language: Language
  /// Number of pages of the file.
  package var pageCount: Int
  /// Number of indexed pages.
  package var indexedPageCount: Int
  /// Reason that pages are not indexed; nil where all are.
  package var cut: ReadingCut?
  /// Number of passages.
  package var passageCount: Int
  /// Size of the file in bytes.
  package var byteCount: Int
  /// Time of the file's last change before it was read.
  package var modified: Date
  /// Time at which it was stored.
  package var added: Date

  /// Path shown for it.
  package var path: String { paths.first ?? "" }
  /// Last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// Outcome of the last attempt to read a file.
package struct LedgerEntry: Sendable, Hashable {
  /// File as it was then.
  package var file: FileFacts
  /// SHA-256 of its bytes; nil where it could not be read.
  package var hash: String?
  /// Document linked to this path: possibly an earlier version, where the file could not be read this time.
  package var document: DocumentID?
  /// Reason that the file did not become a document; nil where it did.
  package var failure: ReadingFailure?
  /// Number of indexed pages.
  package var indexedPageCount: Int
  /// Number of pages of the file.
  package var pageCount: Int
  /// Time of the attempt.
  package var tried: Date
  /// Indicates whether the file was missing at the last check.
  package var isMissing: Bool

  /// Stable name of the outcome: `ok` or the failure's name.
  package var outcome: String { failure?.name ?? "ok" }
}

/// Numbers of documents, pages and passages in a library.
package struct LibrarySize: Sendable, Hashable {
  /// Number of documents, copies counted once.
  package var documentCount: Int
  /// Number of indexed pages.
  package var pageCount: Int
  /// Number of passages.
  package var passageCount: Int

  /// Makes a size.
  package init(documentCount: Int, pageCount: Int, passageCount: Int) {
    self.documentCount = documentCount
    self.pageCount = pageCount
    self.passageCount = passageCount
  }
}

/// Passage with its place in the library.
package struct StoredPassage: Sendable, Equatable, Identifiable {
  /// Id in this library.
  package var id: PassageID
  /// Document of the passage.
  package var document: DocumentID
  /// Place among the document's passages, from 0.
  package var index: Int
  /// Text, headings and span.
  package var passage: Passage

  package init(id: PassageID, document: DocumentID, index: Int, passage: Passage) {
    self.id = id
    self.document = document
    self.index = index
    self.passage = passage
  }
}
