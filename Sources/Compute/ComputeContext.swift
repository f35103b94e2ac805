import CKernels
import Threading

/// Threads, instructions and scratch memory for one engine's arithmetic.
///
/// Its multiplications are called by one thread at a time: the scratch memory is shared among them.
public final class ComputeContext: @unchecked Sendable {
  /// The threads that share the work.
  public let pool: WorkerPool
  /// The instructions the kernels use.
  public let instructionSet: InstructionSet

  private var scratch: AlignedBuffer<UInt8>?

  /// Uses a pool and an instruction set; by default all usable cores and the best instructions.
  public init(pool: WorkerPool = WorkerPool(), instructionSet: InstructionSet = .best) {
    precondition(InstructionSet.available.contains(instructionSet), "instructions that this machine has")
    self.pool = pool
    self.instructionSet = instructionSet
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

    /// Describes a product; the stride is the matrix's row count unless given.
    public init(
      _ matrix: QuantizedMatrix, _ input: UnsafePointer<Float>, count: Int = 1,
      into output: UnsafeMutablePointer<Float>, outputStride: Int? = nil
    ) {
      self.matrix = matrix
      self.input = input
      self.count = count
      self.output = output
      self.outputStride = outputStride ?? matrix.rows
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

  /// Computes independent products in one pass over the pool.
  ///
  /// A result depends on its weights and its activation alone: not on the thread count, nor on the other tokens.
  /// - Throws: ``ComputeError/outOfMemory(byteCount:)`` where the scratch memory cannot grow.
  public func multiply(_ products: [Product]) throws(ComputeError) {
    let activations = try quantizeInputs(products)
    // Rows go out in pieces: small enough that a thread that loses its core holds up little.
    var pieces: [(product: Int, rows: Range<Int>)] = []
    for (index, product) in products.enumerated() where product.count > 0 {
      let grain = pieceRows(product)
      for row in stride(from: 0, to: product.matrix.rows, by: grain) {
        pieces.append((index, row..<min(row + grain, product.matrix.rows)))
      }
    }
    pool.run(pieces.count) { part in
      let piece = pieces[part]
      let product = products[piece.product]
      var matrix = product.matrix.kernelMatrix
      var input = activations[piece.product]
      ck_multiply(
        instructionSet.rawValue, &matrix, Int64(piece.rows.lowerBound), Int64(piece.rows.count), &input,
        product.output, Int64(product.outputStride))
    }
  }

  /// Rows of one piece: a multiple of 32, about 64 KiB of weights for one token.
  private func pieceRows(_ product: Product) -> Int {
    let bytesPerRow = max(1, product.matrix.rowByteCount)
    let rows = product.count > 4 ? 32 : max(1, (64 << 10) / bytesPerRow / 32) * 32
    return min(rows, 1024)
  }

  private func quantizeInputs(_ products: [Product]) throws(ComputeError) -> [ck_activations] {
    var shared: [UnsafePointer<Float>: Int] = [:]
    var results: [ck_activations] = []
    var needed = 0
    for (index, product) in products.enumerated() {
      let (count, columns) = (product.count, product.matrix.columns)
      var input = ck_activations()
      input.columns = Int64(columns)
      input.count = Int64(count)
      input.x = product.input
      if product.matrix.type.isQuantized {
        if let earlier = shared[product.input], results[earlier].columns == input.columns,
          results[earlier].count >= input.count
        {
          results.append(input)
          continue
        }
        shared[product.input] = index
        needed += count * columns + count * (columns / 32) * 28 + 512
      }
      results.append(input)
    }
    guard needed > 0 else { return results }
    var next = try scratch(byteCount: needed)
    func take<T>(_ count: Int) -> UnsafeMutablePointer<T> {
      let pointer = next.bindMemory(to: T.self, capacity: count)
      next += (count * MemoryLayout<T>.stride + 63) / 64 * 64
      return pointer
    }
    for (index, product) in products.enumerated() where product.matrix.type.isQuantized {
      guard let owner = shared[product.input] else { continue }
      if owner != index, results[owner].columns == results[index].columns,
        results[owner].count >= results[index].count
      {
        continue
      }
      let (count, blocks) = (product.count, product.matrix.columns / 32)
      results[index].q = take(count * blocks * 32)
      results[index].d = take(count * blocks)
      results[index].sum16 = take(count * blocks * 2)
      results[index].sum32 = take(count * blocks)
      results[index].dsum16 = take(count * blocks * 2)
      results[index].dsum32 = take(count * blocks)
      let input = results[index]
      let set = instructionSet.rawValue
      if count * blocks < 512 {
        withUnsafePointer(to: input) { ck_quantize_activations(set, $0, 0, Int64(count)) }
      } else {
        pool.run(count, grain: 4) { range in
          withUnsafePointer(to: input) {
            ck_quantize_activations(set, $0, Int64(range.lowerBound), Int64(range.count))
          }
        }
      }
    }
    for (index, product) in products.enumerated() where product.matrix.type.isQuantized && results[index].q == nil
    {
      guard let owner = shared[product.input] else { continue }
      let count = results[index].count
      results[index] = results[owner]
      results[index].count = count
    }
    return results
  }

  /// Scratch memory that only grows.
  private func scratch(byteCount: Int) throws(ComputeError) -> UnsafeMutableRawPointer {
    if let scratch, scratch.count >= byteCount { return UnsafeMutableRawPointer(scratch.base) }
    scratch = nil
    let grown = try AlignedBuffer<UInt8>(count: byteCount + byteCount / 2)
    scratch = grown
    return UnsafeMutableRawPointer(grown.base)
  }
}
