import Compute
import Foundation

/// Rotary position embedding, RoPE (Su et al. 2021): rotates heads by their position.
final class RotaryEmbedding {
  private let kind: Architecture.Rotary
  private let pairCount: Int
  private let frequencies: [Float]
  private let attentionFactor: Float
  private let cosines: FloatBuffer
  private let sines: FloatBuffer

  /// - Parameter batchLimit: largest number of positions prepared at once.
  init(_ settings: RopeSettings, factors: [Float]?, batchLimit: Int) throws(TextGenerationError) {
    kind = settings.kind
    pairCount = settings.elementCount / 2
    frequencies = settings.frequencies(factors: factors)
    attentionFactor = settings.attentionFactor
    cosines = try makeBuffer(batchLimit * pairCount)
    sines = try makeBuffer(batchLimit * pairCount)
  }

  /// Computes the angles of a batch's positions.
  func prepare(_ positions: [Int]) {
    guard kind != .none else { return }
    for (token, position) in positions.enumerated() {
      let position = Float(position)
      for pair in 0..<pairCount {
        let angle = position * frequencies[pair]
        cosines.base[token * pairCount + pair] = cosf(angle) * attentionFactor
        sines.base[token * pairCount + pair] = sinf(angle) * attentionFactor
      }
    }
  }

  /// Rotates all heads of one token of the prepared batch.
  func apply(_ heads: MutableFloats, count: Int, length: Int, token: Int, _ instructions: InstructionSet) {
    guard kind != .none else { return }
    for head in 0..<count {
      instructions.rope(
        heads + head * length, cosines: cosines.base + token * pairCount,
        sines: sines.base + token * pairCount, pairCount: pairCount, isNeoX: kind != .pairs)
    }
  }
}
