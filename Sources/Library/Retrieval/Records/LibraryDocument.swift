import Documents
import Foundation
import Linguistics

/// A file as it was when it was read.
package struct FileFacts: Sendable, Hashable {
  /// The absolute path.
  package var path: String
  /// Its size.
  package var byteCount: Int
  /// When it was last changed.
  package var modified: Date

  /// Makes the facts.
  package init(path: String, byteCount: Int, modified: Date) {
    self.path = path
    self.byteCount = byteCount
    self.modified = modified
  }
}

/// What the library knows of one document: one content, in one file or in several copies.
package struct LibraryDocument: Sendable, Hashable, Identifiable {
  /// Its name in this library.
  package var id: DocumentID
  /// The SHA-256 of the file's bytes, in lower-case hexadecimal.
  package var hash: String
  /// The files that hold it, the first one first; never empty.
  package var paths: [String]
  /// Whether none of the files was there when last looked for.
  package var isMissing: Bool
  /// The form of the file.
  package var kind: DocumentKind
  /// The title that the file states.
  package var title: String?
  /// The author that the file states.
  package var author: String?
  /// The language that decided how its words are indexed.
  package var language: Language
  /// How many pages the file has.
  package var pageCount: Int
  /// How many of them are indexed.
  package var indexedPageCount: Int
  /// Why pages are not indexed; nil where all are.
  package var cut: ReadingCut?
  /// How many passages it has.
  package var passageCount: Int
  /// The size of the file.
  package var byteCount: Int
  /// When the file was last changed before it was read.
  package var modified: Date
  /// When it was stored.
  package var added: Date

  /// The path shown for it.
  package var path: String { paths.first ?? "" }
  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// What became of one file that was ever tried.
package struct LedgerEntry: Sendable, Hashable {
  /// The file as it was then.
  package var file: FileFacts
  /// The SHA-256 of its bytes; nil where it could not be read.
  package var hash: String?
  /// The document that answers for this path: also an earlier version, where the file could not be read this time.
  package var document: DocumentID?
  /// Why the file did not become a document; nil where it did.
  package var failure: ReadingFailure?
  /// How many pages are indexed.
  package var indexedPageCount: Int
  /// How many pages the file has.
  package var pageCount: Int
  /// When it was tried.
  package var tried: Date
  /// Whether the file was gone when last looked for.
  package var isMissing: Bool

  /// The stable name of what happened: `ok` or the failure's name.
  package var outcome: String { failure?.name ?? "ok" }
}

/// How much a library holds.
package struct LibrarySize: Sendable, Hashable {
  /// Documents, copies counted once.
  package var documentCount: Int
  /// Indexed pages.
  package var pageCount: Int
  /// Passages.
  package var passageCount: Int

  /// Makes a size.
  package init(documentCount: Int, pageCount: Int, passageCount: Int) {
    self.documentCount = documentCount
    self.pageCount = pageCount
    self.passageCount = passageCount
  }
}

/// A passage with its place in the library.
package struct StoredPassage: Sendable, Equatable, Identifiable {
  /// Its name in this library.
  package var id: PassageID
  /// The document it is of.
  package var document: DocumentID
  /// Its place among the document's passages, from 0.
  package var index: Int
  /// The passage.
  package var passage: Passage

  package init(id: PassageID, document: DocumentID, index: Int, passage: Passage) {
    self.id = id
    self.document = document
    self.index = index
    self.passage = passage
  }
}
