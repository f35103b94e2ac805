/// Gated activation of a feed-forward network.
package enum Gate: Sendable {
  /// output = activation(gate) · up
  case activation(Activation)
  /// Clamped SwiGLU of gpt-oss; see ``InstructionSet/limitedSwiGLU(_:_:alpha:limit:count:into:)``.
  case limitedSwish
}

extension InstructionSet {
  /// Computes the gated activation of `count` values; the output may be `gates` or `up`.
  package func gate(
    _ gate: Gate, _ gates: UnsafePointer<Float>, _ up: UnsafePointer<Float>, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    switch gate {
    case .activation(let activation): self.gate(activation, gates, up, count: count, into: output)
    case .limitedSwish:
      // Constants of OpenAI's reference implementation of gpt-oss.
      limitedSwiGLU(gates, up, alpha: 1.702, limit: 7, count: count, into: output)
    }
  }
}
