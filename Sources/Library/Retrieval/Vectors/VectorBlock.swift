import Compute
import Foundation

/// Vectors in two precisions: int8 with a scale each for the scan, half precision for re-scoring, and their passages.
///
/// A block is a segment, in a file or in memory. Its sections: `shape` (dimension and row count), `runs`, `entries`,
/// `scales`, `values` (rows padded to a multiple of 64), `halves`.
final class VectorBlock {
  static let version: UInt32 = 1
  let dimension: Int
  let width: Int
  let rowCount: Int
  let runs: UnsafeBufferPointer<VectorRun>
  let entries: UnsafeBufferPointer<VectorEntry>
  let scales: UnsafePointer<Float>
  private let file: SegmentFile
  private let values: SegmentFile.Section
  private let halves: SegmentFile.Section

  /// Opens a block; values and halves are verified when they are read, the rest now.
  init(_ file: SegmentFile, dimension: Int) throws(SegmentError) {
    self.file = file
    self.dimension = dimension
    width = InstructionSet.scanWidth(dimension: dimension)
    let shape = try file.bytes(file.section("shape"))
    let damage = SegmentError.damaged(path: file.path, atByte: 0)
    guard shape.count == 16, shape.loadUnaligned(as: UInt64.self) == UInt64(dimension) else { throw damage }
    rowCount = Int(clamping: shape.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    runs = try file.bytes(file.section("runs")).bindMemory(to: VectorRun.self)
    entries = try file.bytes(file.section("entries")).bindMemory(to: VectorEntry.self)
    let scales = try file.bytes(file.section("scales")).bindMemory(to: Float.self)
    values = try file.section("values")
    halves = try file.section("halves")
    guard let firstScale = scales.baseAddress, rowCount > 0,
      rowCount <= Int32.max, entries.count == rowCount, scales.count == rowCount,
      values.count == rowCount * width, halves.count == rowCount * dimension * 2
    else { throw damage }
    self.scales = firstScale
    var row = 0
    for run in runs {
      guard run.firstRow == row, run.rowCount <= rowCount - row else { throw damage }
      row += Int(run.rowCount)
    }
    guard row == rowCount else { throw damage }
  }

  /// Encodes a block's segment; the batches hold at least one vector.
  static func encode(_ batches: [VectorBatch], dimension: Int) -> SegmentWriter {
    let width = InstructionSet.scanWidth(dimension: dimension)
    let rowCount = batches.reduce(0) { $0 + $1.entries.count }
    var (runs, entries, scales) = ([VectorRun](), [VectorEntry](), [Float]())
    entries.reserveCapacity(rowCount)
    var values = [Int8](repeating: 0, count: rowCount * width)
    var halves: [UInt8] = []
    halves.reserveCapacity(rowCount * dimension * 2)
    var floats = [Float](repeating: 0, count: dimension)
    for batch in batches where !batch.entries.isEmpty {
      runs.append(
        VectorRun(
          batch: batch.id, document: batch.document, firstRow: UInt32(entries.count),
          rowCount: UInt32(batch.entries.count)))
      for place in batch.entries.indices {
        batch.halves.withUnsafeBytes { bytes in
          let row = UnsafeRawBufferPointer(rebasing: bytes[place * dimension * 2..<(place + 1) * dimension * 2])
          halves.append(contentsOf: row)
          // The table's bytes need not be aligned.
          withUnsafeTemporaryAllocation(of: UInt16.self, capacity: dimension) { aligned in
            UnsafeMutableRawBufferPointer(aligned).copyMemory(from: row)
            guard let from = aligned.baseAddress else { return }
            InstructionSet.best.widen(from, count: dimension, into: &floats)
          }
        }
        values.withUnsafeMutableBufferPointer { values in
          guard let start = values.baseAddress else { return }
          scales.append(
            InstructionSet.quantize(
              floats, count: dimension, width: width, into: start + (entries.count + place) * width))
        }
      }
      entries += batch.entries
    }
    var writer = SegmentWriter(kind: .vector, version: version)
    writer.add("shape", values: [UInt64(dimension), UInt64(rowCount)])
    writer.add("runs", values: runs)
    writer.add("entries", values: entries)
    writer.add("scales", values: scales)
    writer.add("values", values: values)
    writer.add("halves", halves)
    return writer
  }

  /// Returns the int8 values of some rows; may be called by several threads at once.
  func values(rows: Range<Int>) throws(SegmentError) -> UnsafePointer<Int8> {
    let bytes = try file.bytes(rows.lowerBound * width..<rows.upperBound * width, of: values)
    guard let start = bytes.bindMemory(to: Int8.self).baseAddress else {
      throw .damaged(path: file.path, atByte: values.range.lowerBound)
    }
    return start
  }

  /// Returns a row in half precision.
  func halves(row: Int) throws(SegmentError) -> UnsafePointer<UInt16> {
    let bytes = try file.bytes(row * dimension * 2..<(row + 1) * dimension * 2, of: halves)
    guard let start = bytes.bindMemory(to: UInt16.self).baseAddress else {
      throw .damaged(path: file.path, atByte: halves.range.lowerBound)
    }
    return start
  }

  /// Indicates whether the whole file can be read.
  func isSound() -> Bool {
    do { try file.verify() } catch { return false }
    return true
  }

  /// Throws where a part of the file could not be read and was replaced by zeros.
  func check() throws(SegmentError) { try file.check() }

  /// Returns the rows of some documents, or all, in order.
  func rows(of documents: Set<DocumentID>?) -> [Range<Int>] {
    guard let documents else { return [0..<rowCount] }
    var ranges: [Range<Int>] = []
    for run in runs where documents.contains(DocumentID(rawValue: run.document)) {
      let range = Int(run.firstRow)..<Int(run.firstRow) + Int(run.rowCount)
      if let last = ranges.last, last.upperBound == range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}
