import CKernels
import Threading

extension TensorType {
  /// Indicates whether ``quantize(_:rows:columns:into:pool:)`` can write this type.
  package var isQuantizable: Bool { ck_can_quantize(Int32(rawValue)) != 0 }

  /// Quantizes a matrix to stored blocks; the same values give the same bytes at any thread count.
  /// - Parameters:
  ///   - values: `(rows, columns)`; NaN and infinities count as 0.
  ///   - output: ``byteCount(rows:columns:)`` bytes, overwritten.
  /// - Throws: ``ComputeError/notQuantizable(_:)`` or ``ComputeError/badShape(type:rows:columns:)``.
  package func quantize(
    _ values: UnsafePointer<Float>, rows: Int, columns: Int, into output: UnsafeMutableRawPointer, pool: WorkerPool
  ) throws(ComputeError) {
    guard isQuantizable else { throw .notQuantizable(self) }
    guard let rowBytes = rowByteCount(columns: columns), byteCount(rows: rows, columns: columns) != nil else {
      throw .badShape(type: self, rows: rows, columns: columns)
    }
    pool.run(rows) { row in
      ck_quantize(Int32(rawValue), values + row * columns, Int64(columns), output + row * rowBytes)
    }
  }
}
