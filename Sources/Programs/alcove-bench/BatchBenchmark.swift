import Foundation
import TextGeneration

/// Costs of a few tokens that are evaluated at once, as draft tokens are, compared with one alone.
///
/// All sizes take turns: what the machine can do changes within seconds where it is shared.
let batch = Command(
  name: "batch", parameters: "MODEL [--depth 0] [--most 16] [--rounds 24] [--threads N] [--cache f16] [--json]"
) { options in
  let depth = try options.whole("depth", default: 0)
  let most = try options.count("most", default: 16)
  let rounds = try options.count("rounds", default: 24)
  guard most <= 64 else { throw UsageError(message: "--most is at most 64") }
  let sizes = Array(1...most)
  let model = try openModel(options, tokens: depth + 1 + (rounds + 1) * sizes.reduce(0, +))
  try warm(model)
  try fill(model, count: depth + 1)
  var milliseconds = sizes.map { _ in [Double]() }
  // In the first round what is measured once is measured, and laid out.
  for round in 0...rounds {
    for (index, size) in sizes.enumerated() {
      let started = ContinuousClock.now
      try model.advance((0..<size).map { token(round * most + $0, model) }, rows: size)
      if round > 0 { milliseconds[index].append((ContinuousClock.now - started) / .milliseconds(1)) }
    }
  }
  let medians = milliseconds.map(\.median)
  for (index, size) in sizes.enumerated() {
    try report(
      [
        "depth": depth, "tokens": size, "threads": model.threadCount, "ms": medians[index],
        "cost": medians[index] / medians[0],
      ], json: options.isJSON)
  }
}
