import Documents
import Foundation
import Linguistics
import Persistence

extension Library {
  /// Returns every document, by path.
  package func documents() throws(LibraryError) -> [LibraryDocument] {
    try documents(where: "1").sorted { ($0.path, $0.id) < ($1.path, $1.id) }
  }

  /// Returns the document of an id; nil where it is gone.
  package func document(_ id: DocumentID) throws(LibraryError) -> LibraryDocument? {
    try documents(where: "documents.id=?", id.rawValue).first
  }

  /// Returns the documents that a user may mean by a name, best first: the exact path or name, then the title, then
  /// names and titles that begin with it, then those that contain it. Case and diacritics do not matter.
  package func documents(matching name: String) throws(LibraryError) -> [LibraryDocument] {
    let sought = Folding.fold(name)
    guard !sought.isEmpty else { return [] }
    let ranked = try documents().compactMap { document -> (rank: Int, document: LibraryDocument)? in
      let names = document.paths.flatMap { path in
        let last = path.split(separator: "/").last.map(String.init) ?? path
        return [last, FileName.words(of: path)].map(Folding.fold)
      }
      let title = document.title.map(Folding.fold) ?? ""
      let paths = document.paths.map(Folding.fold)
      if document.paths.contains(name) { return (0, document) }
      if names.contains(sought) || paths.contains(sought) { return (1, document) }
      if title == sought { return (2, document) }
      if names.contains(where: { $0.hasPrefix(sought) }) || title.hasPrefix(sought) { return (3, document) }
      if names.contains(where: { $0.contains(sought) }) { return (4, document) }
      if title.contains(sought) || paths.contains(where: { $0.hasSuffix("/" + sought) }) { return (5, document) }
      return nil
    }
    return ranked.sorted { ($0.rank, $0.document.path) < ($1.rank, $1.document.path) }.map(\.document)
  }

  /// Returns one page of a document; nil where it has no such page.
  package func page(_ number: Int, of id: DocumentID) throws(LibraryError) -> DocumentPage? {
    try pages(where: "document=? AND number=?", id.rawValue, number).first
  }

  /// Returns all indexed pages of a document, in order.
  package func pages(of id: DocumentID) throws(LibraryError) -> [DocumentPage] {
    try pages(where: "document=?", id.rawValue)
  }

  /// Returns some lines of a page, counted from 1; lines that the page does not have are left out.
  package func lines(
    _ range: ClosedRange<Int>, page number: Int, of id: DocumentID
  ) throws(LibraryError) -> [DocumentLine] {
    guard let lines = try page(number, of: id)?.lines else { return [] }
    let (from, to) = (max(range.lowerBound, 1), min(range.upperBound, lines.count))
    return from <= to ? Array(lines[from - 1..<to]) : []
  }

  /// Returns the stored bytes of a span, lines joined by line feeds; nil where it does not lie within the document.
  package func text(of span: TextSpan, in id: DocumentID) throws(LibraryError) -> String? {
    guard span.start.page <= span.end.page else { return nil }
    let found = try pages(
      where: "document=? AND number BETWEEN ? AND ?", id.rawValue, span.start.page, span.end.page)
    let pages = Dictionary(found.map { ($0.number, $0.lines) }) { first, _ in first }
    return span.cut(
      line: { page, line in
        guard let lines = pages[page], lines.indices.contains(line - 1) else { return nil }
        return lines[line - 1].text
      },
      lineCount: { pages[$0]?.count ?? 0 })
  }

  /// Returns all passages of a document, in reading order.
  package func passages(of id: DocumentID) throws(LibraryError) -> [StoredPassage] {
    try passages(where: "passages.document=?", id.rawValue)
  }

  /// Returns the passages of some ids, in the order asked; those that are gone are left out.
  package func passages(_ ids: [PassageID]) throws(LibraryError) -> [StoredPassage] {
    var found: [StoredPassage] = []
    for id in ids { found += try passages(where: "passages.id=?", id.rawValue) }
    return found
  }

  func passages(where condition: String, _ arguments: any SQLValue...) throws(LibraryError) -> [StoredPassage] {
    try wrapped { () throws(DatabaseError) in
      try database.rows(
        """
        SELECT passages.id, document, passages.id - first_passage, text, headings, form, start_page, start_line,
        start_byte, end_page, end_line, end_byte FROM passages JOIN documents ON documents.id = passages.document
        WHERE \(condition) ORDER BY passages.id
        """, arguments: arguments
      ) { row throws(DatabaseError) in
        let span = TextSpan(
          start: TextPosition(page: row.int(6), line: row.int(7), byte: row.int(8)),
          end: TextPosition(page: row.int(9), line: row.int(10), byte: row.int(11)))
        return StoredPassage(
          id: PassageID(rawValue: Int64(row.int(0))), document: DocumentID(rawValue: Int64(row.int(1))),
          index: row.int(2),
          passage: Passage(
            text: row.text(3), headings: Headings.decode(row.text(4)), span: span,
            form: PassageForm(rawValue: row.text(5)) ?? .prose))
      }
    }
  }

  func pages(where condition: String, _ arguments: any SQLValue...) throws(LibraryError) -> [DocumentPage] {
    try wrapped { () throws(DatabaseError) in
      try database.rows(
        "SELECT number, label, lines FROM pages WHERE \(condition) ORDER BY number", arguments: arguments
      ) { row throws(DatabaseError) in
        guard let lines = PageCoding.decode(row.blob(2)) else {
          throw .malformed(column: "pages.lines", value: "page \(row.int(0))")
        }
        return DocumentPage(number: row.int(0), label: row.optionalText(1), lines: lines)
      }
    }
  }

  func documents(where condition: String, _ arguments: any SQLValue...) throws(LibraryError) -> [LibraryDocument] {
    try wrapped { () throws(DatabaseError) in
      var documents: [LibraryDocument] = []
      _ = try database.rows(
        """
        SELECT documents.id, documents.hash, kind, title, author, language, page_count, indexed_page_count, cut,
        passage_count, documents.byte_count, documents.modified, added, path, is_missing
        FROM documents JOIN files ON files.document = documents.id WHERE \(condition)
        ORDER BY documents.id, is_missing, files.rowid
        """, arguments: arguments
      ) { row throws(DatabaseError) in
        let id = DocumentID(rawValue: Int64(row.int(0)))
        if documents.last?.id == id {
          // Existing files sort first, so the first one tells whether all are missing.
          documents[documents.count - 1].paths.append(row.text(13))
          return
        }
        documents.append(
          LibraryDocument(
            id: id, hash: row.text(1), paths: [row.text(13)], isMissing: row.int(14) != 0,
            kind: DocumentKind(rawValue: row.text(2)) ?? .text, title: row.optionalText(3),
            author: row.optionalText(4), language: Language(rawValue: row.text(5)) ?? .other,
            pageCount: row.int(6),
            indexedPageCount: row.int(7), cut: row.optionalText(8).flatMap(ReadingCut.init),
            passageCount: row.int(9), byteCount: row.int(10),
            modified: Date(timeIntervalSince1970: row.double(11)),
            added: Date(timeIntervalSince1970: row.double(12))))
      }
      return documents
    }
  }
}
