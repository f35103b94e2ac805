import Documents
import Foundation
import Linguistics
import Persistence

/// What one passage gives to the index.
struct IndexEntry {
  var title: String
  var headings: String
  var body: String
  var compounds: String
  var lengths: FieldLengths

  init(_ passage: Passage, title: String, language: Language, stems: inout StemCache) {
    let headings = Headings.encode(passage.headings)
    self.init(text: passage.text, headings: headings, title: title, language: language, stems: &stems)
  }

  init(text: String, headings: String, title: String, language: Language, stems: inout StemCache) {
    let titleTerms = TextAnalyzer.terms(of: title, in: language, stems: &stems)
    let headingTerms = TextAnalyzer.terms(of: headings, in: language, stems: &stems)
    let bodyTerms = TextAnalyzer.terms(of: text, in: language, stems: &stems)
    self.title = titleTerms.sequence.joined(separator: " ")
    self.headings = headingTerms.sequence.joined(separator: " ")
    body = bodyTerms.sequence.joined(separator: " ")
    compounds = (titleTerms.compounds + headingTerms.compounds + bodyTerms.compounds).joined(separator: " ")
    lengths = FieldLengths(
      title: titleTerms.sequence.count, headings: headingTerms.sequence.count, body: bodyTerms.sequence.count)
  }
}

/// How many terms each field of a passage has; eight bytes when stored.
struct FieldLengths {
  var title: UInt16
  var headings: UInt16
  var body: UInt32

  init(title: Int, headings: Int, body: Int) {
    self.title = UInt16(clamping: title)
    self.headings = UInt16(clamping: headings)
    self.body = UInt32(clamping: body)
  }

  static func encode(_ lengths: [FieldLengths]) -> Data {
    var data = Data(capacity: lengths.count * 8)
    for length in lengths {
      let packed = UInt64(length.title) | UInt64(length.headings) << 16 | UInt64(length.body) << 32
      withUnsafeBytes(of: packed.littleEndian) { data.append(contentsOf: $0) }
    }
    return data
  }

  static func decode(_ data: Data) -> [FieldLengths] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { place in
        let packed = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
        return FieldLengths(
          title: Int(packed & 0xffff), headings: Int(packed >> 16 & 0xffff), body: Int(packed >> 32))
      }
    }
  }
}

/// The keyword rows in FTS5: terms already folded and stemmed, without a copy of the text. It belongs to the library's actor.
///
/// The table holds no text, so a row is taken out by giving its terms once more; ``TextAnalyzer/version`` guards that they are
/// the same.
final class KeywordIndex {
  let database: Database
  var statistics: IndexStatistics?
  var dataVersion = 0
  var postings = PostingsCache(byteLimit: 64 << 20)

  init(database: Database) { self.database = database }

  /// Forgets what is remembered of the tables, after a change.
  func forget() {
    statistics = nil
    postings.removeAll()
  }

  func insert(_ entry: IndexEntry, row: Int64) throws(DatabaseError) {
    try database.run(
      "INSERT INTO words(rowid, title, headings, body, compounds) VALUES(?,?,?,?,?)", row, entry.title,
      entry.headings, entry.body, entry.compounds)
  }

  /// Takes out the rows of a document, which must still be stored.
  func removeRows(of document: Int64) throws(DatabaseError) {
    for (row, entry) in try entries(of: document) {
      try database.run(
        "INSERT INTO words(words, rowid, title, headings, body, compounds) VALUES('delete',?,?,?,?,?)", row,
        entry.title, entry.headings, entry.body, entry.compounds)
    }
  }

  /// Merges the index into one piece, so that terms of removed rows are in none.
  func purge() throws(DatabaseError) { try database.execute("INSERT INTO words(words) VALUES('optimize')") }

  func isOutdated() throws(DatabaseError) -> Bool {
    try database.scalar("SELECT value FROM facts WHERE name='analyzer'") != TextAnalyzer.version
  }

  /// Makes all rows anew from the passages, inside the caller's transaction.
  func rebuild() throws(DatabaseError) {
    try database.execute("INSERT INTO words(words) VALUES('delete-all')")
    let documents = try database.rows("SELECT id FROM documents") { row throws(DatabaseError) in Int64(row.int(0))
    }
    for document in documents {
      let language = TextAnalyzer.language(
        of: try database.rows("SELECT text FROM passages WHERE document=? ORDER BY id LIMIT 100", document) {
          row throws(DatabaseError) in row.text(0)
        })
      try database.run("UPDATE documents SET language=? WHERE id=?", language.rawValue, document)
      let rows = try entries(of: document)
      for (row, entry) in rows { try insert(entry, row: row) }
      try database.run(
        "UPDATE documents SET field_lengths=? WHERE id=?", FieldLengths.encode(rows.map(\.entry.lengths)), document
      )
    }
    try database.run("INSERT OR REPLACE INTO facts VALUES('analyzer', ?)", TextAnalyzer.version)
    forget()
  }

  private func entries(of document: Int64) throws(DatabaseError) -> [(row: Int64, entry: IndexEntry)] {
    var stems = StemCache()
    return try database.rows(
      """
      SELECT passages.id, text, headings, indexed_title, language FROM passages JOIN documents
      ON documents.id = passages.document WHERE passages.document=? ORDER BY passages.id
      """, document
    ) { row throws(DatabaseError) in
      let entry = IndexEntry(
        text: row.text(1), headings: row.text(2), title: row.text(3),
        language: Language(rawValue: row.text(4)) ?? .other, stems: &stems)
      return (Int64(row.int(0)), entry)
    }
  }
}
