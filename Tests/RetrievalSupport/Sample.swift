import Documents
import Foundation
import Persistence
import Retrieval
import TestSupport

/// A document of one page and one passage for each paragraph.
package struct Sample: Sendable {
  package var document: ExtractedDocument
  package var passages: [Passage]
  package var hash: String
  package let text: String

  package init(_ text: String, title: String? = nil, headings: [String] = [], kind: DocumentKind = .text) {
    self.text = text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    document = ExtractedDocument(
      kind: kind, title: title, author: nil, pageCount: 1,
      pages: [DocumentPage(number: 1, lines: lines.map { DocumentLine($0) })])
    passages = []
    hash = "hash of " + text
    var first = 0
    for last in lines.indices where last == lines.count - 1 || lines[last + 1].isEmpty {
      if !lines[last].isEmpty {
        let span = TextSpan(
          start: TextPosition(page: 1, line: first + 1, byte: 0),
          end: TextPosition(page: 1, line: last + 1, byte: lines[last].utf8.count))
        passages.append(Passage(text: lines[first...last].joined(separator: " "), headings: headings, span: span))
      }
      first = last + 2
    }
  }

  @discardableResult
  package func store(in library: Library, path: String) async throws -> DocumentID {
    try await library.store(document, passages: passages, hash: hash, file: FileFacts(path))
  }
}

extension FileFacts {
  package init(_ path: String) {
    self.init(path: path, byteCount: 1, modified: Date(timeIntervalSince1970: 1_000))
  }
}

extension Library {
  /// The texts of what a query finds, best first.
  package func hits(_ query: String, limit: Int = 20, scope: SearchScope = .everything) throws -> [String] {
    try search(SearchQuery(query), limit: limit, scope: scope).hits.map(\.passage.passage.text)
  }
}

extension Programs {
  /// Changes a database from outside of the library.
  package static func sqlite(_ file: URL, _ sql: String) throws {
    var version = 1_000
    do { _ = try Database(at: file, durability: .normal, migrations: []) } catch .newer(let found, _, _) {
      version = found
    }
    let database = try Database(at: file, durability: .normal, migrations: Array(repeating: "", count: version))
    try database.execute(sql)
  }
}

extension Library {
  /// A library with texts as its documents: `/d/file0.txt`, `/d/file1.txt`, …
  package static func holding(_ texts: [String], in folder: TemporaryFolder) async throws -> Library {
    let library = try await Library(at: folder.url.appending(path: "library.db"))
    for (place, text) in texts.enumerated() {
      try await Sample(text).store(in: library, path: "/d/file\(place).txt")
    }
    return library
  }
}
