import CKernels

/// A matrix of weights as a model file stores it, `(rows, columns)`, row by row in blocks of its type.
public final class QuantizedMatrix: @unchecked Sendable {
  /// How the weights are stored.
  public let type: TensorType
  /// Outputs of a product.
  public let rows: Int
  /// Inputs of a product.
  public let columns: Int
  /// Bytes of one stored row.
  public let rowByteCount: Int

  private let bytes: UnsafeRawBufferPointer
  private let owner: AnyObject?

  /// Sees bytes as a matrix, without copying them.
  /// - Parameters:
  ///   - bytes: at least `rows` stored rows; further bytes are ignored.
  ///   - owner: kept alive as long as the matrix, such as a ``MappedFile``.
  /// - Throws: ``ComputeError/notMultipliable(_:)``, ``ComputeError/badShape(type:rows:columns:)`` or
  ///   ``ComputeError/tooFewBytes(needed:available:)``.
  public init(
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

  /// Sees a 3-D tensor as one matrix for each expert, the experts one after another.
  public static func experts(
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

  /// Decodes one row to F32.
  /// - Parameters:
  ///   - row: below ``rows``.
  ///   - output: `(columns,)`, overwritten.
  public func dequantizeRow(_ row: Int, into output: UnsafeMutablePointer<Float>) {
    precondition(row >= 0 && row < rows, "a row of the matrix")
    guard let base = bytes.baseAddress else { return }
    type.dequantize(base + row * rowByteCount, count: columns, into: output)
  }

  /// The matrix as the kernels see it.
  var kernelMatrix: ck_matrix {
    var matrix = ck_matrix()
    matrix.data = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    matrix.rows = Int64(rows)
    matrix.columns = Int64(columns)
    matrix.row_bytes = Int64(rowByteCount)
    matrix.type = Int32(type.rawValue)
    return matrix
  }
}
