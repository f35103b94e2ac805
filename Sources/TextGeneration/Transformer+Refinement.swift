import Compute
import Threading

extension Transformer {
  /// Multiplies with activations of twice 8 bits: with what 8 bits hold of them, and with what those leave.
  ///
  /// Kernels round activations to 8 bits for quantized weights. That is too coarse for embedders, where the cosine of
  /// a short text's vector would fall to 0.998; so it is below the weights' own rounding.
  func multiplyFinely(
    _ linears: [(linear: Linear, output: MutableFloats)], _ input: Floats, _ count: Int,
    _ refinement: TransformerBuffers.Refinement
  ) throws(TextGenerationError) {
    guard let columns = linears.first?.linear.matrix.columns else { return }
    split(input, count * columns, coarse: refinement.coarse.base, rest: refinement.rest.base)
    for (linear, output) in linears {
      let (matrix, total) = (linear.matrix, count * linear.matrix.rows)
      try computed { () throws(ComputeError) in
        try context.multiply([
          ComputeContext.Product(matrix, refinement.coarse.base, count: count, into: output),
          ComputeContext.Product(matrix, refinement.rest.base, count: count, into: refinement.products.base),
        ])
      }
      instructions.add(output, refinement.products.base, count: total, into: output)
    }
  }

  /// Splits numbers into multiples of a 127th of the largest of their block of 32, which 8 bits hold exactly, and the
  /// rest.
  private func split(_ input: Floats, _ total: Int, coarse: MutableFloats, rest: MutableFloats) {
    pool.run(total / 32, grain: 256) { blocks in
      for block in blocks {
        let start = block * 32
        var largest: Float = 0
        for index in start..<start + 32 { largest = max(largest, abs(input[index])) }
        let step = largest / 127
        let inverse = step > 0 ? 1 / step : 0
        for index in start..<start + 32 {
          let held = (input[index] * inverse).rounded() * step
          coarse[index] = held
          rest[index] = input[index] - held
        }
      }
    }
  }
}
