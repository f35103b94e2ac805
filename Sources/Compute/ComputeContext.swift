import CKernels
import Glibc
import Threading

/// Threads, instructions and scratch memory for one engine's arithmetic.
///
/// Its multiplications are called by one thread at a time: the scratch memory is shared among them.
public final class ComputeContext: @unchecked Sendable {
  /// The threads that share the work.
  public let pool: WorkerPool
  /// The instructions the kernels use.
  public let instructionSet: InstructionSet

  /// Multiply-adds of the convolutions, linear layers and attention of pictures so far, for measurements.
  public internal(set) var multiplyAddCount = 0

  private var scratch: AlignedBuffer<UInt8>?
  /// By the bytes of weights that a list of products reads.
  private var trials: [Int: FetchTrial] = [:]

  /// Uses a pool and an instruction set; by default all usable cores and the best instructions.
  public init(pool: WorkerPool = WorkerPool(), instructionSet: InstructionSet = .best) {
    precondition(InstructionSet.available.contains(instructionSet), "instructions that this machine has")
    self.pool = pool
    self.instructionSet = instructionSet
  }

  /// Uses a number of threads, or all usable cores for nil, and the best instructions.
  public convenience init(threadCount: Int?) {
    self.init(pool: threadCount.map { WorkerPool(threadCount: $0) } ?? WorkerPool())
  }

  /// One product of a list: every weight row with every activation.
  public struct Product {
    /// The weights, `(rows, columns)`.
    public let matrix: QuantizedMatrix
    /// `(count, columns)`; products that name the same input share its 8-bit form.
    public let input: UnsafePointer<Float>
    /// Activations, one a token.
    public let count: Int
    /// `(count, rows)` with `outputStride` floats from one token to the next.
    public let output: UnsafeMutablePointer<Float>
    /// Floats from one token's results to the next; at least `matrix.rows`.
    public let outputStride: Int
    /// `(rows,)`, added to every token's results; or nil.
    public let bias: UnsafePointer<Float>?
    /// What then becomes of each value, or nil.
    public let activation: Activation?

    /// Describes a product; the stride is the matrix's row count unless given.
    public init(
      _ matrix: QuantizedMatrix, _ input: UnsafePointer<Float>, count: Int = 1,
      into output: UnsafeMutablePointer<Float>, outputStride: Int? = nil, bias: UnsafePointer<Float>? = nil,
      activation: Activation? = nil
    ) {
      self.matrix = matrix
      self.input = input
      self.count = count
      self.output = output
      self.outputStride = outputStride ?? matrix.rows
      self.bias = bias
      self.activation = activation
      precondition(count >= 0 && self.outputStride >= matrix.rows, "outputs do not overlap")
    }
  }

  /// Multiplies one matrix; see ``multiply(_:)-([Product])``.
  public func multiply(
    _ matrix: QuantizedMatrix, _ input: UnsafePointer<Float>, count: Int = 1,
    into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    try multiply([Product(matrix, input, count: count, into: output)])
  }

  /// How finely activations are rounded for quantized weights.
  public enum Precision: Sendable {
    /// To 8 bits.
    case usual
    /// To 16 bits, at twice the cost: below the rounding of any weights.
    case fine
  }

  /// Computes independent products in one pass over the pool.
  ///
  /// A result depends on its weights and its activation alone: not on the thread count, nor on the other tokens.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)`` where the scratch memory cannot grow.
  public func multiply(_ products: [Product], precision: Precision = .usual) throws(ComputeError) {
    for product in products { try product.matrix.prepareAgain(for: self) }
    let parts = ProductParts(products, try quantizeInputs(products, precision), scratch, instructionSet)
    if parts.areRepeatable {
      runRepeatable(parts)
    } else {
      pool.run(parts.count) { parts.run($0) }
    }
  }

  private func runRepeatable(_ parts: ProductParts) {
    guard parts.count > 0 else { return }
    let trial = trials[parts.byteCount, default: FetchTrial()]
    if let choice = trial.fetchesAhead {
      parts.fetchAhead(choice)
      pool.run(parts.count, repeatable: parts)
    } else if parts.areLaidOut {
      parts.fetchAhead(trial.next)
      let time = ContinuousClock().measure { pool.run(parts.count, repeatable: parts) }
      trials[parts.byteCount, default: FetchTrial()].record(time / .seconds(1))
    } else {
      pool.run(parts.count, repeatable: parts)
    }
  }

  /// The inputs as the kernels see them; quantized matrices that share an input share its integer form.
  private func quantizeInputs(
    _ products: [Product], _ precision: Precision
  ) throws(ComputeError) -> [ck_activations] {
    var inputs = products.map { product in
      var input = ck_activations()
      input.columns = Int64(product.matrix.columns)
      input.count = Int64(product.count)
      input.stride = Int64(product.count)
      input.x = product.input
      return input
    }
    var owners: [Int] = []
    var chunkCount = 0
    for (index, product) in products.enumerated() where product.matrix.type.isQuantized {
      let isShared = owners.contains {
        products[$0].input == product.input && inputs[$0].columns == inputs[index].columns
      }
      if isShared { continue }
      // Products of one input may ask for different counts; the form is made for the most.
      for other in products where other.input == product.input && other.matrix.columns == product.matrix.columns {
        inputs[index].stride = max(inputs[index].stride, Int64(other.count))
      }
      owners.append(index)
      chunkCount += Int(inputs[index].stride) * ((product.matrix.columns + 255) / 256)
    }
    guard chunkCount > 0 else { return inputs }
    let chunkBytes =
      precision == .fine ? MemoryLayout<ck_fine_chunk>.stride : MemoryLayout<ck_activation_chunk>.stride
    var next = UnsafeMutableRawPointer(try scratch(byteCount: chunkCount * chunkBytes))
    for owner in owners {
      switch precision {
      case .usual: inputs[owner].chunks = next.assumingMemoryBound(to: ck_activation_chunk.self)
      case .fine: inputs[owner].fine = next.assumingMemoryBound(to: ck_fine_chunk.self)
      }
      next += Int(inputs[owner].stride) * ((products[owner].matrix.columns + 255) / 256) * chunkBytes
      quantize(inputs[owner])
    }
    for (index, product) in products.enumerated() where product.matrix.type.isQuantized {
      for owner in owners
      where products[owner].input == product.input && inputs[owner].columns == inputs[index].columns {
        inputs[index].chunks = inputs[owner].chunks
        inputs[index].fine = inputs[owner].fine
        inputs[index].stride = inputs[owner].stride
      }
    }
    return inputs
  }

  private func quantize(_ input: ck_activations) {
    let (set, count) = (instructionSet.rawValue, Int(input.stride))
    if count * Int(input.columns) < 1 << 14 {
      withUnsafePointer(to: input) { ck_quantize_activations(set, $0, 0, Int64(count)) }
    } else {
      pool.run(count, grain: 4) { range in
        withUnsafePointer(to: input) {
          ck_quantize_activations(set, $0, Int64(range.lowerBound), Int64(range.count))
        }
      }
    }
  }

  /// Gives the scratch memory back to the system.
  public func releaseScratch() { scratch = nil }

  /// Scratch memory that only grows until it is released.
  func scratch(byteCount: Int) throws(ComputeError) -> UnsafeMutablePointer<UInt8> {
    if let scratch, scratch.count >= byteCount { return scratch.base }
    scratch = nil
    let grown = try AlignedBuffer<UInt8>(count: byteCount + byteCount / 2)
    scratch = grown
    return grown.base
  }
}
