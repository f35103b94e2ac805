import CKernels
import Glibc
import Threading

/// A list of products, divided into parts for the threads.
///
/// Products of a small batch are idempotent work: compared with weights read from memory, a separate buffer for a
/// part's results costs nothing. So are gated products, whose results need a buffer anyway.
final class ProductParts: IdempotentWork, @unchecked Sendable {
  let count: Int
  var areIdempotent: Bool { isSmallBatch || isGated }
  /// Indicates whether all products have so few tokens that reading the weights takes longer than multiplying.
  let isSmallBatch: Bool
  /// Number of tokens of each product; nil where they differ.
  let tokenCount: Int?
  let resultByteCount: Int
  /// Bytes of all weights.
  let byteCount: Int
  let multiplyAddCount: Int
  /// Indicates whether all weights are in their final form; see ``QuantizedMatrix/isLaidOut``.
  let areLaidOut: Bool
  /// Indicates whether the weights are read once from their file, before they are packed.
  let canCopyFromFile: Bool

  /// Predicted first reads of each thread in the next list, if known; not changed while this list runs.
  var next: PrefetchPredictor.Starts?

  /// Gated activation and quantization of the results.
  struct Gating {
    /// Gated activation of two products; nil for one product.
    let gate: Gate?
    /// Type of the weights that the output is multiplied with.
    let type: TensorType
    /// Quantized input of the following product: `(rows / 256 rounded up, tokens)`, on a 64-byte boundary.
    let output: UnsafeMutablePointer<ck_activation_chunk>
    /// Owner of the output.
    let memory: AlignedBuffer<UInt8>
  }

  // Apart from `Gating`, so that the threads do not contend for the reference count of its memory in every part.
  private let gate: Gate?
  private let gatedType: Int32
  private let gatedOutput: UnsafeMutablePointer<ck_activation_chunk>?
  private var isGated: Bool { gatedOutput != nil }
  private let instructionSet: InstructionSet
  /// In plain memory, so that the threads count no references.
  private let jobs: UnsafeMutableBufferPointer<ProductJob>
  /// Copies of inputs that are multiplied as given.
  private let inputs: UnsafeMutableBufferPointer<Float>
  /// Owners of the memory that the jobs point to.
  private let kept: ([ComputeContext.Product], AlignedBuffer<UInt8>?, Gating?)

  /// Largest number of tokens of a small batch, for which reading the weights takes longer than multiplying.
  static let smallBatchTokens = 16

  /// Divides products into parts.
  /// - Parameters:
  ///   - activations: input of each product.
  ///   - scratch: owner of the quantized inputs.
  ///   - gating: gated activation of one product, or of two with the same rows, a multiple of 32, and the same tokens.
  ///     Above ``smallBatchTokens`` the inputs must be 8-bit integers too.
  ///   - threadCount: number of threads that share the parts.
  init(
    _ products: [ComputeContext.Product], _ activations: [ck_activations], _ scratch: AlignedBuffer<UInt8>?,
    gating: Gating? = nil, threadCount: Int, _ instructionSet: InstructionSet
  ) {
    gate = gating?.gate
    gatedType = Int32(gating?.type.rawValue ?? 0)
    gatedOutput = gating?.output
    isSmallBatch = products.allSatisfy { $0.count <= Self.smallBatchTokens }
    // Scratch memory is not overwritten while a late thread may read it; the caller's memory may be.
    var copied = 0
    for (index, product) in products.enumerated() where isSmallBatch && InputForm.isPlain(activations[index]) {
      copied += product.count * product.matrix.columns
    }
    inputs = .allocate(capacity: copied)
    jobs = .allocate(capacity: products.count)
    kept = (products, scratch, gating)
    let first = products.first?.count
    tokenCount = products.allSatisfy { $0.count == first } ? first : nil
    byteCount = products.reduce(0) { $0 + $1.matrix.byteCount }
    multiplyAddCount = products.reduce(0) { $0 + $1.matrix.rows * $1.matrix.columns * $1.count }
    self.instructionSet = instructionSet
    // Parts of gated products are computed together.
    let together = gating == nil ? 1 : products.count
    let partByteCount = min(max(byteCount / (16 * threadCount), 128 << 10), 512 << 10) / together
    var (partCount, most, inputCount) = (0, 0, 0)
    for (index, product) in products.enumerated() {
      var input = activations[index]
      if isSmallBatch, InputForm.isPlain(input), let start = inputs.baseAddress {
        let copy = start + inputCount
        copy.initialize(from: product.input, count: product.count * product.matrix.columns)
        inputCount += product.count * product.matrix.columns
        input.x = UnsafePointer(copy)
      }
      let job = ProductJob(
        product, input, firstPart: gating == nil ? partCount : 0, isGated: gating != nil,
        partByteCount: partByteCount, threadCount: threadCount)
      jobs.initializeElement(at: index, to: job)
      partCount = job.firstPart + job.partCount
      most = max(most, job.mostRowsOfPart * product.count)
    }
    count = gating == nil ? partCount : jobs.first?.partCount ?? 0
    areLaidOut = products.allSatisfy { $0.matrix.isLaidOut }
    canCopyFromFile = jobs.allSatisfy { $0.file >= 0 }
    resultByteCount = most * MemoryLayout<Float>.stride * together
  }

  deinit {
    jobs.deallocate()
    inputs.deallocate()
  }

  /// Sets the prefetch distance of the weights; before the first call nothing is prefetched.
  func setPrefetchDistance(_ distance: PrefetchTrial.Distance) {
    for index in jobs.indices {
      jobs[index].matrix.prefetch_far = distance.far
      jobs[index].matrix.prefetch_near = distance.near
      jobs[index].matrix.prefetches_to_l1 = distance.cache == .l1 ? 1 : 0
    }
  }

  /// Sets whether weights still to be packed are copied out of their file; before the first call they are not.
  func copyFromFile(_ copies: Bool) {
    for index in jobs.indices { jobs[index].copiesFromFile = copies }
  }

  /// Address of the weights, as the identity of the list.
  var address: UInt { UInt(bitPattern: jobs.first?.matrix.data) }

  /// Returns the first weights of a part, as many as a waiting thread prefetches.
  func weights(from part: Int) -> UnsafeRawBufferPointer {
    let job = jobOf(part)
    return job.weights(from: job.rows(part).lowerBound, atMost: Self.prefetchByteCount)
  }

  /// Number of bytes that a waiting thread prefetches: well below the size of an L2 cache, which holds other data too.
  private static let prefetchByteCount = 256 << 10

  func prefetchRange(forThread thread: Int) -> UnsafeRawBufferPointer? { next?.weights[thread] }

  /// Computes a part directly into the outputs.
  func run(_ part: Int) {
    var job = jobOf(part)
    let rows = job.rows(part)
    job.multiply(rows, instructionSet)
  }

  func compute(_ part: Int, into result: UnsafeMutableRawPointer) {
    if isGated { return computeGated(part, into: result) }
    var job = jobOf(part)
    let rows = job.rows(part)
    job.multiply(rows, into: result.assumingMemoryBound(to: Float.self), instructionSet)
  }

  /// Computes the gated activation of the rows of a part; the up projection lies behind it in `result`.
  private func computeGated(_ part: Int, into result: UnsafeMutableRawPointer) {
    let rows = jobs[0].rows(part), tokens = Int(jobs[0].input.count)
    let values = result.assumingMemoryBound(to: Float.self)
    for index in jobs.indices {
      var job = jobs[index]
      job.multiply(rows, into: values + index * tokens * rows.count, instructionSet)
    }
    let count = tokens * rows.count
    if let gate { instructionSet.gate(gate, values, values + count, count: count, into: values) }
  }

  func deliver(_ part: Int, from result: UnsafeRawPointer) {
    let job = jobOf(part)
    let rows = job.rows(part)
    let start = result.assumingMemoryBound(to: Float.self)
    if let gatedOutput {
      return ck_quantize_columns(
        instructionSet.rawValue, gatedType, start, Int64(rows.count), job.input.count, Int64(rows.lowerBound),
        gatedOutput)
    }
    for token in 0..<Int(job.input.count) {
      (job.output.start + token * Int(job.output.stride) + rows.lowerBound).update(
        from: start + token * rows.count, count: rows.count)
    }
  }

  private func jobOf(_ part: Int) -> ProductJob {
    var index = isGated ? 0 : jobs.count - 1
    while jobs[index].firstPart > part { index -= 1 }
    return jobs[index]
  }
}
