import Compute
import Foundation
import Threading

extension Transformer {
  /// The feed-forward half of a block.
  /// - Parameters:
  ///   - input: `(count, width)`
  ///   - output: `(count, width)`, overwritten
  func feedForward(
    _ layer: LayerWeights, _ input: Floats, _ count: Int, into output: MutableFloats
  ) throws(TextGenerationError) {
    if let experts = layer.experts {
      try runExperts(experts, input, count, into: output)
    } else if let network = layer.feedForward {
      try run(network, configuration.family.gate, input, count, into: output)
    }
  }

  private func run(
    _ network: FeedForwardWeights, _ gate: Gate, _ input: Floats, _ count: Int,
    into output: MutableFloats
  ) throws(TextGenerationError) {
    let inner = buffers.inner.base
    let gated = buffers.gated.base
    let length = network.length
    switch network.gateAndUp {
    case .gated(let gates, let up):
      let gateAndUp = [product(gates, input, count, into: inner), product(up, input, count, into: gated)]
      try multiply(gateAndUp, by: gate, then: product(network.down, gated, count, into: output))
    case .fused(let both):
      try apply(both, input, count, into: inner)
      pool.run(count, grain: 4) { rows in
        for row in rows {
          let source = inner + row * 2 * length
          instructions.gate(gate, source, source + length, count: length, into: gated + row * length)
        }
      }
      try apply(network.down, gated, count, into: output)
    case .plain(let up):
      guard case .activation(let activation) = gate else {
        preconditionFailure("a gated activation needs gate and up projections")
      }
      let gateAndUp = [product(up, input, count, into: inner, activation: activation)]
      try multiply(gateAndUp, by: nil, then: product(network.down, inner, count, into: output))
    }
  }

  private func multiply(
    _ gateAndUp: [ComputeContext.Product], by gate: Gate?, then down: ComputeContext.Product
  ) throws(TextGenerationError) {
    try computed { () throws(ComputeError) in
      try context.multiply(gateAndUp, by: gate, then: down, precision: precision(forAttention: false))
    }
  }

  /// Routes each token to its best experts and adds up their weighted outputs.
  ///
  /// Each expert runs once, over all tokens routed to it; a token's outputs are added in the order of its choice,
  /// so the batch does not change the sum.
  private func runExperts(
    _ weights: ExpertWeights, _ input: Floats, _ count: Int, into output: MutableFloats
  ) throws(TextGenerationError) {
    guard let settings = configuration.experts, let routing = buffers.routing else {
      preconditionFailure("experts without settings")
    }
    let width = configuration.width
    let used = settings.usedCount
    try apply(weights.router, input, count, into: routing.scores.base)
    var tokensOf: [[(token: Int, place: Int)]] = Array(repeating: [], count: settings.count)
    for token in 0..<count {
      let chosen = choose(weights, settings, routing.scores.base + token * settings.count)
      for (place, choice) in chosen.enumerated() {
        routing.shares[token * used + place] = choice.share
        tokensOf[choice.expert].append((token, token * used + place))
      }
    }
    let gate = configuration.family.experts.gate ?? configuration.family.gate
    for (expert, tokens) in tokensOf.enumerated() where !tokens.isEmpty {
      for (index, item) in tokens.enumerated() {
        (routing.gathered.base + index * width).update(from: input + item.token * width, count: width)
      }
      try run(weights.experts[expert], gate, routing.gathered.base, tokens.count, into: routing.answered.base)
      for (index, item) in tokens.enumerated() {
        (routing.answers.base + item.place * width)
          .update(from: routing.answered.base + index * width, count: width)
      }
    }
    if let shared = weights.shared {
      try askShared(weights, shared, input, count, into: output)
    } else {
      output.update(repeating: 0, count: count * width)
    }
    for token in 0..<count {
      for place in token * used..<(token + 1) * used {
        instructions.addScaled(
          routing.answers.base + place * width, by: routing.shares[place], count: width,
          into: output + token * width)
      }
    }
  }

  private func askShared(
    _ weights: ExpertWeights, _ shared: FeedForwardWeights, _ input: Floats, _ count: Int,
    into output: MutableFloats
  ) throws(TextGenerationError) {
    try run(shared, configuration.family.gate, input, count, into: output)
    guard let gate = weights.sharedGate, let routing = buffers.routing else { return }
    try apply(gate, input, count, into: routing.scores.base)
    instructions.activate(.sigmoid, routing.scores.base, count: count, into: routing.scores.base)
    let width = configuration.width
    for token in 0..<count {
      let row = output + token * width
      instructions.scale(row, by: routing.scores[token], count: width, into: row)
    }
  }

  /// The experts of one token, best first, with their shares.
  /// - Parameter scores: the router's `(experts)`, overwritten
  private func choose(
    _ weights: ExpertWeights, _ settings: ModelConfiguration.ExpertSettings, _ scores: MutableFloats
  ) -> [(expert: Int, share: Float)] {
    let count = settings.count
    switch settings.gating {
    case .softmax: instructions.softmax(scores, count: count)
    case .sigmoid: instructions.activate(.sigmoid, scores, count: count, into: scores)
    case .softmaxOfChosen: break
    }
    var ranking = (0..<count).map { scores[$0] + (weights.selectionBias?[$0] ?? 0) }
    if settings.usedGroupCount < settings.groupCount { dropGroups(&ranking, settings) }
    let chosen = (0..<count).sorted { (-ranking[$0], $0) < (-ranking[$1], $1) }.prefix(settings.usedCount)
    var shares = chosen.map { scores[$0] }
    if settings.gating == .softmaxOfChosen {
      let largest = shares.max() ?? 0
      shares = shares.map { expf($0 - largest) }
      let sum = shares.reduce(0, +)
      shares = shares.map { $0 / sum }
    }
    if settings.normalisesWeights {
      // The least sum keeps a token whose scores all vanish finite; it is the smallest normal half.
      let sum = max(shares.reduce(0, +), 6.103_515_625e-5)
      shares = shares.map { $0 / sum }
    }
    return zip(chosen, shares).map { ($0, $1 * settings.weightScale) }
  }

  /// Leaves only the groups whose two best experts score highest together (DeepSeek-V3).
  private func dropGroups(_ ranking: inout [Float], _ settings: ModelConfiguration.ExpertSettings) {
    let size = settings.count / settings.groupCount
    let values = ranking
    let totals = (0..<settings.groupCount).map { group in
      values[group * size..<(group + 1) * size].sorted(by: >).prefix(2).reduce(0, +)
    }
    let kept = Set(totals.indices.sorted { (-totals[$0], $0) < (-totals[$1], $1) }.prefix(settings.usedGroupCount))
    for index in ranking.indices where !kept.contains(index / size) { ranking[index] = -.infinity }
  }
}
