import Compute
import Foundation
import Persistence
import Threading

/// The vectors of the embedder that answers, ready to be searched. It belongs to the library's actor.
final class VectorIndex {
  private let database: Database
  private var loaded: Loaded?
  private lazy var pool = WorkerPool()

  /// The blocks of one embedder, and what they were made of.
  private struct Loaded {
    var embedder: Int64
    var tail: Tail
    var blocks: [VectorBlock]
  }

  /// Says whether the batches beyond the segments are still the same: their rows are never used again.
  private struct Tail: Equatable {
    var count: Int
    var last: Int
  }

  init(database: Database) { self.database = database }

  /// The id and dimension of an embedder whose vectors may answer.
  func embedder(identity: String) throws(DatabaseError) -> (id: Int64, dimension: Int)? {
    try database.first(
      "SELECT id, dimension FROM embedders WHERE identity=? AND role='answering'", identity
    ) { row throws(DatabaseError) in (Int64(row.int(0)), row.int(1)) }
  }

  /// The nearest passages of those documents, best first, each by its best window.
  func hits(
    _ query: QueryVector, limit: Int, documents: Set<DocumentID>?
  ) throws(LibraryError) -> [VectorHit] {
    guard limit > 0 else { return [] }
    let blocks = try wrapped { () throws(DatabaseError) in
      guard let (id, dimension) = try embedder(identity: query.embedder), dimension == query.values.count else {
        return [VectorBlock]()
      }
      return try refreshed(embedder: id, dimension: dimension)
    }
    let search = VectorSearch(blocks, query: query.values, pool: pool)
    let rowCount = blocks.reduce(0) { $0 + $1.layout.rowCount }
    var depth = max(limit * 2, limit + 100)
    while true {
      let found = search.scan(min(depth, rowCount), documents: documents)
      let hits = try passages(of: search.rescore(found), in: blocks, limit: limit)
      // Windows of one passage and rows of passages that are gone may have taken the places.
      if hits.count == limit || found.count < depth { return hits }
      depth *= 4
    }
  }

  /// The best row of each passage that is still there.
  private func passages(
    of matches: [VectorMatch], in blocks: [VectorBlock], limit: Int
  ) throws(LibraryError) -> [VectorHit] {
    var seen: Set<Int64> = []
    var hits: [VectorHit] = []
    for match in matches where hits.count < limit {
      let entry = blocks[Int(match.block)].entries[Int(match.row)]
      guard seen.insert(entry.passage).inserted else { continue }
      let isThere = try wrapped { () throws(DatabaseError) in
        try database.scalar("SELECT count(*) FROM passages WHERE id=?", entry.passage) > 0
      }
      guard isThere else { continue }
      hits.append(
        VectorHit(
          passage: PassageID(rawValue: entry.passage), window: Int(entry.start)..<Int(entry.end),
          score: Double(match.score)))
    }
    return hits
  }

  /// The blocks as the database has them now.
  private func refreshed(embedder id: Int64, dimension: Int) throws(DatabaseError) -> [VectorBlock] {
    let tail = try database.first(
      "SELECT count(*), max(id) FROM vector_batches WHERE embedder=?", id
    ) { row throws(DatabaseError) in Tail(count: row.int(0), last: row.int(1)) }
    guard let tail else { return [] }
    if let loaded, loaded.embedder == id, loaded.tail == tail { return loaded.blocks }
    let batches = try database.rows(
      "SELECT id, document, first_passage, windows, vectors FROM vector_batches WHERE embedder=? ORDER BY id", id
    ) { row throws(DatabaseError) in try Self.batch(row, dimension: dimension) }
    do {
      let blocks = [try VectorBlock.inMemory(batches, dimension: dimension)]
      loaded = Loaded(embedder: id, tail: tail, blocks: blocks)
      return blocks
    } catch {
      throw .malformed(column: "vectors", value: "\(error)")
    }
  }

  private static func batch(_ row: Row, dimension: Int) throws(DatabaseError) -> VectorBatch {
    let batch = VectorBatch(
      id: Int64(row.int(0)), document: Int64(row.int(1)), firstPassage: Int64(row.int(2)), windows: row.blob(3),
      halves: row.blob(4), dimension: dimension)
    guard let batch else { throw .malformed(column: "vector_batches", value: "\(row.int(0))") }
    return batch
  }

  private func wrapped<Value>(_ body: () throws(DatabaseError) -> Value) throws(LibraryError) -> Value {
    do { return try body() } catch { throw LibraryError(error) }
  }
}
