/// What the gate of a feed-forward network does.
package enum Gate: Sendable {
  /// output = activation(gate) · factor
  case activation(Activation)
  /// The limited gate of gpt-oss.
  case limitedSwish
}

extension InstructionSet {
  /// Lets through what the gates say of the factors; the output may be either.
  package func gate(
    _ gate: Gate, _ gates: UnsafePointer<Float>, _ factors: UnsafePointer<Float>, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    switch gate {
    case .activation(let activation): self.gate(activation, gates, factors, count: count, into: output)
    case .limitedSwish:
      // The constants of OpenAI's reference implementation of gpt-oss.
      limitedSwiGLU(gates, factors, alpha: 1.702, limit: 7, count: count, into: output)
    }
  }
}
