import Compute
import Foundation
import Persistence
import Threading

/// Vectors of the answering embedder, loaded for search: segments, and the batches stored since the last one. It
/// belongs to the library's actor and writes nothing itself.
final class VectorIndex {
  private let database: Database
  let segments: VectorSegments?
  private var loaded: Loaded?
  private lazy var pool = WorkerPool()
  private let updater: VectorSegmentUpdater
  /// Names of segments whose files could not be read: their vectors are read from the table.
  private var damaged: Set<String> = []

  /// Blocks of one embedder.
  private struct Loaded {
    var embedder: Int64
    var bySegment: [String: VectorBlock] = [:]
    var tail: Tail?
    var tailBlock: VectorBlock?
  }

  /// Identity of the batches behind the segments: ids are never reused.
  private struct Tail: Equatable {
    var after: Int64
    var count: Int
    var last: Int64
  }

  init(database: Database, segments: VectorSegments?, updater: VectorSegmentUpdater) {
    self.database = database
    self.segments = segments
    self.updater = updater
  }

  /// Returns the nearest passages of some documents, best first, each by its best window.
  func hits(
    _ query: QueryVector, limit: Int, documents: Set<DocumentID>?
  ) throws(LibraryError) -> [VectorHit] {
    defer { mend() }
    do throws(DatabaseError) {
      let found = try database.first(
        "SELECT id, dimension FROM embedders WHERE identity=? AND role='answering'", query.embedder
      ) { row throws(DatabaseError) in (id: Int64(row.int(0)), dimension: row.int(1)) }
      guard limit > 0, let (id, dimension) = found, dimension == query.values.count else { return [] }
      while true {
        let blocks = try blocks(of: id, dimension: dimension)
        let search = VectorSearch(blocks.map(\.block), query: query.values, pool: pool)
        if let hits = try hits(search, in: blocks, limit: limit, documents: documents) { return hits }
      }
    } catch {
      throw LibraryError(error)
    }
  }

  /// Returns the best window of each passage that still exists; nil where a segment turned out to be damaged and is
  /// no longer used.
  private func hits(
    _ search: VectorSearch, in blocks: [(block: VectorBlock, isDue: Bool)], limit: Int, documents: Set<DocumentID>?
  ) throws(DatabaseError) -> [VectorHit]? {
    let rowCount = blocks.reduce(0) { $0 + $1.block.rowCount }
    var depth = max(limit * 2, limit + 100)
    while true {
      let found: [VectorMatch]
      let matches: [VectorMatch]
      do throws(SegmentError) {
        found = try search.scan(min(depth, max(rowCount, 1)), documents: documents)
        matches = try search.rescore(found)
      } catch {
        guard excludeDamaged() else { throw .malformed(column: "vectors", value: "\(error)") }
        return nil
      }
      let hits = try passages(of: matches, in: blocks, limit: limit)
      // Several windows of one passage, and rows of removed passages, may have used up the depth.
      if hits.count == limit || found.count < depth { return hits }
      depth *= 4
    }
  }

  private func passages(
    of matches: [VectorMatch], in blocks: [(block: VectorBlock, isDue: Bool)], limit: Int
  ) throws(DatabaseError) -> [VectorHit] {
    var seen: Set<Int64> = []
    var hits: [VectorHit] = []
    for match in matches where hits.count < limit {
      let (block, isDue) = blocks[Int(match.block)]
      let entry = block.entries[Int(match.row)]
      guard seen.insert(entry.passage).inserted else { continue }
      // Only a segment that is due for rewriting holds rows of removed passages.
      if isDue, try database.scalar("SELECT count(*) FROM passages WHERE id=?", entry.passage) == 0 { continue }
      hits.append(
        VectorHit(
          passage: PassageID(rawValue: entry.passage), window: Int(entry.start)..<Int(entry.end),
          score: Double(match.score)))
    }
    return hits
  }

  /// Returns the current blocks, and whether each holds rows of removed passages.
  private func blocks(
    of embedder: Int64, dimension: Int
  ) throws(DatabaseError) -> [(block: VectorBlock, isDue: Bool)] {
    var now = Loaded(embedder: embedder)
    let old = loaded?.embedder == embedder ? loaded : nil
    let entries = try VectorSegments.entries(of: embedder, in: database)
    for entry in entries {
      if let known = old?.bySegment[entry.name] {
        now.bySegment[entry.name] = known
      } else {
        now.bySegment[entry.name] = try open(entry, dimension: dimension)
      }
    }
    let behind = entries.last?.lastBatch ?? 0
    let tail = try database.first(
      "SELECT count(*), max(id) FROM vector_batches WHERE embedder=? AND id>?", embedder, behind
    ) { row throws(DatabaseError) in Tail(after: behind, count: row.int(0), last: Int64(row.int(1))) }
    now.tail = tail
    if let old, old.tail == tail {
      now.tailBlock = old.tailBlock
    } else if let tail, tail.count > 0 {
      now.tailBlock = try inMemory(embedder, dimension: dimension, behind + 1...tail.last)
    }
    loaded = now
    return entries.compactMap { entry in now.bySegment[entry.name].map { ($0, entry.isDue) } }
      + [now.tailBlock].compactMap { $0.map { ($0, false) } }
  }

  /// Opens a segment's block: from its file, else from the table.
  private func open(_ entry: VectorSegments.Entry, dimension: Int) throws(DatabaseError) -> VectorBlock? {
    if let segments, !damaged.contains(entry.name) {
      do throws(SegmentError) {
        let file = try SegmentFile(at: segments.file(entry.name), kind: .vector, version: VectorBlock.version)
        return try VectorBlock(file, dimension: dimension)
      } catch {
        damaged.insert(entry.name)
      }
    }
    return try inMemory(entry.embedder, dimension: dimension, entry.firstBatch...entry.lastBatch)
  }

  private func inMemory(
    _ embedder: Int64, dimension: Int, _ range: ClosedRange<Int64>
  ) throws(DatabaseError) -> VectorBlock? {
    let batches = try VectorSegments.batches(of: embedder, dimension: dimension, range, in: database)
    guard batches.contains(where: { !$0.entries.isEmpty }) else { return nil }
    do throws(SegmentError) {
      let bytes = VectorBlock.encode(batches, dimension: dimension).encoded()
      let file = try SegmentFile(
        copying: bytes, name: "vectors", kind: .vector, version: VectorBlock.version)
      return try VectorBlock(file, dimension: dimension)
    } catch {
      throw .malformed(column: "vector_batches", value: "\(range)")
    }
  }

  /// Starts rewriting damaged segments in the background.
  private func mend() {
    if damaged.isEmpty { return }
    let (updater, names) = (updater, damaged)
    damaged = []
    // A segment that cannot be rewritten now is found damaged again by the next process.
    Task { try? await updater.update(damaged: names) }
  }

  /// Stops using the files of segments that cannot be read to their end; returns whether there are any.
  private func excludeDamaged() -> Bool {
    let count = damaged.count
    for (name, block) in loaded?.bySegment ?? [:] where !block.isSound() {
      damaged.insert(name)
      loaded?.bySegment[name] = nil
    }
    return damaged.count > count
  }
}
