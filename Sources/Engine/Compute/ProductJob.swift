import CKernels
import Glibc

/// A product as the kernels see it; its rows go out in parts.
struct ProductJob {
  var matrix: ck_matrix
  var input: ck_activations
  let output: ck_output
  let firstPart: Int
  /// Few enough rows in each that a thread that loses its core holds up little.
  let partCount: Int
  private let rowCount: Int
  /// Where the weights lie in a file, if copying them out may be the way to read them; else -1.
  let file: Int32
  let fileOffset: Int
  var copiesFromFile = false

  /// Rows that the kernels multiply together.
  private static let rowsTogether = 32
  /// Of a part.
  private static let mostRows = 1024

  /// - Parameters:
  ///   - isGated: whether a part's results are gated and rounded; those of 64 rows fill the lines that they go to.
  ///   - partByteCount: about as many weights a part has where one token or a few are multiplied.
  ///   - threadCount: how many threads share the parts.
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
      // What a set multiplies at a time.
      let rows = product.matrix.type.isQuantized && !isGated ? Self.rowsTogether : 2 * Self.rowsTogether
      partCount = (rowCount + rows - 1) / rows
    } else {
      // The more rows the longer they take, for from part to part the stream of weights falters; as many parts for every
      // thread, and all of the same size, for the last one holds up the rest.
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

  /// The most rows that a part has.
  var mostRowsOfPart: Int {
    partCount == 0 ? 0 : (Self.groupCount(rowCount) + partCount - 1) / partCount * Self.rowsTogether
  }

  func rows(_ part: Int) -> Range<Int> {
    let (groups, index) = (Self.groupCount(rowCount), part - firstPart)
    let (first, end) = (groups * index / partCount, groups * (index + 1) / partCount)
    return first * Self.rowsTogether..<min(end * Self.rowsTogether, rowCount)
  }

  /// - Parameter row: a multiple of 32.
  func weights(from row: Int, atMost limit: Int) -> UnsafeRawBufferPointer {
    let group = Int(ck_packed_group_bytes(matrix.type, matrix.columns))
    let isPacked = matrix.is_packed != 0
    let offset = isPacked ? row / 16 * group : row * Int(matrix.row_bytes)
    let end = isPacked ? (rowCount + 15) / 16 * group : rowCount * Int(matrix.row_bytes)
    return UnsafeRawBufferPointer(start: matrix.data + offset, count: min(limit, end - offset))
  }

  /// Multiplies rows to where they belong, or token by token to another place.
  mutating func multiply(
    _ rows: Range<Int>, into place: UnsafeMutablePointer<Float>? = nil, _ instructionSet: InstructionSet
  ) {
    var output = output
    if let place {
      // The kernels go by the row's number.
      output.start = place - rows.lowerBound
      output.stride = Int64(rows.count)
    }
    if copiesFromFile, file >= 0, multiplyFromFile(rows, into: output, instructionSet) { return }
    ck_multiply(instructionSet.rawValue, &matrix, Int64(rows.lowerBound), Int64(rows.count), &input, &output)
  }

  /// Copies a few rows at a time out of the file; see ``FileReadTrial``.
  /// - Returns: false where they could not be read.
  private mutating func multiplyFromFile(
    _ rows: Range<Int>, into output: ck_output, _ instructionSet: InstructionSet
  ) -> Bool {
    let rowBytes = Int(matrix.row_bytes)
    // As many rows as a core's second cache holds beside other things: each call has its price.
    let together = max(16, (128 << 10) / rowBytes / 32 * 32)
    return withUnsafeTemporaryAllocation(byteCount: together * rowBytes, alignment: 64) { room in
      for row in stride(from: rows.lowerBound, to: rows.upperBound, by: together) {
        let count = min(together, rows.upperBound - row)
        let offset = off_t(fileOffset + row * rowBytes)
        guard pread(file, room.baseAddress, count * rowBytes, offset) == count * rowBytes else { return false }
        var some = matrix
        some.data = UnsafePointer(room.baseAddress?.assumingMemoryBound(to: UInt8.self))
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
