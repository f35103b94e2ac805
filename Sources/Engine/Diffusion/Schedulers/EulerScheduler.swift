import Foundation

/// Euler's method over noise levels (Karras et al. 2022, algorithm 2 without churn), with or without fresh noise.
struct EulerScheduler: Scheduler {
  let timesteps: [Double]
  let initialScale: Double
  private let sigmas: [Double]
  private let prediction: SchedulerConfiguration.Prediction
  private let isAncestral: Bool

  init(_ configuration: SchedulerConfiguration, steps: Int, isAncestral: Bool) {
    let levels = NoiseLevels(configuration)
    let spacing = configuration.spacing ?? .linspace
    let all = levels.sigmas
    var times = levels.times(steps, spacing: spacing, isRounded: false)
    var sigmas = times.map { levels.sigma(at: $0, in: all) }
    if configuration.usesKarras, !isAncestral, let first = sigmas.first, let last = sigmas.last {
      sigmas = NoiseLevels.karras(from: first, to: last, steps: steps)
      times = sigmas.map { levels.time(of: $0, in: all) }
    }
    let largest = sigmas.max() ?? 1
    timesteps = times
    self.sigmas = sigmas + [configuration.endsAtSmallestSigma && !isAncestral ? all[0] : 0]
    initialScale = spacing == .leading ? (largest * largest + 1).squareRoot() : largest
    prediction = configuration.prediction
    self.isAncestral = isAncestral
  }

  func modelInput(_ sample: [Float], at index: Int) -> [Float] {
    linearCombination((1 / (sigmas[index] * sigmas[index] + 1).squareRoot(), sample))
  }

  func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float] {
    let (sigma, next) = (sigmas[index], sigmas[index + 1])
    let clean = estimate(sample, output, at: index)
    guard isAncestral else {
      // sample + (sample - clean) / sigma * (next - sigma)
      let share = (next - sigma) / sigma
      return linearCombination((1 + share, sample), (-share, clean))
    }
    let up = (next * next * (sigma * sigma - next * next) / (sigma * sigma)).squareRoot()
    let down = max(0, next * next - up * up).squareRoot()
    let share = (down - sigma) / sigma
    return linearCombination((1 + share, sample), (-share, clean), (up, noise()))
  }

  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float] {
    let sigma = sigmas[index]
    return switch prediction {
    case .epsilon: linearCombination((1, sample), (-sigma, output))
    case .velocity:
      linearCombination((-sigma / (sigma * sigma + 1).squareRoot(), output), (1 / (sigma * sigma + 1), sample))
    case .sample: output
    }
  }

  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float] {
    linearCombination((1, clean), (sigmas[index], noise))
  }
}
