import CKernels
import Glibc
import Threading

/// Threads, instruction set and scratch memory of one engine.
///
/// One thread at a time may call it: all products share the scratch memory.
package final class ComputeContext: @unchecked Sendable {
  /// Threads that share the work.
  package let pool: WorkerPool
  /// Instruction set of the kernels.
  package let instructionSet: InstructionSet

  /// Number of multiply-adds so far, of products and of the layers of picture models, for measurements.
  package internal(set) var multiplyAddCount = 0

  /// Memory of packed weights.
  let weightArena = WeightArena()
  private var scratch: AlignedBuffer<UInt8>?
  /// Gated and quantized activations of a feed-forward network.
  private var gated: AlignedBuffer<UInt8>?
  private var trials: [PrefetchTrial.Work: PrefetchTrial] = [:]
  private var reading = FileReadTrial()
  private var order = PrefetchPredictor()

  /// Makes a context; by default with all usable cores and the best instruction set.
  package init(pool: WorkerPool = WorkerPool(), instructionSet: InstructionSet = .best) {
    precondition(InstructionSet.available.contains(instructionSet), "instructions that this machine has")
    self.pool = pool
    self.instructionSet = instructionSet
  }

  /// Makes a context of `threadCount` threads, or all usable cores for nil, and the best instruction set.
  package convenience init(threadCount: Int?) {
    self.init(pool: threadCount.map { WorkerPool(threadCount: $0) } ?? WorkerPool())
  }

  /// One matrix product of a list: every row of weights with every token.
  package struct Product {
    /// Weights `(rows, columns)`.
    package let matrix: QuantizedMatrix
    /// Input `(count, columns)`; products with the same input share its quantized form.
    package let input: UnsafePointer<Float>
    /// Number of tokens.
    package let count: Int
    /// Output `(count, rows)` with `outputStride` floats from one token to the next.
    package let output: UnsafeMutablePointer<Float>
    /// Floats from one token's results to the next; at least `matrix.rows`.
    package let outputStride: Int
    /// Bias `(rows,)`, added to the results of every token; or nil. A late thread may still read it after the product.
    package let bias: AlignedBuffer<Float>?
    /// Activation applied after the bias, or nil.
    package let activation: Activation?

    /// Describes a product; the output stride is the number of rows unless given.
    package init(
      _ matrix: QuantizedMatrix, _ input: UnsafePointer<Float>, count: Int = 1,
      into output: UnsafeMutablePointer<Float>, outputStride: Int? = nil, bias: AlignedBuffer<Float>? = nil,
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
  package func multiply(
    _ matrix: QuantizedMatrix, _ input: UnsafePointer<Float>, count: Int = 1,
    into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    try multiply([Product(matrix, input, count: count, into: output)])
  }

  /// Rounding of activations.
  package enum Precision: Sendable {
    /// 8-bit integers for quantized weights, BF16 for BF16 weights, F32 for others.
    case usual
    /// 16-bit integers for quantized weights, at twice the cost, which is finer than the rounding of any weights; F32
    /// for others.
    case fine
  }

  /// Computes independent products in one job of the pool.
  ///
  /// A result depends on its row of weights and its token alone: not on the thread count, nor on the other tokens.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)`` where the scratch memory cannot grow.
  package func multiply(_ products: [Product], precision: Precision = .usual) throws(ComputeError) {
    let areInMemory = try prepareWeights(products)
    let parts = ProductParts(
      products, try prepareInputs(products, precision), scratch, threadCount: pool.threadCount, instructionSet)
    run(parts, areInMemory: areInMemory)
  }

  /// Computes a feed-forward network: the gate and up projections, the gated activation, then the down projection.
  ///
  /// Where `down` takes 8-bit integers, each thread gates and quantizes the part of the projections it has computed
  /// while that is in its cache, without waiting for the others, and the outputs of the projections are not written.
  /// Otherwise the gated values are left in the output of the last projection.
  /// - Parameters:
  ///   - projections: gate and up projection, or one projection; of the same rows and tokens, with contiguous outputs.
  ///   - gate: gated activation; nil for one projection.
  ///   - down: down projection; its input is the output of the last projection.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)`` where the scratch memory cannot grow.
  package func multiply(
    _ projections: [Product], by gate: Gate?, then down: Product, precision: Precision = .usual
  ) throws(ComputeError) {
    let (count, length) = (down.count, down.matrix.columns)
    precondition(projections.count == (gate == nil ? 1 : 2), "a gate and an up projection")
    for product in projections {
      precondition(product.count == count && product.matrix.rows == length, "shapes of the projections")
      precondition(product.outputStride == length, "contiguous outputs")
    }
    let form = InputForm(down.matrix.type, precision)
    let areIntegers = projections.allSatisfy { InputForm($0.matrix.type, precision) == .int8 }
    guard case .int8 = form, count > 0, areIntegers || count <= ProductParts.smallBatchTokens, length % 32 == 0
    else {
      try multiply(projections, precision: precision)
      if let gate {
        let (gates, up) = (projections[0].output, projections[1].output)
        pool.run(count, grain: 4) { tokens in
          let start = tokens.lowerBound * length
          instructionSet.gate(
            gate, gates + start, up + start, count: tokens.count * length, into: up + start)
        }
      }
      return try multiply([down], precision: precision)
    }
    let gated = try Self.grown(&gated, to: form.byteCount(tokens: count, columns: length, instructionSet))
    var input = ck_activations(of: down)
    form.place(&input, at: gated.base)
    var areInMemory = try prepareWeights(projections)
    let parts = ProductParts(
      projections, try prepareInputs(projections, precision), scratch,
      gating: .init(gate: gate, type: down.matrix.type, output: input.chunks, memory: gated),
      threadCount: pool.threadCount, instructionSet
    )
    run(parts, areInMemory: areInMemory)
    areInMemory = try prepareWeights([down])
    run(
      ProductParts([down], [input], gated, threadCount: pool.threadCount, instructionSet),
      areInMemory: areInMemory)
  }

  /// Packs weights that are used again.
  /// - Returns: whether all weights are read from memory: just packed ones are partly in a cache, and their times say
  ///   nothing about prefetching.
  private func prepareWeights(_ products: [Product]) throws(ComputeError) -> Bool {
    let areInMemory = products.allSatisfy(\.matrix.isLaidOut)
    for product in products { try product.matrix.prepareAgain(for: self) }
    return areInMemory
  }

  private func run(_ parts: ProductParts, areInMemory: Bool) {
    multiplyAddCount &+= parts.multiplyAddCount
    if parts.isSmallBatch {
      runSmallBatch(parts, areInMemory: areInMemory)
    } else if parts.areIdempotent {
      pool.run(parts.count, idempotent: parts)
    } else {
      pool.run(parts.count) { parts.run($0) }
    }
  }

  private func runSmallBatch(_ parts: ProductParts, areInMemory: Bool) {
    guard parts.count > 0 else { return }
    if parts.areLaidOut {
      parts.next = order.record(parts.address) {
        (0..<pool.threadCount).map {
          parts.weights(from: min(pool.firstPart(of: $0, parts.count), parts.count - 1))
        }
      }
    }
    let work = parts.tokenCount.map { PrefetchTrial.Work(byteCount: parts.byteCount, tokenCount: $0) }
    let trial = work.map { trials[$0, default: PrefetchTrial()] }
    if parts.canCopyFromFile, parts.tokenCount == 1 {
      parts.copyFromFile(reading.next)
      let time = ContinuousClock().measure { pool.run(parts.count, idempotent: parts) }
      reading.record(time / .seconds(1), byteCount: parts.byteCount)
    } else if let choice = trial?.choice {
      parts.setPrefetchDistance(choice)
      pool.run(parts.count, idempotent: parts)
    } else if let work, let trial, areInMemory {
      parts.setPrefetchDistance(trial.next)
      let time = ContinuousClock().measure { pool.run(parts.count, idempotent: parts) }
      trials[work, default: PrefetchTrial()].record(time / .seconds(1))
    } else {
      pool.run(parts.count, idempotent: parts)
    }
  }

  /// Quantizes the inputs for the kernels; products with the same input share each quantized form of it.
  private func prepareInputs(
    _ products: [Product], _ precision: Precision
  ) throws(ComputeError) -> [ck_activations] {
    var inputs = products.map(ck_activations.init(of:))
    /// Returns the first product with the same input in the same form.
    func owner(of index: Int) -> Int {
      let product = products[index], form = InputForm(product.matrix.type, precision)
      for other in 0..<index
      where products[other].input == product.input && products[other].matrix.columns == product.matrix.columns
        && InputForm(products[other].matrix.type, precision) == form
      {
        return other
      }
      return index
    }
    func byteCount(of index: Int) -> Int {
      let matrix = products[index].matrix
      return InputForm(matrix.type, precision).byteCount(
        tokens: Int(inputs[index].stride), columns: matrix.columns, instructionSet)
    }
    // Products of one input may have different token counts; the form is made for the largest.
    for index in products.indices {
      let owner = owner(of: index)
      inputs[owner].stride = max(inputs[owner].stride, Int64(products[index].count))
    }
    var total = 0
    for index in products.indices where owner(of: index) == index { total += byteCount(of: index) }
    guard total > 0 else { return inputs }
    var next = UnsafeMutableRawPointer(try scratch(byteCount: total))
    for index in products.indices {
      let owner = owner(of: index), size = byteCount(of: index)
      if owner != index {
        let count = inputs[index].count
        inputs[index] = inputs[owner]
        inputs[index].count = count
      } else if size > 0 {
        InputForm(products[index].matrix.type, precision).place(&inputs[index], at: next)
        next += size
        fill(inputs[index])
      }
    }
    return inputs
  }

  private func fill(_ input: ck_activations) {
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

  /// Returns the scratch memory to the system.
  package func releaseScratch() { (scratch, gated) = (nil, nil) }

  /// Returns scratch memory, which only grows until it is released.
  func scratch(byteCount: Int) throws(ComputeError) -> UnsafeMutablePointer<UInt8> {
    try Self.grown(&scratch, to: byteCount).base
  }

  private static func grown(
    _ buffer: inout AlignedBuffer<UInt8>?, to byteCount: Int
  ) throws(ComputeError) -> AlignedBuffer<UInt8> {
    if let buffer, buffer.count >= byteCount { return buffer }
    buffer = nil
    let grown = try AlignedBuffer<UInt8>(count: byteCount + byteCount / 2)
    buffer = grown
    return grown
  }
}

extension ck_activations {
  /// Input of a product as given, in F32.
  fileprivate init(of product: ComputeContext.Product) {
    self.init()
    columns = Int64(product.matrix.columns)
    count = Int64(product.count)
    stride = Int64(product.count)
    x = product.input
  }
}
