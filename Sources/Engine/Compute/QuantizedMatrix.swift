import CKernels
import Synchronization
import Threading

/// A matrix of weights as a model file stores it, `(rows, columns)`, row by row in blocks of its type.
///
/// The first product reads the stored weights; the second packs them for the kernels, for the common types, in memory
/// of the same size, and releases the pages of the file. Results have the same bits either way.
package final class QuantizedMatrix: @unchecked Sendable {
  /// Storage type of the weights.
  package let type: TensorType
  /// Number of rows: outputs of a product.
  package let rows: Int
  /// Number of columns: inputs of a product.
  package let columns: Int
  /// Size of one stored row, in bytes.
  package let rowByteCount: Int

  private let bytes: UnsafeRawBufferPointer
  private let owner: AnyObject?
  private let packed = Mutex<WeightArena.Allocation?>(nil)
  /// Address of the packed weights once they are complete, so that products take no lock.
  private let packedAddress = Atomic<UInt>(0)
  private let wasUsed = Atomic<Bool>(false)

  /// Makes a matrix of stored bytes without copying them.
  /// - Parameters:
  ///   - bytes: at least `rows` stored rows; bytes beyond them are ignored.
  ///   - owner: kept alive as long as the matrix, such as a ``MappedFile``.
  /// - Throws: ``ComputeError/notMultipliable(_:)``, ``ComputeError/badShape(type:rows:columns:)`` or
  ///   ``ComputeError/tooFewBytes(needed:available:)``.
  package init(
    type: TensorType, rows: Int, columns: Int, bytes: UnsafeRawBufferPointer, owner: AnyObject?
  ) throws(ComputeError) {
    guard type.isMultipliable else { throw .notMultipliable(type) }
    guard rows > 0, columns > 0, let row = type.rowByteCount(columns: columns),
      let needed = type.byteCount(rows: rows, columns: columns)
    else { throw .badShape(type: type, rows: rows, columns: columns) }
    guard bytes.count >= needed else { throw .tooFewBytes(needed: needed, available: bytes.count) }
    self.type = type
    self.rows = rows
    self.columns = columns
    rowByteCount = row
    self.bytes = UnsafeRawBufferPointer(rebasing: bytes[..<needed])
    self.owner = owner
  }

  /// Makes one matrix for each expert of a 3-D tensor `(count, rows, columns)`, without copying its bytes.
  /// - Throws: as ``init(type:rows:columns:bytes:owner:)``.
  package static func experts(
    _ count: Int, type: TensorType, rows: Int, columns: Int, bytes: UnsafeRawBufferPointer, owner: AnyObject?
  ) throws(ComputeError) -> [QuantizedMatrix] {
    guard count > 0, let each = type.byteCount(rows: rows, columns: columns) else {
      throw .badShape(type: type, rows: rows, columns: columns)
    }
    let (needed, overflow) = each.multipliedReportingOverflow(by: count)
    guard !overflow, bytes.count >= needed else {
      throw .tooFewBytes(needed: overflow ? .max : needed, available: bytes.count)
    }
    var matrices: [QuantizedMatrix] = []
    for expert in 0..<count {
      let part = UnsafeRawBufferPointer(rebasing: bytes[expert * each..<(expert + 1) * each])
      matrices.append(try QuantizedMatrix(type: type, rows: rows, columns: columns, bytes: part, owner: owner))
    }
    return matrices
  }

  /// Splits the rows into `count` equal groups, such as fused projections or experts, without copying.
  /// - Throws: ``ComputeError/badShape(type:rows:columns:)`` where the rows do not divide.
  package func split(into count: Int) throws(ComputeError) -> [QuantizedMatrix] {
    guard count > 0, rows % count == 0 else { throw .badShape(type: type, rows: rows, columns: columns) }
    return try QuantizedMatrix.experts(
      count, type: type, rows: rows / count, columns: columns, bytes: bytes, owner: owner)
  }

  /// Dequantizes one row to F32.
  /// - Parameters:
  ///   - row: below ``rows``.
  ///   - output: `(columns,)`, overwritten.
  package func dequantizeRow(_ row: Int, into output: UnsafeMutablePointer<Float>) {
    precondition(row >= 0 && row < rows, "a row of the matrix")
    guard let base = bytes.baseAddress else { return }
    // For one row a copy is cheaper than page faults.
    if !copyRow(row, into: output) {
      type.dequantize(base + row * rowByteCount, count: columns, into: output)
    }
  }

  private func copyRow(_ row: Int, into output: UnsafeMutablePointer<Float>) -> Bool {
    guard let (file, offset) = place else { return false }
    return withUnsafeTemporaryAllocation(byteCount: rowByteCount, alignment: 64) { bytes in
      guard let start = bytes.baseAddress, file.copy(at: offset + row * rowByteCount, into: bytes) else {
        return false
      }
      type.dequantize(start, count: columns, into: output)
      return true
    }
  }

  /// Number of bytes that a product reads: all weights once.
  package var byteCount: Int {
    let group = packedGroupByteCount
    return group > 0 ? group * groupCount : bytes.count
  }

  /// Packs the weights for the kernels from the second use on, so that the first token of a model does not wait for it.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)``.
  func prepareAgain(for context: ComputeContext) throws(ComputeError) {
    if wasUsed.exchange(true, ordering: .relaxed) { try prepare(for: context) }
  }

  /// Packs the weights for the kernels, unless they are packed already.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)``.
  package func prepare(for context: ComputeContext) throws(ComputeError) {
    let groupBytes = packedGroupByteCount
    guard groupBytes > 0, packedAddress.load(ordering: .acquiring) == 0 else { return }
    try packed.withLock { (kept: inout WeightArena.Allocation?) throws(ComputeError) in
      guard kept == nil else { return }
      let allocation = try context.weightArena.allocate(byteCount: groupBytes * groupCount)
      let (source, set) = (storedMatrix, context.instructionSet.rawValue)
      // Slab by slab, so that few weights are in memory in both forms at a time; groups are packed in pairs.
      let slab = max(1, (8 << 20) / groupBytes) * 2
      for first in stride(from: 0, to: groupCount, by: slab) {
        let end = min(first + slab, groupCount)
        // Pieces of a few hundred KiB, so that each huge page is filled by one thread.
        context.pool.run(end - first, grain: max(1, (1 << 18) / groupBytes) * 2) { part in
          let group = first + part.lowerBound
          withUnsafePointer(to: source) {
            ck_pack(set, $0, Int64(group), Int64(part.count), allocation.base + group * groupBytes)
          }
        }
        release(rows: 16 * first..<min(16 * end, rows))
      }
      kept = allocation
      packedAddress.store(UInt(bitPattern: allocation.base), ordering: .releasing)
    }
  }

  private func release(rows: Range<Int>) {
    guard let (file, offset) = place else { return }
    file.release(offset + rows.lowerBound * rowByteCount..<offset + rows.upperBound * rowByteCount)
  }

  /// File that holds the weights, and their offset in it; nil where they are not mapped from a file.
  private var place: (file: MappedFile, offset: Int)? {
    guard let file = owner as? MappedFile, let start = bytes.baseAddress, let whole = file.bytes.baseAddress else {
      return nil
    }
    let offset = start - whole
    guard offset >= 0, offset + bytes.count <= file.bytes.count else { return nil }
    return (file, offset)
  }

  /// Place in a file of weights that are still to be packed, for which page faults may not pay; nil for others.
  var placeInFile: (file: MappedFile, offset: Int)? {
    let isPassing = packedAddress.load(ordering: .relaxed) == 0 && packedGroupByteCount > 0
    return isPassing && rowByteCount <= 1 << 16 ? place : nil
  }

  /// Indicates whether the weights are in their final form: packed, or of a type that is multiplied as stored.
  var isLaidOut: Bool { packedGroupByteCount == 0 || packedAddress.load(ordering: .relaxed) != 0 }

  private var groupCount: Int { (rows + 15) / 16 }
  private var packedGroupByteCount: Int { Int(ck_packed_group_bytes(Int32(type.rawValue), Int64(columns))) }

  private var storedMatrix: ck_matrix {
    var matrix = ck_matrix()
    matrix.data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    matrix.rows = Int64(rows)
    matrix.columns = Int64(columns)
    matrix.row_bytes = Int64(rowByteCount)
    matrix.type = Int32(type.rawValue)
    return matrix
  }

  /// Matrix as the kernels see it.
  var kernelMatrix: ck_matrix {
    var matrix = storedMatrix
    if let packed = UnsafePointer<UInt8>(bitPattern: packedAddress.load(ordering: .acquiring)) {
      matrix.data = packed
      matrix.is_packed = 1
    }
    return matrix
  }
}
