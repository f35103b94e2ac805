import CKernels
import Threading

extension TensorType {
  /// Encodes stored values of one type as blocks of this one; the same values give the same bytes at any thread count.
  /// - Parameters:
  ///   - blocks: the values as `source` stores them.
  ///   - count: values, whole blocks of both types.
  ///   - output: ``rowByteCount(columns:)`` bytes of `count`, overwritten. What is not finite counts as 0.
  /// - Throws: ``ComputeError/notQuantizable(_:)`` or ``ComputeError/badShape(type:rows:columns:)``.
  package func encode(
    _ blocks: UnsafeRawPointer, of source: TensorType, count: Int, into output: UnsafeMutableRawPointer,
    pool: WorkerPool
  ) throws(ComputeError) {
    guard isQuantizable else { throw .notQuantizable(self) }
    guard source.isMultipliable else { throw .notQuantizable(source) }
    guard rowByteCount(columns: count) != nil, source.rowByteCount(columns: count) != nil else {
      throw .badShape(type: self, rows: 1, columns: count)
    }
    // A multiple of every block's size, and few enough values to stay in a core's own cache.
    pool.run(count, grain: 16_384) { range in
      withUnsafeTemporaryAllocation(of: Float.self, capacity: range.count) { values in
        guard let values = values.baseAddress else { return }
        source.dequantize(
          blocks + range.lowerBound / source.blockSize * source.bytesPerBlock, count: range.count, into: values)
        ck_quantize(
          Int32(rawValue), values, Int64(range.count), output + range.lowerBound / blockSize * bytesPerBlock)
      }
    }
  }
}
