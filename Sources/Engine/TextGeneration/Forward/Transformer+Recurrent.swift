import Compute
import Foundation
import Threading

extension Transformer {
  /// A gated short convolution over the last positions (LFM2).
  /// - Parameter output: `(outputs, width)`, overwritten: of the last tokens.
  func convolve(
    _ weights: ShortConvolutionWeights, _ layer: Int, _ input: Floats, _ count: Int, outputs: Int,
    into output: MutableFloats
  ) throws(TextGenerationError) {
    let width = configuration.width
    let projected = buffers.mixer[0].base
    let gated = buffers.mixer[1].base
    let convolved = buffers.mixer[2].base
    try apply(weights.input, input, count, into: projected)
    pool.run(count, grain: 4) { tokens in
      for token in tokens {
        let parts = projected + token * 3 * width
        instructions.multiply(parts, parts + 2 * width, count: width, into: gated + token * width)
      }
    }
    convolve(
      gated, channels: width, count: count, kernel: weights.kernel.base,
      length: configuration.convolutionLength, state: state.convolutions[layer].base, into: convolved)
    pool.run(count, grain: 4) { tokens in
      for token in tokens {
        let gates = projected + token * 3 * width + width
        let row = convolved + token * width
        instructions.multiply(row, gates, count: width, into: row)
      }
    }
    try apply(weights.output, convolved + (count - outputs) * width, outputs, into: output)
  }

  /// Each channel's sum of its last inputs times the kernel; the state takes over what the next batch needs.
  /// - Parameters:
  ///   - input: `(count, channels)`
  ///   - kernel: `(channels, length)`, the newest input last
  ///   - state: `(channels, length - 1)`
  ///   - output: `(count, channels)`, overwritten
  private func convolve(
    _ input: Floats, channels: Int, count: Int, kernel: Floats, length: Int, state: MutableFloats,
    into output: MutableFloats
  ) {
    pool.run(channels, grain: 64) { range in
      for channel in range {
        let past = state + channel * (length - 1)
        let weights = kernel + channel * length
        for token in 0..<count {
          let newest = input[token * channels + channel]
          var sum = newest * weights[length - 1]
          for index in 0..<length - 1 { sum += past[index] * weights[index] }
          output[token * channels + channel] = sum
          for index in 0..<length - 2 { past[index] = past[index + 1] }
          past[length - 2] = newest
        }
      }
    }
  }

  /// Linear attention whose memory is corrected by what it already knows (Yang et al. 2024).
  /// - Parameter output: `(outputs, width)`, overwritten: of the last tokens.
  func runDeltaNet(
    _ weights: DeltaNetWeights, _ layer: Int, _ input: Floats, _ count: Int, outputs: Int,
    into output: MutableFloats
  ) throws(TextGenerationError) {
    guard let net = configuration.deltaNet else { preconditionFailure("a delta net without sizes") }
    let mixed = buffers.mixer[0].base
    let convolved = buffers.mixer[1].base
    let gates = buffers.mixer[2].base
    let results = buffers.mixer[3].base
    // The last buffer holds each head's strength and decay, one after the other.
    let strengths = buffers.mixer[4].base
    let heads = net.valueHeadCount
    let decays = strengths + count * heads
    try apply(
      [(weights.queryKeyValue, mixed), (weights.gate, gates), (weights.beta, strengths), (weights.alpha, decays)],
      input, count)
    instructions.activate(.sigmoid, strengths, count: count * heads, into: strengths)
    for index in 0..<count * heads {
      let value = decays[index] + weights.timeStep[index % heads]
      let step = value > 20 ? value : log1pf(expf(value))
      decays[index] = expf(step * weights.decay[index % heads])
    }
    convolve(
      mixed, channels: net.convolutionWidth, count: count, kernel: weights.kernel.base,
      length: net.convolutionLength, state: state.convolutions[layer].base, into: convolved)
    pool.run(count, grain: 4) { tokens in
      for token in tokens {
        let row = convolved + token * net.convolutionWidth
        instructions.activate(.silu, row, count: net.convolutionWidth, into: row)
        for head in 0..<2 * net.keyHeadCount { normaliseLength(row + head * net.headLength, net.headLength) }
      }
    }
    pool.run(heads) { head in
      for token in 0..<count {
        remember(
          convolved + token * net.convolutionWidth, head: head, net,
          strength: strengths[token * heads + head], decay: decays[token * heads + head],
          memory: state.memories[layer].base + head * net.headLength * net.headLength,
          into: results + (token * heads + head) * net.headLength)
      }
    }
    pool.run(count, grain: 4) { tokens in
      for index in tokens.lowerBound * heads..<tokens.upperBound * heads {
        let result = results + index * net.headLength
        let gate = gates + index * net.headLength
        instructions.rmsNorm(
          result, weight: weights.norm.base, epsilon: configuration.normEpsilon, count: net.headLength,
          into: result)
        instructions.gate(.silu, gate, result, count: net.headLength, into: result)
      }
    }
    try apply(weights.output, results + (count - outputs) * heads * net.headLength, outputs, into: output)
  }

  /// One step of one head: fade, correct by the difference to the value, read.
  private func remember(
    _ row: Floats, head: Int, _ net: ModelConfiguration.DeltaNetSettings, strength: Float, decay: Float,
    memory: MutableFloats, into result: MutableFloats
  ) {
    let length = net.headLength
    let query = row + head % net.keyHeadCount * length
    let key = query + net.keyWidth
    let value = row + 2 * net.keyWidth + head * length
    let scale = 1 / Float(length).squareRoot()
    for element in 0..<length {
      let line = memory + element * length
      instructions.scale(line, by: decay, count: length, into: line)
      let difference = (value[element] - instructions.dot(line, key, count: length)) * strength
      instructions.addScaled(key, by: difference, count: length, into: line)
      result[element] = instructions.dot(line, query, count: length) * scale
    }
  }

  /// Divides a vector by its length.
  private func normaliseLength(_ vector: MutableFloats, _ count: Int) {
    let length = instructions.dot(vector, vector, count: count).squareRoot()
    instructions.scale(vector, by: 1 / max(length, configuration.normEpsilon), count: count, into: vector)
  }
}
