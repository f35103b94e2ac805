import CKernels
import Glibc
import Threading

/// Threads, instructions and scratch memory for one engine's arithmetic.
///
/// Its multiplications are called by one thread at a time: the scratch memory is shared among them.
package final class ComputeContext: @unchecked Sendable {
  /// The threads that share the work.
  package let pool: WorkerPool
  /// The instructions the kernels use.
  package let instructionSet: InstructionSet

  /// Multiply-adds of products, and of the convolutions, linear layers and attention of pictures, so far, for measurements.
  package internal(set) var multiplyAddCount = 0

  /// Where weights are laid out.
  let weightArena = WeightArena()
  private var scratch: AlignedBuffer<UInt8>?
  /// What an entrance lets through.
  private var gated: AlignedBuffer<UInt8>?
  private var trials: [PrefetchTrial.Work: PrefetchTrial] = [:]
  private var reading = FileReadTrial()
  private var order = PrefetchPredictor()

  /// Uses a pool and an instruction set; by default all usable cores and the best instructions.
  package init(pool: WorkerPool = WorkerPool(), instructionSet: InstructionSet = .best) {
    precondition(InstructionSet.available.contains(instructionSet), "instructions that this machine has")
    self.pool = pool
    self.instructionSet = instructionSet
  }

  /// Uses a number of threads, or all usable cores for nil, and the best instructions.
  package convenience init(threadCount: Int?) {
    self.init(pool: threadCount.map { WorkerPool(threadCount: $0) } ?? WorkerPool())
  }

  /// One product of a list: every weight row with every activation.
  package struct Product {
    /// The weights, `(rows, columns)`.
    package let matrix: QuantizedMatrix
    /// `(count, columns)`; products that name the same input share what it is turned into.
    package let input: UnsafePointer<Float>
    /// Activations, one a token.
    package let count: Int
    /// `(count, rows)` with `outputStride` floats from one token to the next.
    package let output: UnsafeMutablePointer<Float>
    /// Floats from one token's results to the next; at least `matrix.rows`.
    package let outputStride: Int
    /// `(rows,)`, added to every token's results; or nil. A thread that is late may still read it after the product.
    package let bias: AlignedBuffer<Float>?
    /// What then becomes of each value, or nil.
    package let activation: Activation?

    /// Describes a product; the stride is the matrix's row count unless given.
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

  /// How finely activations are rounded.
  package enum Precision: Sendable {
    /// To 8 bits for quantized weights, to BF16 for weights in BF16; not at all for others.
    case usual
    /// To 16 bits for quantized weights, at twice the cost: below the rounding of any weights; not at all for others.
    case fine
  }

  /// Computes independent products in one pass over the pool.
  ///
  /// A result depends on its weights and its activation alone: not on the thread count, nor on the other tokens.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)`` where the scratch memory cannot grow.
  package func multiply(_ products: [Product], precision: Precision = .usual) throws(ComputeError) {
    let areInMemory = try prepareWeights(products)
    let parts = ProductParts(
      products, try prepareInputs(products, precision), scratch, threadCount: pool.threadCount, instructionSet)
    run(parts, areInMemory: areInMemory)
  }

  /// Computes a feed-forward network: `down` of what its entrance lets through.
  ///
  /// Where `down` takes integers, what a thread has computed of the entrance it also gates and rounds while that is in its
  /// cache, and the others do not wait for it; otherwise that is left in the output of the entrance's last product.
  /// - Parameters:
  ///   - entrance: gates and factors, or one product; of the same rows and tokens, which lie one after the other.
  ///   - gate: for gates and factors.
  ///   - down: its input is the output of the entrance's last product.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)`` where the scratch memory cannot grow.
  package func multiply(
    _ entrance: [Product], by gate: Gate?, then down: Product, precision: Precision = .usual
  ) throws(ComputeError) {
    let (count, length) = (down.count, down.matrix.columns)
    precondition(entrance.count == (gate == nil ? 1 : 2), "gates have factors")
    for product in entrance {
      precondition(product.count == count && product.matrix.rows == length, "what is let through is multiplied")
      precondition(product.outputStride == length, "tokens lie one after the other")
    }
    let form = InputForm(down.matrix.type, precision)
    let areIntegers = entrance.allSatisfy { InputForm($0.matrix.type, precision) == .int8 }
    guard case .int8 = form, count > 0, areIntegers || count <= ProductParts.smallBatchTokens, length % 32 == 0
    else {
      try multiply(entrance, precision: precision)
      if let gate {
        let (gates, factors) = (entrance[0].output, entrance[1].output)
        pool.run(count, grain: 4) { tokens in
          let start = tokens.lowerBound * length
          instructionSet.gate(
            gate, gates + start, factors + start, count: tokens.count * length, into: factors + start)
        }
      }
      return try multiply([down], precision: precision)
    }
    let gated = try Self.grown(&gated, to: form.byteCount(tokens: count, columns: length, instructionSet))
    var input = ck_activations(of: down)
    form.place(&input, at: gated.base)
    var areInMemory = try prepareWeights(entrance)
    let parts = ProductParts(
      entrance, try prepareInputs(entrance, precision), scratch,
      gating: .init(gate: gate, type: down.matrix.type, output: input.chunks, memory: gated),
      threadCount: pool.threadCount, instructionSet
    )
    run(parts, areInMemory: areInMemory)
    areInMemory = try prepareWeights([down])
    run(
      ProductParts([down], [input], gated, threadCount: pool.threadCount, instructionSet),
      areInMemory: areInMemory)
  }

  /// - Returns: whether the weights come from memory: what is laid out just now is partly in a cache, and says nothing about
  ///   reading it from there.
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

  /// The inputs as the kernels see them; products that share an input share each form that it is turned into.
  private func prepareInputs(
    _ products: [Product], _ precision: Precision
  ) throws(ComputeError) -> [ck_activations] {
    var inputs = products.map(ck_activations.init(of:))
    /// The first product with the same input in the same form.
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
    // Products of one input may ask for different counts; the form is made for the most.
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

  /// Gives the scratch memory back to the system.
  package func releaseScratch() { (scratch, gated) = (nil, nil) }

  /// Scratch memory that only grows until it is released.
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
  /// A product's input as it came.
  fileprivate init(of product: ComputeContext.Product) {
    self.init()
    columns = Int64(product.matrix.columns)
    count = Int64(product.count)
    stride = Int64(product.count)
    x = product.input
  }
}
