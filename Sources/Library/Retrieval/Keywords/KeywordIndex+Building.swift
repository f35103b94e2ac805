import Foundation
import Linguistics
import Persistence

extension KeywordIndex {
  /// Indicates whether the index was built by another version of the analyzer, or never.
  func isOutdated() throws(DatabaseError) -> Bool {
    try database.scalar("SELECT value FROM facts WHERE name='analyzer'") != TextAnalyzer.version
  }

  /// Rebuilds the whole index from the passages, inside the caller's transaction.
  func rebuild() throws(DatabaseError) {
    try database.execute("DELETE FROM removed; DELETE FROM segments; DELETE FROM acronyms")
    try database.execute(
      """
      DELETE FROM facts WHERE name IN ('documents', 'passages', 'title_length', 'headings_length', 'body_length')
      """)
    try database.execute("UPDATE documents SET title_length=0, headings_length=0, body_length=0")
    try makeSegments(of: "1", countsLengths: true)
    var count = IndexTotals()
    count.documentCount = try database.scalar("SELECT count(*) FROM documents")
    try add(count, sign: 1)
    try database.run("INSERT OR REPLACE INTO facts VALUES('analyzer', ?)", TextAnalyzer.version)
    invalidate()
  }

  /// Rebuilds a segment from the passages that are left, inside the caller's transaction.
  func rebuild(_ entry: Entry) throws(DatabaseError) {
    try database.run("DELETE FROM segments WHERE id=?", entry.id)
    let rows = "first_passage BETWEEN \(entry.rows.lowerBound) AND \(entry.rows.upperBound)"
    try makeSegments(of: "\(rows) AND first_passage + passage_count <= \(entry.rows.upperBound)")
    invalidate()
  }

  /// Rebuilds every segment that is missing or damaged, inside the caller's transaction; all of them where their sums
  /// do not match.
  /// - Returns: the number of segments rebuilt.
  @discardableResult
  func repair() throws(LibraryError) -> Int {
    var made = 0
    for entry in try reading({ () throws(DatabaseError) in try self.entries() }) {
      do throws(LibraryError) {
        let segment = try load(entry)
        do { try segment.file.verify() } catch { throw .segment(error) }
      } catch .segment {
        try reading { () throws(DatabaseError) in try rebuild(entry) }
        made += 1
      }
    }
    invalidate()
    do throws(LibraryError) {
      try refresh()
    } catch .segment {
      try reading { () throws(DatabaseError) in try rebuild() }
      made += 1
    }
    return made
  }

  private func reading<Value>(_ body: () throws(DatabaseError) -> Value) throws(LibraryError) -> Value {
    do { return try body() } catch { throw LibraryError(error) }
  }

  private func makeSegments(of condition: String, countsLengths: Bool = false) throws(DatabaseError) {
    let documents = try database.rows(
      "SELECT id FROM documents WHERE passage_count > 0 AND \(condition) ORDER BY first_passage"
    ) { row throws(DatabaseError) in Int64(row.int(0)) }
    var builder = SegmentBuilder()
    var rows: [UInt32] = []
    for document in documents {
      if countsLengths { try recognizeLanguage(of: document) }
      let before = builder.totals
      try add(document, to: &builder, rows: &rows)
      if countsLengths {
        let own = builder.totals.since(before)
        try database.run(
          "UPDATE documents SET title_length=?, headings_length=?, body_length=? WHERE id=?", own.title,
          own.headings, own.body, document)
        try add(own, sign: 1)
      }
      if rows.count >= MergePolicy.largestInDatabase || document == documents.last {
        try store(builder, rows: rows)
        builder = SegmentBuilder()
        rows.removeAll()
      }
    }
  }

  /// Stores the acronyms that a document introduces, inside the caller's transaction.
  func store(_ acronyms: Set<Acronym>, of document: Int64) throws(DatabaseError) {
    for acronym in acronyms {
      try database.run("INSERT OR IGNORE INTO acronyms VALUES(?,?,?)", document, acronym.short, acronym.long)
    }
  }

  func store(_ builder: SegmentBuilder, rows: [UInt32]) throws(DatabaseError) {
    guard let first = rows.first, let last = rows.last else { return }
    let content = builder.writer(rows: rows).encoded()
    try insert(
      content, identity: SegmentFile.identity(of: content), rows: first..<last + 1, passageCount: rows.count)
  }

  private func recognizeLanguage(of document: Int64) throws(DatabaseError) {
    let language = TextAnalyzer.language(
      of: try database.rows("SELECT text FROM passages WHERE document=? ORDER BY id LIMIT 100", document) {
        row throws(DatabaseError) in row.text(0)
      })
    try database.run("UPDATE documents SET language=? WHERE id=?", language.rawValue, document)
  }

  private func add(
    _ document: Int64, to builder: inout SegmentBuilder, rows: inout [UInt32]
  ) throws(DatabaseError) {
    var stems = StemCache()
    var title: TextAnalyzer.Terms?
    var acronyms: Set<Acronym> = []
    _ = try database.rows(
      """
      SELECT passages.id, text, headings, indexed_title, language FROM passages JOIN documents
      ON documents.id = passages.document WHERE passages.document=? ORDER BY passages.id
      """, document
    ) { row throws(DatabaseError) in
      let language = Language(rawValue: row.text(4)) ?? .other
      let known = title ?? TextAnalyzer.terms(of: row.text(3), in: language, stems: &stems)
      title = known
      builder.add(text: row.text(1), headings: row.text(2), title: known, language: language, stems: &stems)
      rows.append(UInt32(clamping: row.int(0)))
      acronyms.formUnion(Acronym.introduced(in: row.text(1)))
    }
    try store(acronyms, of: document)
  }

  // MARK: Merging

  /// Merges small segments, inside the caller's transaction: a search takes longer the more there are.
  func mergeSmall() throws(LibraryError) {
    while let job = try nextMerge(MergePolicy.small) {
      let product: SegmentWriter?
      do { product = try SegmentMerger.merge(job.inputs) } catch { return }
      let content = product?.encoded()
      try reading { () throws(DatabaseError) in
        let stored = content.map { IndexJob.Product(content: $0, passageCount: job.passageCount) }
        _ = try adopt(stored, of: job)
      }
    }
  }

  /// Returns the most urgent background job; nil where there is none.
  func nextJob(clearsRemoved: Bool) throws(LibraryError) -> IndexJob? {
    for part in parts where !part.removed.isEmpty {
      if clearsRemoved || part.removed.count * 8 > part.segment.passageCount { return try job([part.id]) }
    }
    if let merge = try nextMerge(MergePolicy.large) { return merge }
    guard folder != nil else { return nil }
    let large = try reading { () throws(DatabaseError) in
      try database.scalar(
        "SELECT id FROM segments WHERE file IS NULL AND passage_count > ? LIMIT 1", MergePolicy.largestInDatabase)
    }
    return large == 0 ? nil : try job([Int64(large)])
  }

  private func nextMerge(_ plan: ([Int]) -> Range<Int>?) throws(LibraryError) -> IndexJob? {
    let entries = try reading { () throws(DatabaseError) in try self.entries() }
    guard let range = plan(entries.map(\.passageCount)) else { return nil }
    return try job(entries[range].map(\.id))
  }

  private func job(_ ids: [Int64]) throws(LibraryError) -> IndexJob {
    let known = Dictionary(parts.map { (Key($0), $0.segment) }) { first, _ in first }
    var job = IndexJob()
    job.lastRemoval = try reading { () throws(DatabaseError) in
      try database.scalar("SELECT max(id) FROM removed")
    }
    for entry in try reading({ () throws(DatabaseError) in try self.entries() }) where ids.contains(entry.id) {
      let removed = try reading { () throws(DatabaseError) in
        try database.rows("SELECT first_row, end_row FROM removed WHERE segment=?", entry.id) {
          row throws(DatabaseError) in UInt32(clamping: row.int(0))..<UInt32(clamping: row.int(1))
        }
      }
      let segment: KeywordSegment
      if let loaded = known[entry.key] { segment = loaded } else { segment = try load(entry) }
      job.entries.append(entry)
      job.inputs.append(SegmentMerger.Input(segment: segment, removed: RowRanges(removed)))
    }
    return job
  }

  /// Replaces the job's segments by its product, inside the caller's transaction.
  /// - Returns: false, with nothing changed, where one of the segments is gone: another process was first.
  func adopt(_ product: IndexJob.Product?, of job: IndexJob) throws(DatabaseError) -> Bool {
    let there = Set(try entries().map(\.key))
    guard let first = job.entries.first, let last = job.entries.last,
      job.entries.allSatisfy({ there.contains($0.key) })
    else { return false }
    if let product {
      try database.run(
        "INSERT INTO segments(first_row, end_row, passage_count, file, identity, content) VALUES(?,?,?,?,?,?)",
        Int(first.rows.lowerBound), Int(last.rows.upperBound), product.passageCount, product.file,
        Int64(bitPattern: product.identity), product.content)
      let id = database.lastInsertedRow
      for entry in job.entries {
        // Rows removed while the product was written are still in it.
        try database.run(
          "UPDATE removed SET segment=? WHERE segment=? AND id > ?", id, entry.id, job.lastRemoval)
      }
    }
    for entry in job.entries { try database.run("DELETE FROM segments WHERE id=?", entry.id) }
    invalidate()
    return true
  }
}

/// Segments to be merged into one, without their removed rows.
struct IndexJob: Sendable {
  var entries: [KeywordIndex.Entry] = []
  var inputs: [SegmentMerger.Input] = []
  /// Id of the last removal that the job takes into account.
  var lastRemoval = 0

  /// Number of passages after the merge.
  var passageCount: Int { inputs.reduce(0) { $0 + $1.segment.passageCount - $1.removed.count } }

  /// Result of a job: a file, or the bytes of one.
  struct Product: Sendable {
    var file: String?
    var content: Data?
    var identity: UInt64
    var passageCount: Int

    init(content: Data, passageCount: Int) {
      self.content = content
      identity = SegmentFile.identity(of: content)
      self.passageCount = passageCount
    }

    init(file: String, identity: UInt64, passageCount: Int) {
      self.file = file
      self.identity = identity
      self.passageCount = passageCount
    }
  }
}
