import Compute
import Synchronization
import Threading

/// Row of one of several blocks, with its score.
struct VectorMatch: Comparable {
  var score: Float
  var block: Int32
  var row: Int32

  /// Orders by score, equal ones by place, so that the order does not depend on the number of threads.
  static func < (left: VectorMatch, right: VectorMatch) -> Bool {
    (right.score, left.block, left.row) < (left.score, right.block, right.row)
  }
}

/// Exact search: every row is scanned in int8, the best are re-scored in half precision.
struct VectorSearch {
  private let blocks: [VectorBlock]
  private let query: [Float]
  private let pool: WorkerPool
  private let set: InstructionSet

  /// Number of rows of one task of a scan, and of one call of a kernel.
  private static let partRows = 16_384
  private static let kernelRows = 1_024

  init(_ blocks: [VectorBlock], query: [Float], pool: WorkerPool, instructionSet: InstructionSet = .best) {
    self.blocks = blocks
    self.query = query
    self.pool = pool
    set = instructionSet
  }

  /// Returns the rows nearest by their int8 values, best first. Each row's checksum is verified by the thread that
  /// reads it first.
  func scan(_ count: Int, documents: Set<DocumentID>? = nil) throws(SegmentError) -> [VectorMatch] {
    var parts: [(block: Int, rows: Range<Int>)] = []
    for (place, block) in blocks.enumerated() {
      for range in block.rows(of: documents) {
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.partRows) {
          parts.append((place, start..<min(start + Self.partRows, range.upperBound)))
        }
      }
    }
    guard count > 0, let width = blocks.first?.width else { return [] }
    var bytes = [Int8](repeating: 0, count: width)
    let scale = InstructionSet.quantize(query, count: query.count, width: width, into: &bytes)
    // The query's own scale does not change the order and is left out. A query of length 0 is near to nothing.
    guard scale > 0 else { return [] }
    let floor = SharedFloor()
    let damage = Mutex<SegmentError?>(nil)
    var found = [[VectorMatch]](repeating: [], count: parts.count)
    found.withUnsafeMutableBufferPointer { found in
      nonisolated(unsafe) let found = found
      pool.run(parts.count) { part in
        do throws(SegmentError) {
          found[part] = try best(
            count, block: parts[part].block, rows: parts[part].rows, query: bytes, floor: floor)
        } catch {
          damage.withLock { $0 = error }
        }
      }
    }
    if let damage = damage.withLock({ $0 }) { throw damage }
    var all = found.flatMap(\.self)
    all.sort()
    if all.count > count { all.removeLast(all.count - count) }
    for place in all.indices { all[place].score *= scale }
    return all
  }

  /// Returns the best rows of one task, in no order; rows below the shared floor may be left out.
  private func best(
    _ count: Int, block place: Int, rows: Range<Int>, query: [Int8], floor: SharedFloor
  ) throws(SegmentError) -> [VectorMatch] {
    let block = blocks[place]
    var best: [VectorMatch] = []
    var scores = [Float](repeating: 0, count: Self.kernelRows)
    var places = [Int32](repeating: 0, count: Self.kernelRows)
    for start in stride(from: rows.lowerBound, to: rows.upperBound, by: Self.kernelRows) {
      let rowCount = min(Self.kernelRows, rows.upperBound - start)
      set.scan(
        rows: try block.values(rows: start..<start + rowCount), scales: block.scales + start, width: block.width,
        count: rowCount, query: query, into: &scores)
      let above = set.places(above: floor.value, in: scores, count: rowCount, into: &places)
      for row in places[..<above] {
        best.append(VectorMatch(score: scores[Int(row)], block: Int32(place), row: Int32(start) + row))
      }
      if best.count >= 2 * count {
        best.sort()
        best.removeLast(best.count - count)
        floor.raise(to: best[count - 1].score)
      }
    }
    return best
  }

  /// Re-scores rows in half precision, summed in F32.
  func rescore(_ matches: [VectorMatch]) throws(SegmentError) -> [VectorMatch] {
    var matches = matches
    var floats = [Float](repeating: 0, count: query.count)
    for place in matches.indices {
      let block = blocks[Int(matches[place].block)]
      set.widen(try block.halves(row: Int(matches[place].row)), count: query.count, into: &floats)
      matches[place].score = set.dot(floats, query, count: query.count)
    }
    for block in blocks { try block.check() }
    matches.sort()
    return matches
  }
}

/// Score that enough rows have reached; it only rises.
private final class SharedFloor: Sendable {
  private let bits = Atomic<UInt32>((-Float.infinity).bitPattern)

  /// Rows at or below it are not needed.
  var value: Float { Float(bitPattern: bits.load(ordering: .relaxed)) }

  /// Rows that are as near as this one and sort before it must still be found.
  func raise(to score: Float) {
    let floor = score.nextDown
    var known = bits.load(ordering: .relaxed)
    while Float(bitPattern: known) < floor {
      let attempt = bits.weakCompareExchange(expected: known, desired: floor.bitPattern, ordering: .relaxed)
      if attempt.exchanged { return }
      known = attempt.original
    }
  }
}
