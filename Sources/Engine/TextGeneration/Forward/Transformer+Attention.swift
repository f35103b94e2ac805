import Compute
import Threading

extension Transformer {
  /// Attention of a batch, its new keys and values cached on the way.
  /// - Parameters:
  ///   - input: `(count, width)`
  ///   - outputs: how many of the last tokens attend.
  ///   - output: `(outputs, width)`, overwritten
  func attend(
    _ weights: AttentionWeights, _ layer: Int, _ input: Floats, _ count: Int, outputs: Int,
    into output: MutableFloats
  ) throws(TextGenerationError) {
    guard let cache = caches[layer] else { preconditionFailure("a recurrent layer has no keys") }
    let headCount = configuration.headCounts[layer]
    let sharedCount = configuration.keyValueHeadCounts[layer]
    let (keyLength, valueLength) = (configuration.keyLength, configuration.valueLength)
    let raw = buffers.mixer[0].base
    let queries = buffers.mixer[1].base
    let keys = buffers.mixer[2].base
    let values = buffers.mixer[3].base
    let attended = buffers.mixer[4].base
    let first = count - outputs
    try project(weights, layer, input, count, outputs: outputs)

    let rotation = rotary(of: layer)
    let batch = batch
    let queryNorm = headNorm(weights.queryNorm, heads: headCount),
      keyNorm = headNorm(weights.keyNorm, heads: sharedCount)
    pool.run(count, grain: 16) { tokens in
      for token in tokens {
        normaliseAndRotate(
          keys + token * sharedCount * keyLength, heads: sharedCount, keyNorm, rotation, token: token)
        guard token >= first else { continue }
        let query = queries + token * headCount * keyLength
        normaliseAndRotate(query, heads: headCount, queryNorm, rotation, token: token)
        if let scaling = configuration.positionScaling {
          instructions.scale(
            query, by: scaling.factor(at: batch.positions[token]), count: headCount * keyLength, into: query)
        }
      }
      let start = tokens.lowerBound * sharedCount
      cache.store(batch.slots[tokens], keys: keys + start * keyLength, values: values + start * valueLength)
    }
    guard outputs > 0 else { return }
    let visible = visible(in: layer)
    context.attend(
      cache, queries: queries + first * headCount * keyLength, queryHeadCount: headCount,
      visible: first == 0 ? visible : Array(visible[first...]), texts: first == 0 ? batch.texts : nil,
      options: AttentionOptions(scale: configuration.scoreScale, softCap: configuration.scoreCap),
      sinks: weights.sinks.map { Floats($0.base) }, into: attended)
    if configuration.family.gatesAttention {
      gate(attended, by: raw + 2 * first * headCount * keyLength, headCount, outputs)
    }
    try apply(weights.output, attended, outputs, into: output)
  }

  /// Fills the buffers of queries, keys and values; the gate, where there is one, stays in the raw projection.
  /// - Parameter outputs: how many of the last tokens need queries.
  private func project(
    _ weights: AttentionWeights, _ layer: Int, _ input: Floats, _ count: Int, outputs: Int
  ) throws(TextGenerationError) {
    let queryWidth = configuration.headCounts[layer] * configuration.keyLength
    let keyWidth = configuration.keyValueHeadCounts[layer] * configuration.keyLength
    let valueWidth = configuration.keyValueHeadCounts[layer] * configuration.valueLength
    let raw = buffers.mixer[0].base
    let targets = [
      (buffers.mixer[1].base, queryWidth), (buffers.mixer[2].base, keyWidth),
      (buffers.mixer[3].base, valueWidth),
    ]
    switch weights.projections {
    case .fused(let fused):
      try apply(fused, input, count, into: raw, forAttention: true)
      for token in 0..<count {
        var source = raw + token * (queryWidth + keyWidth + valueWidth)
        for (target, width) in targets {
          (target + token * width).update(from: source, count: width)
          source += width
        }
      }
    case .separate(let query, let key, let value):
      let isGated = configuration.family.gatesAttention
      let first = count - outputs
      let asked = product(
        query, input + first * configuration.width, outputs,
        into: (isGated ? raw : targets[0].0) + first * query.matrix.rows)
      let seen = (product(key, input, count, into: targets[1].0), product(value, input, count, into: targets[2].0))
      try multiply(outputs > 0 ? [asked, seen.0, seen.1] : [seen.0, seen.1], forAttention: true)
      guard isGated else { break }
      let length = configuration.keyLength
      for head in first * configuration.headCounts[layer]..<count * configuration.headCounts[layer] {
        (targets[0].0 + head * length).update(from: raw + 2 * head * length, count: length)
      }
    }
    if configuration.projectionClamp > 0 {
      for (target, width) in targets {
        let limit = configuration.projectionClamp
        for index in 0..<count * width { target[index] = min(max(target[index], -limit), limit) }
      }
    }
  }

  /// The norm of some heads' queries or keys: of each, or of all together.
  private func headNorm(_ weights: NormWeights?, heads: Int) -> Normalization? {
    guard let placement = configuration.family.headNorm, let weights else { return nil }
    return norm(
      weights, configuration.family.headNormKind, (placement == .whole ? heads : 1) * configuration.keyLength)
  }

  /// Norms and rotates a token's queries or keys.
  private func normaliseAndRotate(
    _ vector: MutableFloats, heads: Int, _ norm: Normalization?, _ rotation: RotaryEmbedding?, token: Int
  ) {
    let normsAfter = configuration.family.normsHeadsAfterRotation
    if !normsAfter { normaliseHeads(norm, vector, heads) }
    rotation?.apply(vector, count: heads, length: configuration.keyLength, token: token, instructions)
    if normsAfter { normaliseHeads(norm, vector, heads) }
  }

  private func normaliseHeads(_ norm: Normalization?, _ vector: MutableFloats, _ heads: Int) {
    guard let norm else { return }
    for head in 0..<(configuration.family.headNorm == .whole ? 1 : heads) {
      let part = vector + head * configuration.keyLength
      norm.apply(part, into: part, head: head)
    }
  }

  /// Multiplies attention's output by the sigmoid of the gate that follows each head's query.
  private func gate(_ attended: MutableFloats, by raw: Floats, _ headCount: Int, _ count: Int) {
    let length = configuration.valueLength
    pool.run(count, grain: 4) { tokens in
      for head in tokens.lowerBound * headCount..<tokens.upperBound * headCount {
        let gates = raw + (2 * head + 1) * length
        instructions.gate(.sigmoid, gates, attended + head * length, count: length, into: attended + head * length)
      }
    }
  }
}
