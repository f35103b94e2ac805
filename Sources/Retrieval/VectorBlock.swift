import Compute
import Foundation


/// Where the parts of a block lie, in memory as in a file. Every part begins on a multiple of 64 bytes.
struct VectorLayout: Equatable {
  let dimension: Int
  let width: Int
  let rowCount: Int
  let runCount: Int

  /// Bytes before the first part.
  static let headerSize = 128

  init(dimension: Int, rowCount: Int, runCount: Int) {
    self.dimension = dimension
    width = InstructionSet.scanWidth(dimension: dimension)
    self.rowCount = rowCount
    self.runCount = runCount
  }

  private static func aligned(_ offset: Int) -> Int { (offset + 63) & ~63 }

  var runs: Int { Self.headerSize }
  var entries: Int { Self.aligned(runs + runCount * MemoryLayout<VectorRun>.stride) }
  var marks: Int { Self.aligned(entries + rowCount * MemoryLayout<VectorEntry>.stride) }
  var scales: Int { Self.aligned(marks + rowCount * MemoryLayout<UInt32>.stride) }
  var values: Int { Self.aligned(scales + rowCount * MemoryLayout<Float>.stride) }
  var halves: Int { Self.aligned(values + rowCount * width) }
  var byteCount: Int { Self.aligned(halves + rowCount * dimension * 2) }
}

/// Vectors in a row: 8-bit values with a scale each to be scanned, halves to be rescored, and whose they are.
///
/// A row that was erased is all zero and its scale is not a number, so that no search finds it.
final class VectorBlock {
  let layout: VectorLayout
  let runs: UnsafeBufferPointer<VectorRun>
  let entries: UnsafeBufferPointer<VectorEntry>
  let scales: UnsafePointer<Float>
  let values: UnsafePointer<Int8>
  let halves: UnsafePointer<UInt16>
  /// What owns the memory.
  private let owner: AnyObject

  /// A block over memory of that layout.
  init(_ base: UnsafeRawPointer, layout: VectorLayout, owner: AnyObject) {
    self.layout = layout
    self.owner = owner
    runs = UnsafeBufferPointer(
      start: (base + layout.runs).assumingMemoryBound(to: VectorRun.self), count: layout.runCount)
    entries = UnsafeBufferPointer(
      start: (base + layout.entries).assumingMemoryBound(to: VectorEntry.self), count: layout.rowCount)
    scales = (base + layout.scales).assumingMemoryBound(to: Float.self)
    values = (base + layout.values).assumingMemoryBound(to: Int8.self)
    halves = (base + layout.halves).assumingMemoryBound(to: UInt16.self)
  }

  /// A block in memory.
  static func inMemory(_ batches: [VectorBatch], dimension: Int) throws(ComputeError) -> VectorBlock {
    let rowCount = batches.reduce(0) { $0 + $1.entries.count }
    let layout = VectorLayout(dimension: dimension, rowCount: rowCount, runCount: batches.count)
    let buffer = try AlignedBuffer<UInt8>(count: layout.byteCount)
    var writer = VectorBlockWriter(buffer.base, layout: layout)
    for batch in batches { writer.append(batch) }
    return VectorBlock(buffer.base, layout: layout, owner: buffer)
  }

  /// The rows of some documents, or all, in order.
  func rows(of documents: Set<DocumentID>?) -> [Range<Int>] {
    guard let documents else { return layout.rowCount > 0 ? [0..<layout.rowCount] : [] }
    var ranges: [Range<Int>] = []
    for run in runs where run.rowCount > 0 && documents.contains(DocumentID(rawValue: run.document)) {
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

/// Fills a block, batch by batch.
struct VectorBlockWriter {
  private let base: UnsafeMutableRawPointer
  private let layout: VectorLayout
  private var row = 0
  private var run = 0
  private var widened: [Float]

  init(_ base: UnsafeMutableRawPointer, layout: VectorLayout) {
    self.base = base
    self.layout = layout
    widened = Array(repeating: 0, count: layout.dimension)
  }

  mutating func append(_ batch: VectorBatch) {
    precondition(run < layout.runCount && row + batch.entries.count <= layout.rowCount, "the block has room")
    base.storeBytes(
      of: VectorRun(
        batch: batch.id, document: batch.document, firstRow: UInt32(row), rowCount: UInt32(batch.entries.count)),
      toByteOffset: layout.runs + run * MemoryLayout<VectorRun>.stride, as: VectorRun.self)
    run += 1
    batch.halves.withUnsafeBytes { bytes in
      guard let source = bytes.baseAddress else { return }
      for (place, entry) in batch.entries.enumerated() {
        write(entry, source + place * layout.dimension * 2)
      }
    }
  }

  private mutating func write(_ entry: VectorEntry, _ source: UnsafeRawPointer) {
    let halves = base + layout.halves + row * layout.dimension * 2
    let values = base + layout.values + row * layout.width
    halves.copyMemory(from: source, byteCount: layout.dimension * 2)
    let scale = widened.withUnsafeMutableBufferPointer { widened in
      guard let floats = widened.baseAddress else { return Float.nan }
      InstructionSet.best.widen(
        UnsafeRawPointer(halves).assumingMemoryBound(to: UInt16.self), count: layout.dimension, into: floats)
      return InstructionSet.quantize(
        floats, count: layout.dimension, width: layout.width, into: values.assumingMemoryBound(to: Int8.self))
    }
    base.storeBytes(of: entry, toByteOffset: layout.entries + row * 16, as: VectorEntry.self)
    base.storeBytes(of: scale, toByteOffset: layout.scales + row * 4, as: Float.self)
    base.storeBytes(
      of: VectorMark.of(values: values, halves: halves, scale: scale, layout: layout),
      toByteOffset: layout.marks + row * 4, as: UInt32.self)
    row += 1
  }
}

/// A row's checksum.
enum VectorMark {
  /// Mixes the bytes of a row eight at a time (multiply and fold, as in wyhash).
  static func of(
    values: UnsafeRawPointer, halves: UnsafeRawPointer, scale: Float, layout: VectorLayout
  ) -> UInt32 {
    var state = UInt64(scale.bitPattern) ^ 0x9e37_79b9_7f4a_7c15
    func mix(_ part: UnsafeRawPointer, _ count: Int) {
      var place = 0
      while place + 8 <= count {
        let product = (state ^ part.loadUnaligned(fromByteOffset: place, as: UInt64.self))
          .multipliedFullWidth(by: 0xa076_1d64_78bd_642f)
        state = product.high ^ product.low &+ 0xe703_7ed1_a0b4_28db
        place += 8
      }
      while place < count {
        state = (state ^ UInt64(part.load(fromByteOffset: place, as: UInt8.self))) &* 0xa076_1d64_78bd_642f
        place += 1
      }
    }
    mix(values, layout.width)
    mix(halves, layout.dimension * 2)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }
}
