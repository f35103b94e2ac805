import CKernels
import Threading

extension TensorType {
  /// Requantizes stored values of another type to blocks of this one; the same values give the same bytes at any thread
  /// count.
  /// - Parameters:
  ///   - blocks: `count` values as `source` stores them.
  ///   - count: number of values, whole blocks of both types.
  ///   - output: ``rowByteCount(columns:)`` bytes of `count`, overwritten. NaN and infinities count as 0.
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
    // A multiple of every block size, and few enough values to stay in the L2 cache.
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
