import Compute

/// A norm of vectors of one length, as the kernels take it: token after token, no reference is counted.
struct Normalization {
  private let kind: Architecture.Norm
  private let length: Int
  private let epsilon: Float
  private let weight: Part
  private let bias: Part
  private let instructions: InstructionSet

  /// A weight or bias: of every vector, or one for each head.
  private struct Part {
    let start: Floats?
    let stride: Int

    init(_ values: FloatBuffer?, length: Int) {
      start = values.map { Floats($0.base) }
      stride = (values?.count ?? 0) > length ? length : 0
    }

    func of(_ head: Int) -> Floats? { start.map { $0 + head * stride } }
  }

  /// - Parameter weights: they must outlive this.
  init(
    _ weights: NormWeights, _ kind: Architecture.Norm, length: Int, epsilon: Float, _ instructions: InstructionSet
  ) {
    self.kind = kind
    self.length = length
    self.epsilon = epsilon
    self.instructions = instructions
    weight = Part(weights.weight, length: length)
    bias = Part(weights.bias, length: length)
  }

  /// Norms one vector.
  /// - Parameter head: whose weights to use, where each head has its own.
  func apply(_ source: Floats, into target: MutableFloats, head: Int = 0) {
    switch kind {
    case .rms:
      instructions.rmsNorm(source, weight: weight.of(head), epsilon: epsilon, count: length, into: target)
      if let bias = bias.of(head) { instructions.add(target, bias, count: length, into: target) }
    case .layer:
      instructions.layerNorm(
        source, weight: weight.of(head), bias: bias.of(head), epsilon: epsilon, count: length, into: target)
    }
  }
}
