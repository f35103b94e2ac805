import Documents
import Foundation
import Linguistics

/// A file as it was when it was read.
public struct FileFacts: Sendable, Hashable {
  /// The absolute path.
  public var path: String
  /// Its size.
  public var byteCount: Int
  /// When it was last changed.
  public var modified: Date

  /// Makes the facts.
  public init(path: String, byteCount: Int, modified: Date) {
    self.path = path
    self.byteCount = byteCount
    self.modified = modified
  }
}

/// What the library knows of one document: one content, in one file or in several copies.
public struct LibraryDocument: Sendable, Hashable, Identifiable {
  /// Its name in this library.
  public var id: DocumentID
  /// The SHA-256 of the file's bytes, in lower-case hexadecimal.
  public var hash: String
  /// The files that hold it, the first one first; never empty.
  public var paths: [String]
  /// Whether none of the files was there when last looked for.
  public var isMissing: Bool
  /// The form of the file.
  public var kind: DocumentKind
  /// The title that the file states.
  public var title: String?
  /// The author that the file states.
  public var author: String?
  /// The language that decided how its words are indexed.
  public var language: Language
  /// How many pages the file has.
  public var pageCount: Int
  /// How many of them are indexed.
  public var indexedPageCount: Int
  /// Why pages are not indexed; nil where all are.
  public var cut: ReadingCut?
  /// How many passages it has.
  public var passageCount: Int
  /// The size of the file.
  public var byteCount: Int
  /// When the file was last changed before it was read.
  public var modified: Date
  /// When it was stored.
  public var added: Date

  /// The path shown for it.
  public var path: String { paths.first ?? "" }
  /// The last component of the path.
  public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// What became of one file that was ever tried.
public struct LedgerEntry: Sendable, Hashable {
  /// The file as it was then.
  public var file: FileFacts
  /// The SHA-256 of its bytes; nil where it could not be read.
  public var hash: String?
  /// The document that answers for this path: also an earlier version, where the file could not be read this time.
  public var document: DocumentID?
  /// Why the file did not become a document; nil where it did.
  public var failure: ReadingFailure?
  /// How many pages are indexed.
  public var indexedPageCount: Int
  /// How many pages the file has.
  public var pageCount: Int
  /// When it was tried.
  public var tried: Date
  /// Whether the file was gone when last looked for.
  public var isMissing: Bool

  /// The stable name of what happened: `ok` or the failure's name.
  public var outcome: String { failure?.name ?? "ok" }
}

/// How much a library holds.
public struct LibrarySize: Sendable, Hashable {
  /// Documents, copies counted once.
  public var documentCount: Int
  /// Indexed pages.
  public var pageCount: Int
  /// Passages.
  public var passageCount: Int

  /// Makes a size.
  public init(documentCount: Int, pageCount: Int, passageCount: Int) {
    self.documentCount = documentCount
    self.pageCount = pageCount
    self.passageCount = passageCount
  }
}

/// A passage with its place in the library.
public struct StoredPassage: Sendable, Equatable, Identifiable {
  /// Its name in this library.
  public var id: PassageID
  /// The document it is of.
  public var document: DocumentID
  /// Its place among the document's passages, from 0.
  public var index: Int
  /// The passage.
  public var passage: Passage

  package init(id: PassageID, document: DocumentID, index: Int, passage: Passage) {
    self.id = id
    self.document = document
    self.index = index
    self.passage = passage
  }
}
