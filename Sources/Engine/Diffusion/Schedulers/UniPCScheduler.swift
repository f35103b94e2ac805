import Foundation

/// Unified predictor-corrector of order 2 (Zhao et al. 2023), predicting the picture.
struct UniPCScheduler: Scheduler {
  let timesteps: [Double]
  private let levels: SolverLevels
  private let configuration: SchedulerConfiguration
  /// Last estimates of the picture, newest last.
  private var estimates: [[Float]] = []
  private var lastSample: [Float] = []
  private var lastOrder = 0

  init(_ configuration: SchedulerConfiguration, steps: Int) {
    self.configuration = configuration
    levels = SolverLevels(configuration, steps: steps, usesKarras: configuration.usesKarras)
    timesteps = levels.timesteps
  }

  mutating func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float] {
    let estimate = levels.clean(sample, output, at: index, configuration.prediction)
    var sample = sample
    if !estimates.isEmpty { sample = corrected(estimate, at: index) }
    let order = configuration.solverOrder
    estimates = estimates.suffix(max(0, order - 1)) + [estimate]
    let allowed = configuration.endsWithLowerOrder ?? true ? min(order, timesteps.count - index) : order
    lastOrder = min(allowed, estimates.count)
    lastSample = sample
    return move(sample, to: index + 1, from: index, order: lastOrder, newest: nil)
  }

  /// Corrects the sample after the network's estimate at its time.
  private func corrected(_ estimate: [Float], at index: Int) -> [Float] {
    move(lastSample, to: index, from: index - 1, order: lastOrder, newest: estimate)
  }

  /// - Parameter newest: estimate at the end of the step, for the corrector; nil for the predictor.
  private func move(_ sample: [Float], to end: Int, from start: Int, order: Int, newest: [Float]?) -> [Float] {
    let (from, to) = (levels[start], levels[end])
    let step = to.lambda - from.lambda
    let current = estimates[estimates.count - 1]
    var ratios: [Double] = []
    var slopes: [[Float]] = []
    for back in 1..<max(1, order) {
      let ratio = (levels[start - back].lambda - from.lambda) / step
      ratios.append(ratio)
      slopes.append(linearCombination((1 / ratio, estimates[estimates.count - 1 - back]), (-1 / ratio, current)))
    }
    ratios.append(1)
    let phi = expm1(-step)
    let scale = configuration.usesBH1 ? -step : phi
    var result = linearCombination((to.sigma / from.sigma, sample), (-to.alpha * phi, current))
    let weights = newest == nil ? predictorWeights(ratios, step, scale) : correctorWeights(ratios, step, scale)
    for (weight, slope) in zip(weights, slopes) {
      result = linearCombination((1, result), (-to.alpha * scale * weight, slope))
    }
    if let newest, let weight = weights.last {
      result = linearCombination(
        (1, result), (-to.alpha * scale * weight, newest), (to.alpha * scale * weight, current))
    }
    return result
  }

  private func predictorWeights(_ ratios: [Double], _ step: Double, _ scale: Double) -> [Double] {
    switch ratios.count {
    case 1: []
    case 2: [0.5]
    default: solve(Array(ratios.dropLast()), step, scale)
    }
  }

  private func correctorWeights(_ ratios: [Double], _ step: Double, _ scale: Double) -> [Double] {
    ratios.count == 1 ? [0.5] : solve(ratios, step, scale)
  }

  /// Solves `sum of weight[j] · ratio[j]^i = b[i]` (equation 9), by elimination.
  private func solve(_ ratios: [Double], _ step: Double, _ scale: Double) -> [Double] {
    let count = ratios.count
    var phi = expm1(-step) / -step - 1
    var factorial = 1.0
    var rows: [[Double]] = []
    for power in 0..<count {
      rows.append(ratios.map { pow($0, Double(power)) } + [phi * factorial / scale])
      factorial *= Double(power + 2)
      phi = phi / -step - 1 / factorial
    }
    for column in 0..<count {
      let pivot = (column..<count).max { abs(rows[$0][column]) < abs(rows[$1][column]) } ?? column
      rows.swapAt(column, pivot)
      for row in 0..<count where row != column {
        let factor = rows[row][column] / rows[column][column]
        for place in column...count { rows[row][place] -= factor * rows[column][place] }
      }
    }
    return (0..<count).map { rows[$0][count] / rows[$0][$0] }
  }

  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float] {
    levels.clean(sample, output, at: index, configuration.prediction)
  }

  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float] {
    linearCombination((levels[index].alpha, clean), (levels[index].sigma, noise))
  }
}
