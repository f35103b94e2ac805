import CKernels
import Glibc
import Threading

/// A list of products, cut into parts for the threads.
///
/// Those of one token or a few are idempotent: beside weights that are read from memory, keeping a part's results apart
/// costs nothing. So are those that are gated, whose results are kept apart for that.
final class ProductParts: IdempotentWork, @unchecked Sendable {
  let count: Int
  var areIdempotent: Bool { isSmallBatch || isGated }
  /// Whether the weights are read from memory faster than multiplied.
  let isSmallBatch: Bool
  /// Tokens of each product, where all have as many: more take longer for the same bytes.
  let tokenCount: Int?
  let resultByteCount: Int
  /// Of all weights.
  let byteCount: Int
  let multiplyAddCount: Int
  /// Whether the weights are in the form that their next products find too.
  let areLaidOut: Bool
  /// Whether the weights are read once as they lie in their file, before they are laid out.
  let canCopyFromFile: Bool

  /// Where each thread will probably begin to read in the list after this one, if that is known; not changed while this runs.
  var next: PrefetchPredictor.Starts?

  /// What the products become; nil where they are stored as they are.
  struct Gating {
    /// Of two, gates and factors; nil for one.
    let gate: Gate?
    /// The weights that the output is multiplied with.
    let type: TensorType
    /// `(rows / 256 rounded up, tokens)`, on a 64-byte boundary: the input of the product that follows.
    let output: UnsafeMutablePointer<ck_activation_chunk>
    /// What that lies in.
    let memory: AlignedBuffer<UInt8>
  }

  // Taken apart, so that what keeps the output alive is not counted part by part, by all threads in turn.
  private let gate: Gate?
  private let gatedType: Int32
  private let gatedOutput: UnsafeMutablePointer<ck_activation_chunk>?
  private var isGated: Bool { gatedOutput != nil }
  private let instructionSet: InstructionSet
  /// In plain memory, so that the threads have no references to count.
  private let jobs: UnsafeMutableBufferPointer<ProductJob>
  /// Inputs that are multiplied as they came.
  private let inputs: UnsafeMutableBufferPointer<Float>
  /// What the jobs point to.
  private let kept: ([ComputeContext.Product], AlignedBuffer<UInt8>?, Gating?)

  /// Tokens up to which weights are read from memory faster than multiplied.
  static let smallBatchTokens = 16

  /// - Parameters:
  ///   - activations: the input of each product.
  ///   - scratch: what the forms made of them lie in.
  ///   - gating: what becomes of one product or two with as many rows, a multiple of 32, and as many tokens; of more than a
  ///     few only where their inputs are integers too.
  ///   - threadCount: how many threads share the parts.
  init(
    _ products: [ComputeContext.Product], _ activations: [ck_activations], _ scratch: AlignedBuffer<UInt8>?,
    gating: Gating? = nil, threadCount: Int, _ instructionSet: InstructionSet
  ) {
    gate = gating?.gate
    gatedType = Int32(gating?.type.rawValue ?? 0)
    gatedOutput = gating?.output
    isSmallBatch = products.allSatisfy { $0.count <= Self.smallBatchTokens }
    // What lies in scratch memory stays as it is until the last part is done; what the caller gave may not.
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
    // What is gated is computed together.
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

  /// How far ahead of use a few tokens' weights are asked for; at first they are not.
  func setPrefetchDistance(_ distance: PrefetchTrial.Distance) {
    for index in jobs.indices {
      jobs[index].matrix.prefetch_far = distance.far
      jobs[index].matrix.prefetch_near = distance.near
      jobs[index].matrix.prefetches_to_l1 = distance.cache == .l1 ? 1 : 0
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
    return job.weights(from: job.rows(part).lowerBound, atMost: Self.prefetchByteCount)
  }

  /// Well below a core's second cache, which holds other things too.
  private static let prefetchByteCount = 256 << 10

  func prefetchRange(forThread thread: Int) -> UnsafeRawBufferPointer? { next?.weights[thread] }

  /// Computes a part straight to where it belongs.
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

  /// What is let through of some rows; where there are factors, they come after it.
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
