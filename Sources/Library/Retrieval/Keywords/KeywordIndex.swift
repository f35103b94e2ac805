import Foundation
import Linguistics
import Persistence

/// Inverted index over the passages: immutable segments over ascending ranges of rows, listed in the database that
/// holds the passages. It belongs to the library's actor.
///
/// A document's segment is stored in the transaction that stores the document, as a blob. Small segments are merged
/// there, large ones in files next to the database (``IndexMerger``). A removed document's rows are listed until its
/// segment is rewritten without them. All of the index can be rebuilt from the passages, and is where any of it is
/// missing or damaged.
final class KeywordIndex {
  let database: Database
  /// Folder of segment files; nil where the library lives in memory.
  let folder: URL?
  /// Segments in the order of their rows, as of the last ``refresh()``.
  private(set) var parts: [IndexPart] = []
  /// Sums over all passages, as of the last ``refresh()``.
  private(set) var totals = IndexTotals()
  /// Languages of the documents for which there are stemmers, as of the last ``refresh()``.
  private(set) var languages: [Language] = []
  private var isStale = true
  private var dataVersion = 0

  init(database: Database, folder: URL?) {
    self.database = database
    self.folder = folder
  }

  /// Makes the next search read the tables again, after a change.
  func invalidate() { isStale = true }

  // MARK: Reading

  /// Brings ``parts`` and ``totals`` up to date with the database; must be called inside a transaction.
  func refresh() throws(LibraryError) {
    do {
      let version = try database.scalar("PRAGMA data_version")
      guard isStale || version != dataVersion else { return }
      let known = Dictionary(parts.map { (Key($0), $0.segment) }) { first, _ in first }
      var removed: [Int64: [Range<UInt32>]] = [:]
      _ = try database.rows("SELECT segment, first_row, end_row FROM removed") { row throws(DatabaseError) in
        removed[Int64(row.int(0)), default: []].append(Self.rows(row.int(1), row.int(2)))
      }
      var found: [IndexPart] = []
      for entry in try entries() {
        let segment = try known[entry.key] ?? load(entry)
        found.append(
          IndexPart(id: entry.id, rows: entry.rows, segment: segment, removed: RowRanges(removed[entry.id] ?? [])))
      }
      totals = try storedTotals()
      languages = try storedLanguages()
      let live = found.reduce(0) { $0 + $1.segment.passageCount - $1.removed.count }
      guard live == totals.passageCount else { throw LibraryError.segment(.damaged(path: "segments", atByte: 0)) }
      parts = found
      (dataVersion, isStale) = (version, false)
    } catch let error as LibraryError {
      throw error
    } catch let error as DatabaseError {
      throw LibraryError(error)
    } catch {
      throw .segment(.damaged(path: "segments", atByte: 0))
    }
  }

  /// Row of the table of segments, without its content.
  struct Entry: Sendable {
    var id: Int64
    var rows: Range<UInt32>
    var passageCount: Int
    var file: String?
    var identity: UInt64
    var key: Key { Key(id: id, identity: identity) }
  }

  /// Identity of a segment. Ids are used again where a transaction was rolled back; together with the checksum they
  /// are unique.
  struct Key: Hashable, Sendable {
    var id: Int64
    var identity: UInt64

    init(id: Int64, identity: UInt64) {
      self.id = id
      self.identity = identity
    }

    init(_ part: IndexPart) { self.init(id: part.id, identity: part.segment.file.identity) }
  }

  func entries() throws(DatabaseError) -> [Entry] {
    try database.rows(
      "SELECT id, first_row, end_row, passage_count, file, identity FROM segments ORDER BY first_row"
    ) { row throws(DatabaseError) in
      Entry(
        id: Int64(row.int(0)), rows: Self.rows(row.int(1), row.int(2)), passageCount: row.int(3),
        file: row.optionalText(4), identity: UInt64(bitPattern: Int64(row.int(5))))
    }
  }

  /// Opens a segment and verifies that it is the one that was stored.
  func load(_ entry: Entry) throws(LibraryError) -> KeywordSegment {
    do {
      let file: SegmentFile
      if let name = entry.file {
        // A name from the database must not name another folder.
        guard let folder, !name.contains("/") else { throw SegmentError.missing(path: name) }
        file = try SegmentFile(at: folder.appending(path: name), kind: .keyword, version: KeywordSegment.version)
      } else {
        let content = try database.first("SELECT content FROM segments WHERE id=?", entry.id) {
          row throws(DatabaseError) in row.blob(0)
        }
        file = try SegmentFile(
          copying: content ?? Data(), name: "segment \(entry.id)", kind: .keyword, version: KeywordSegment.version)
      }
      let segment = try KeywordSegment(file)
      guard file.identity == entry.identity, segment.passageCount == entry.passageCount else {
        throw SegmentError.damaged(path: file.path, atByte: 0)
      }
      return segment
    } catch let error as SegmentError {
      throw .segment(error)
    } catch let error as DatabaseError {
      throw LibraryError(error)
    } catch {
      throw .segment(.damaged(path: "segment \(entry.id)", atByte: 0))
    }
  }

  private static func rows(_ first: Int, _ end: Int) -> Range<UInt32> {
    let first = UInt32(clamping: first)
    return first..<max(UInt32(clamping: end), first)
  }

  private func storedLanguages() throws(DatabaseError) -> [Language] {
    var languages: [Language] = []
    for language in Language.allCases where language != .other {
      let isThere = try database.scalar(
        "SELECT EXISTS(SELECT 1 FROM documents WHERE language=?)", language.rawValue)
      if isThere != 0 { languages.append(language) }
    }
    return languages
  }

  // MARK: Totals

  private static let totalNames = ["documents", "passages", "title_length", "headings_length", "body_length"]

  func storedTotals() throws(DatabaseError) -> IndexTotals {
    var values: [String: Int] = [:]
    _ = try database.rows("SELECT name, value FROM facts") { row throws(DatabaseError) in
      values[row.text(0)] = row.int(1)
    }
    return IndexTotals(
      documentCount: values["documents"] ?? 0, passageCount: values["passages"] ?? 0,
      title: values["title_length"] ?? 0, headings: values["headings_length"] ?? 0,
      body: values["body_length"] ?? 0)
  }

  func add(_ change: IndexTotals, sign: Int) throws(DatabaseError) {
    let values = [change.documentCount, change.passageCount, change.title, change.headings, change.body]
    for (name, value) in zip(Self.totalNames, values) where value != 0 {
      try database.run(
        "INSERT INTO facts VALUES(?,?) ON CONFLICT DO UPDATE SET value=value+excluded.value", name, sign * value)
    }
  }

  // MARK: Changing

  /// Stores a segment of new rows, inside the caller's transaction.
  @discardableResult
  func insert(_ content: Data, identity: UInt64, rows: Range<UInt32>, passageCount: Int) throws(DatabaseError)
    -> Int64
  {
    try database.run(
      "INSERT INTO segments(first_row, end_row, passage_count, identity, content) VALUES(?,?,?,?,?)",
      Int(rows.lowerBound), Int(rows.upperBound), passageCount, Int64(bitPattern: identity), content)
    return database.lastInsertedRow
  }

  /// Removes rows from the index, inside the caller's transaction.
  func remove(rows: Range<UInt32>) throws(DatabaseError) {
    guard !rows.isEmpty else { return }
    try database.run(
      """
      INSERT INTO removed(segment, first_row, end_row)
      SELECT id, ?1, ?2 FROM segments WHERE first_row <= ?1 AND end_row >= ?2
      """, Int(rows.lowerBound), Int(rows.upperBound))
  }
}
