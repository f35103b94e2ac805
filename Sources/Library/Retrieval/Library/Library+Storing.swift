import Documents
import Foundation
import Linguistics
import Persistence

extension Library {
  /// Stores a file's document in place of the one stored for its path before, in one transaction.
  ///
  /// The same content at several paths is one document. A path whose content changed is unlinked from its old
  /// document, which is removed where no other path holds it.
  /// - Parameters:
  ///   - document: the pages as read.
  ///   - passages: the passages to index, in reading order.
  ///   - hash: the SHA-256 of the file's bytes, in lower-case hexadecimal.
  @discardableResult
  package func store(
    _ document: ExtractedDocument, passages: [Passage], hash: String, file: FileFacts
  ) throws(LibraryError) -> DocumentID {
    let title = [document.title, FileName.words(of: file.path)].compactMap(\.self).joined(separator: "\n")
    let language = TextAnalyzer.language(of: passages.lazy.map(\.text))
    var stems = StemCache()
    var builder = SegmentBuilder()
    let titleTerms = TextAnalyzer.terms(of: title, in: language, stems: &stems)
    for passage in passages {
      builder.add(
        text: passage.text, headings: Headings.encode(passage.headings), title: titleTerms, language: language,
        stems: &stems)
    }
    let id = try changing { () throws(LibraryError) in
      let id = try wrapped { () throws(DatabaseError) in
        try insert(document, passages, builder, hash: hash, file: file, language: language, title: title)
      }
      try index.mergeSmall()
      return id
    }
    storedSinceMaintenance += passages.count
    if storedSinceMaintenance >= MergePolicy.largestInDatabase {
      storedSinceMaintenance = 0
      startMaintenance()
    }
    return id
  }

  private func insert(
    _ document: ExtractedDocument, _ passages: [Passage], _ builder: SegmentBuilder, hash: String, file: FileFacts,
    language: Language, title: String
  ) throws(DatabaseError) -> DocumentID {
    let known = try database.first("SELECT id FROM documents WHERE hash=?", hash) { row throws(DatabaseError) in
      Int64(row.int(0))
    }
    if let known { try removeContent(of: known) }
    let id = try insert(document, id: known, hash: hash, file: file, language: language.rawValue, title: title)
    try insert(document.pages, of: id)
    var rows: [UInt32] = []
    for passage in passages { rows.append(UInt32(clamping: try insert(passage, of: id))) }
    try index.store(builder, rows: rows)
    try index.store(passages.reduce(into: []) { $0.formUnion(Acronym.introduced(in: $1.text)) }, of: id)
    var totals = builder.totals
    if known == nil { totals.documentCount = 1 }
    try index.add(totals, sign: 1)
    try database.run(
      """
      UPDATE documents SET first_passage=?, passage_count=?, title_length=?, headings_length=?, body_length=?
      WHERE id=?
      """, Int(rows.first ?? 0), passages.count, totals.title, totals.headings, totals.body, id)
    try awaitVectors(of: id)
    try link(file, hash: hash, to: id)
    return DocumentID(rawValue: id)
  }

  /// Records that a file could not become a document.
  ///
  /// The document stored for its path before is unlinked, since the file no longer holds it; it is kept where the
  /// file could not be read to its end this time (unreadable, timeout, crashed).
  package func recordFailure(
    _ failure: ReadingFailure, hash: String?, file: FileFacts
  ) throws(LibraryError) {
    let keepsOld =
      switch failure {
      case .unreadable, .timeout, .crashed: true
      default: false
      }
    try changed { () throws(DatabaseError) in
      let old = try linkedDocument(of: file.path)
      try database.run(
        """
        INSERT INTO files(path, document, hash, byte_count, modified, tried, failure) VALUES(?,?,?,?,?,?,?)
        ON CONFLICT(path) DO UPDATE SET document=excluded.document, hash=excluded.hash, byte_count=excluded.byte_count,
        modified=excluded.modified, tried=excluded.tried, failure=excluded.failure, is_missing=0
        """, file.path, keepsOld ? old : nil, hash, file.byteCount, file.modified.timeIntervalSince1970,
        Date().timeIntervalSince1970, FailureCoding.encode(failure))
      if !keepsOld, let old { try removeUnlinked(old) }
    }
  }

  func linkedDocument(of path: String) throws(DatabaseError) -> Int64? {
    try database.first("SELECT document FROM files WHERE path=?", path) { row throws(DatabaseError) in
      row.isNull(0) ? nil : Int64(row.int(0))
    } ?? nil
  }

  /// Links a path to a document; the document it held before is removed, unless another path holds it.
  func link(_ file: FileFacts, hash: String, to document: Int64) throws(DatabaseError) {
    let old = try linkedDocument(of: file.path)
    try database.run(
      """
      INSERT INTO files(path, document, hash, byte_count, modified, tried) VALUES(?,?,?,?,?,?)
      ON CONFLICT(path) DO UPDATE SET document=excluded.document, hash=excluded.hash, byte_count=excluded.byte_count,
      modified=excluded.modified, tried=excluded.tried, failure=NULL, is_missing=0
      """, file.path, document, hash, file.byteCount, file.modified.timeIntervalSince1970,
      Date().timeIntervalSince1970)
    if let old, old != document { try removeUnlinked(old) }
  }

  /// Removes a document that no path holds any more.
  func removeUnlinked(_ document: Int64) throws(DatabaseError) {
    guard try database.scalar("SELECT count(*) FROM files WHERE document=?", document) == 0 else { return }
    try removeContent(of: document)
    try database.run("DELETE FROM documents WHERE id=?", document)
    try index.add(IndexTotals(documentCount: 1), sign: -1)
  }

  /// Removes a document's pages, passages, keyword rows and vectors; its own row stays.
  func removeContent(of document: Int64) throws(DatabaseError) {
    let content = try database.first(
      """
      SELECT first_passage, passage_count, title_length, headings_length, body_length FROM documents WHERE id=?
      """, document
    ) { row throws(DatabaseError) in
      let first = UInt32(clamping: row.int(0))
      let totals = IndexTotals(
        passageCount: row.int(1), title: row.int(2), headings: row.int(3), body: row.int(4))
      return (rows: first..<first + UInt32(clamping: row.int(1)), totals: totals)
    }
    if let content {
      try index.remove(rows: content.rows)
      try index.add(content.totals, sign: -1)
    }
    try removeVectors(of: document)
    try database.run("DELETE FROM passages WHERE document=?", document)
    try database.run("DELETE FROM pages WHERE document=?", document)
    try database.run("DELETE FROM acronyms WHERE document=?", document)
  }

  private func insert(
    _ document: ExtractedDocument, id: Int64?, hash: String, file: FileFacts, language: String, title: String
  ) throws(DatabaseError) -> Int64 {
    try database.run(
      """
      INSERT INTO documents(id, hash, kind, title, author, language, page_count, indexed_page_count, cut, byte_count,
      modified, added, indexed_title, first_passage, passage_count)
      VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,0,0) ON CONFLICT DO UPDATE SET kind=excluded.kind,
      title=excluded.title, author=excluded.author, language=excluded.language, page_count=excluded.page_count,
      indexed_page_count=excluded.indexed_page_count, cut=excluded.cut, added=excluded.added,
      indexed_title=excluded.indexed_title
      """, id, hash, document.kind.rawValue, document.title, document.author, language, document.pageCount,
      document.pages.count, document.cut?.rawValue, file.byteCount, file.modified.timeIntervalSince1970,
      Date().timeIntervalSince1970, title)
    return id ?? database.lastInsertedRow
  }

  private func insert(_ pages: [DocumentPage], of document: Int64) throws(DatabaseError) {
    for page in pages {
      try database.run(
        "INSERT INTO pages(document, number, label, lines) VALUES(?,?,?,?)", document, page.number, page.label,
        PageCoding.encode(page.lines))
    }
  }

  private func insert(_ passage: Passage, of document: Int64) throws(DatabaseError) -> Int64 {
    let (start, end) = (passage.span.start, passage.span.end)
    try database.run(
      """
      INSERT INTO passages(document, text, headings, form, start_page, start_line, start_byte, end_page, end_line,
      end_byte) VALUES(?,?,?,?,?,?,?,?,?,?)
      """, document, passage.text, Headings.encode(passage.headings), passage.form.rawValue, start.page,
      start.line,
      start.byte, end.page, end.line, end.byte)
    return database.lastInsertedRow
  }
}
