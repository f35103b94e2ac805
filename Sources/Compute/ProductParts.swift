import CKernels
import Glibc
import Threading

/// A list of products, cut into parts for the threads.
///
/// Those of one token or a few are repeatable: beside weights that are read from memory, keeping a part's results apart
/// costs nothing.
final class ProductParts: RepeatableWork, @unchecked Sendable {
  let count: Int
  let areRepeatable: Bool
  /// Tokens of each product, where all have as many: more take longer for the same bytes.
  let tokenCount: Int?
  let resultByteCount: Int
  /// Of all weights.
  let byteCount: Int
  /// Whether the weights are in the form that their next products find too.
  let areLaidOut: Bool
  /// Whether the weights are read once as they lie in their file, before they are laid out.
  let passByInFile: Bool

  /// Where each thread will probably begin to read in the list after this one, if that is known; not changed while this runs.
  var next: ReadingOrder.Starts?

  private let instructionSet: InstructionSet
  /// In plain memory, so that the threads have no references to count.
  private let jobs: UnsafeMutableBufferPointer<Job>
  /// Inputs that are multiplied as they came.
  private let inputs: UnsafeMutableBufferPointer<Float>
  /// What the jobs point to.
  private let kept: [AnyObject]

  /// Tokens up to which weights are read from memory faster than multiplied.
  static let fewTokens = 16

  /// - Parameters:
  ///   - activations: the input of each product.
  ///   - scratch: what the forms made of them lie in.
  ///   - threadCount: how many threads share the parts.
  init(
    _ products: [ComputeContext.Product], _ activations: [ck_activations], _ scratch: AnyObject?,
    threadCount: Int, _ instructionSet: InstructionSet
  ) {
    let isRepeatable = products.allSatisfy { $0.count <= Self.fewTokens }
    // What lies in scratch memory stays as it is until the last part is done; what the caller gave may not.
    let copied = zip(products, activations).filter { isRepeatable && InputForm.isPlain($0.1) }
    inputs = .allocate(capacity: copied.reduce(0) { $0 + $1.0.count * $1.0.matrix.columns })
    jobs = .allocate(capacity: products.count)
    kept = products.map(\.matrix) + [scratch].compactMap(\.self)
    areRepeatable = isRepeatable
    let first = products.first?.count
    tokenCount = products.allSatisfy { $0.count == first } ? first : nil
    byteCount = products.reduce(0) { $0 + $1.matrix.byteCount }
    self.instructionSet = instructionSet
    let partByteCount = min(max(byteCount / (16 * threadCount), 128 << 10), 512 << 10)
    var (partCount, most, inputCount) = (0, 0, 0)
    for (index, product) in products.enumerated() {
      var input = activations[index]
      if isRepeatable, InputForm.isPlain(input), let start = inputs.baseAddress {
        let copy = start + inputCount
        copy.initialize(from: product.input, count: product.count * product.matrix.columns)
        inputCount += product.count * product.matrix.columns
        input.x = UnsafePointer(copy)
      }
      let job = Job(product, input, firstPart: partCount, partByteCount: partByteCount)
      jobs.initializeElement(at: index, to: job)
      partCount += job.partCount
      most = max(most, job.grain * product.count)
    }
    count = partCount
    areLaidOut = products.allSatisfy { $0.matrix.isLaidOut }
    passByInFile = jobs.allSatisfy { $0.file >= 0 }
    resultByteCount = most * MemoryLayout<Float>.stride
  }

  deinit {
    jobs.deallocate()
    inputs.deallocate()
  }

  /// How far ahead of use a few tokens' weights are asked for; at first they are not.
  func fetch(_ distance: FetchTrial.Distance) {
    for index in jobs.indices {
      jobs[index].matrix.fetch_ahead = distance.ahead
      jobs[index].matrix.fetch_soon = distance.soon
    }
  }

  /// Whether weights that the next product lays out anew are copied out of their file; not at first.
  func copyFromFile(_ copies: Bool) {
    for index in jobs.indices { jobs[index].copiesFromFile = copies }
  }

  /// Where the weights begin: as good as a name.
  var address: UInt { UInt(bitPattern: jobs.first?.matrix.data) }

  /// The weights from a part on, as much of them as a thread asks for while it waits.
  func weights(from part: Int) -> UnsafeRawBufferPointer {
    let job = jobOf(part)
    return job.weights(from: job.rows(part).lowerBound, atMost: Self.lookahead)
  }

  /// Well below a core's second cache, which holds other things too.
  private static let lookahead = 256 << 10

  func readNext(by thread: Int) -> UnsafeRawBufferPointer? { next?.weights[thread] }

  /// Computes a part straight to where it belongs.
  func run(_ part: Int) {
    var job = jobOf(part)
    let rows = job.rows(part)
    job.multiply(rows, into: job.output, stride: job.outputStride, instructionSet)
    job.finish(rows, instructionSet)
  }

  func compute(_ part: Int, into result: UnsafeMutableRawPointer) {
    var job = jobOf(part)
    let rows = job.rows(part)
    // The kernels go by the row's number.
    let start = result.assumingMemoryBound(to: Float.self) - rows.lowerBound
    job.multiply(rows, into: start, stride: rows.count, instructionSet)
  }

  func deliver(_ part: Int, from result: UnsafeRawPointer) {
    let job = jobOf(part)
    let rows = job.rows(part)
    let start = result.assumingMemoryBound(to: Float.self)
    for token in 0..<Int(job.input.count) {
      (job.output + token * job.outputStride + rows.lowerBound).update(
        from: start + token * rows.count, count: rows.count)
    }
    job.finish(rows, instructionSet)
  }

  private func jobOf(_ part: Int) -> Job {
    var index = jobs.count - 1
    while jobs[index].firstPart > part { index -= 1 }
    return jobs[index]
  }

  /// A product as the kernels see it; its rows go out in parts.
  private struct Job {
    var matrix: ck_matrix
    var input: ck_activations
    let ending: ck_finish
    let output: UnsafeMutablePointer<Float>
    let outputStride: Int
    let rowCount: Int
    /// Rows of a part: few enough that a thread that loses its core holds up little.
    let grain: Int
    let firstPart: Int
    /// Where the weights lie in a file, if copying them out may be the way to read them; else -1.
    let file: Int32
    let fileOffset: Int
    var copiesFromFile = false

    init(_ product: ComputeContext.Product, _ input: ck_activations, firstPart: Int, partByteCount: Int) {
      matrix = product.matrix.kernelMatrix
      self.input = input
      ending = ck_finish(bias: product.bias, activation: product.activation?.rawValue ?? -1)
      (output, outputStride) = (product.output, product.outputStride)
      rowCount = product.count > 0 ? product.matrix.rows : 0
      // For many tokens what a set multiplies at a time; for one the more the longer it takes, for from part to part the
      // stream of weights falters.
      let many = product.matrix.type.isQuantized ? 32 : 64
      let one = max(1, partByteCount / max(1, product.matrix.rowByteCount) / 32) * 32
      let rows = product.count > ProductParts.fewTokens ? many : one
      grain = min(rows, 1024)
      self.firstPart = firstPart
      let place = product.count == 1 ? product.matrix.passingPlace : nil
      (file, fileOffset) = (place?.file.descriptor ?? -1, place?.offset ?? 0)
    }

    var partCount: Int { (rowCount + grain - 1) / grain }

    func rows(_ part: Int) -> Range<Int> {
      let first = (part - firstPart) * grain
      return first..<min(first + grain, rowCount)
    }

    /// - Parameter row: a multiple of 32.
    func weights(from row: Int, atMost limit: Int) -> UnsafeRawBufferPointer {
      let group = Int(ck_packed_group_bytes(matrix.type, matrix.columns))
      let isPacked = matrix.is_packed != 0
      let offset = isPacked ? row / 16 * group : row * Int(matrix.row_bytes)
      let end = isPacked ? (rowCount + 15) / 16 * group : rowCount * Int(matrix.row_bytes)
      return UnsafeRawBufferPointer(start: matrix.data + offset, count: min(limit, end - offset))
    }

    /// - Parameter output: where the result of the first token's row 0 goes, or would go.
    mutating func multiply(
      _ rows: Range<Int>, into output: UnsafeMutablePointer<Float>, stride: Int, _ instructionSet: InstructionSet
    ) {
      if copiesFromFile, file >= 0, multiplyFromFile(rows, into: output, instructionSet) { return }
      ck_multiply(
        instructionSet.rawValue, &matrix, Int64(rows.lowerBound), Int64(rows.count), &input, output, Int64(stride))
    }

    /// Copies a few rows at a time out of the file; see ``ReadingTrial``.
    /// - Returns: false where they could not be read.
    private mutating func multiplyFromFile(
      _ rows: Range<Int>, into output: UnsafeMutablePointer<Float>, _ instructionSet: InstructionSet
    ) -> Bool {
      let rowBytes = Int(matrix.row_bytes)
      return withUnsafeTemporaryAllocation(byteCount: 16 * rowBytes, alignment: 64) { room in
        for row in stride(from: rows.lowerBound, to: rows.upperBound, by: 16) {
          let count = min(16, rows.upperBound - row)
          let offset = off_t(fileOffset + row * rowBytes)
          guard pread(file, room.baseAddress, count * rowBytes, offset) == count * rowBytes else { return false }
          var some = matrix
          some.data = UnsafePointer(room.baseAddress?.assumingMemoryBound(to: UInt8.self))
          some.rows = Int64(count)
          ck_multiply(instructionSet.rawValue, &some, 0, Int64(count), &input, output + row, 0)
        }
        return true
      }
    }

    /// Adds the bias to finished sums and applies the activation.
    func finish(_ rows: Range<Int>, _ instructionSet: InstructionSet) {
      withUnsafePointer(to: ending) {
        ck_finish_rows(
          instructionSet.rawValue, $0, Int64(rows.lowerBound), Int64(rows.count), input.count, output,
          Int64(outputStride))
      }
    }
  }
}
