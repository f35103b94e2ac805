import CKernels
import Glibc

/// One matrix product as the kernels see it, whose rows are divided into parts.
struct ProductJob {
  var matrix: ck_matrix
  var input: ck_activations
  let output: ck_output
  let firstPart: Int
  /// Number of parts: enough that a preempted thread stalls few rows.
  let partCount: Int
  private let rowCount: Int
  /// Descriptor of the file that holds the weights, if copying them with `pread` may be the faster way; else -1.
  let file: Int32
  /// Offset of the weights in the file.
  let fileOffset: Int
  /// Indicates whether weights are copied out of the file instead of read through its mapping.
  var copiesFromFile = false

  /// Number of rows that the kernels multiply together.
  private static let rowsTogether = 32
  /// Largest number of rows in a part.
  private static let mostRows = 1024

  /// Divides a product into parts.
  /// - Parameters:
  ///   - isGated: whether results are gated and quantized; those of 64 rows fill whole cache lines then.
  ///   - partByteCount: approximate bytes of weights in a part, for one token or a small batch.
  ///   - threadCount: number of threads that share the parts.
  init(
    _ product: ComputeContext.Product, _ input: ck_activations, firstPart: Int, isGated: Bool, partByteCount: Int,
    threadCount: Int
  ) {
    matrix = product.matrix.kernelMatrix
    self.input = input
    output = ck_output(
      start: product.output, stride: Int64(product.outputStride),
      bias: product.bias.map { UnsafePointer($0.base) },
      activation: product.activation?.rawValue ?? -1)
    rowCount = product.count > 0 ? product.matrix.rows : 0
    self.firstPart = firstPart
    if product.count > ProductParts.smallBatchTokens {
      // Rows that a set multiplies at a time.
      let rows = product.matrix.type.isQuantized && !isGated ? Self.rowsTogether : 2 * Self.rowsTogether
      partCount = (rowCount + rows - 1) / rows
    } else {
      // Large parts, for the stream of weights stalls between parts; the same number of parts for every thread, and all
      // of the same size, for the last one is waited for.
      let groups = Self.groupCount(rowCount)
      let wanted = (rowCount * product.matrix.rowByteCount + partByteCount / 2) / max(1, partByteCount)
      let least = (groups * Self.rowsTogether + Self.mostRows - 1) / Self.mostRows
      let count = max(wanted, least, 1)
      partCount = min(groups, count > threadCount ? (count + threadCount - 1) / threadCount * threadCount : count)
    }
    let place = product.count == 1 ? product.matrix.placeInFile : nil
    (file, fileOffset) = (place?.file.descriptor ?? -1, place?.offset ?? 0)
  }

  private static func groupCount(_ rows: Int) -> Int { (rows + rowsTogether - 1) / rowsTogether }

  /// Number of rows in the largest part.
  var mostRowsOfPart: Int {
    partCount == 0 ? 0 : (Self.groupCount(rowCount) + partCount - 1) / partCount * Self.rowsTogether
  }

  /// Returns the rows of a part.
  func rows(_ part: Int) -> Range<Int> {
    let (groups, index) = (Self.groupCount(rowCount), part - firstPart)
    let (first, end) = (groups * index / partCount, groups * (index + 1) / partCount)
    return first * Self.rowsTogether..<min(end * Self.rowsTogether, rowCount)
  }

  /// Returns the weights from a row on, at most `limit` bytes.
  /// - Parameter row: a multiple of 32.
  func weights(from row: Int, atMost limit: Int) -> UnsafeRawBufferPointer {
    let group = Int(ck_packed_group_bytes(matrix.type, matrix.columns))
    let isPacked = matrix.is_packed != 0
    let offset = isPacked ? row / 16 * group : row * Int(matrix.row_bytes)
    let end = isPacked ? (rowCount + 15) / 16 * group : rowCount * Int(matrix.row_bytes)
    return UnsafeRawBufferPointer(start: matrix.data + offset, count: min(limit, end - offset))
  }

  /// Multiplies rows into the output, or into `place` as `(tokens, rows)`.
  mutating func multiply(
    _ rows: Range<Int>, into place: UnsafeMutablePointer<Float>? = nil, _ instructionSet: InstructionSet
  ) {
    var output = output
    if let place {
      // The kernels index the output by row.
      output.start = place - rows.lowerBound
      output.stride = Int64(rows.count)
    }
    if copiesFromFile, file >= 0, multiplyFromFile(rows, into: output, instructionSet) { return }
    ck_multiply(instructionSet.rawValue, &matrix, Int64(rows.lowerBound), Int64(rows.count), &input, &output)
  }

  /// Multiplies rows copied out of the file, a few at a time; see ``FileReadTrial``.
  /// - Returns: false where they could not be read.
  private mutating func multiplyFromFile(
    _ rows: Range<Int>, into output: ck_output, _ instructionSet: InstructionSet
  ) -> Bool {
    let rowBytes = Int(matrix.row_bytes)
    // As many rows as fit the L2 cache next to other data: each call has its price.
    let together = max(16, (128 << 10) / rowBytes / 32 * 32)
    return withUnsafeTemporaryAllocation(byteCount: together * rowBytes, alignment: 64) { copy in
      for row in stride(from: rows.lowerBound, to: rows.upperBound, by: together) {
        let count = min(together, rows.upperBound - row)
        let offset = off_t(fileOffset + row * rowBytes)
        guard pread(file, copy.baseAddress, count * rowBytes, offset) == count * rowBytes else { return false }
        var some = matrix
        some.data = UnsafePointer(copy.baseAddress?.assumingMemoryBound(to: UInt8.self))
        some.rows = Int64(count)
        var place = output
        place.start += row
        place.bias = output.bias.map { $0 + row }
        ck_multiply(instructionSet.rawValue, &some, 0, Int64(count), &input, &place)
      }
      return true
    }
  }
}
