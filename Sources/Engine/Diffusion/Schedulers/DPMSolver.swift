import Foundation

/// DPM-Solver++ of second order, multistep, deterministic (Lu et al. 2022, algorithm 2).
struct DPMSolver: Scheduler {
  let timesteps: [Double]
  private let levels: SolverLevels
  private let configuration: SchedulerConfiguration
  /// Last two estimates of the picture, newest last.
  private var estimates: [[Float]] = []

  init(_ configuration: SchedulerConfiguration, steps: Int, usesKarras: Bool) {
    self.configuration = configuration
    levels = SolverLevels(configuration, steps: steps, usesKarras: usesKarras)
    timesteps = levels.timesteps
  }

  mutating func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float] {
    estimates = estimates.suffix(1) + [levels.clean(sample, output, at: index, configuration.prediction)]
    let isLast = index == timesteps.count - 1
    let endsLow =
      configuration.endsWithEuler || !configuration.endsAtSmallestSigma
      || (configuration.endsWithLowerOrder ?? true) && timesteps.count < 15
    if estimates.count < 2 || configuration.solverOrder == 1 || isLast && endsLow {
      return first(sample, at: index)
    }
    return second(sample, at: index)
  }

  private func first(_ sample: [Float], at index: Int) -> [Float] {
    let (start, end) = (levels[index], levels[index + 1])
    return linearCombination(
      (end.sigma / start.sigma, sample),
      (-end.alpha * expm1(start.lambda - end.lambda), estimates[estimates.count - 1]))
  }

  private func second(_ sample: [Float], at index: Int) -> [Float] {
    let (before, start, end) = (levels[index - 1], levels[index], levels[index + 1])
    let step = end.lambda - start.lambda
    let ratio = (start.lambda - before.lambda) / step
    let shrink = expm1(-step)
    let slope = linearCombination((1 / ratio, estimates[1]), (-1 / ratio, estimates[0]))
    let share = configuration.isHeun ? end.alpha * (shrink / step + 1) : -0.5 * end.alpha * shrink
    return linearCombination(
      (end.sigma / start.sigma, sample), (-end.alpha * shrink, estimates[1]), (share, slope))
  }

  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float] {
    levels.clean(sample, output, at: index, configuration.prediction)
  }

  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float] {
    linearCombination((levels[index].alpha, clean), (levels[index].sigma, noise))
  }
}

/// Noise levels that a multistep solver visits, with the one it ends at.
struct SolverLevels {
  let timesteps: [Double]
  private let sigmas: [Double]

  /// Noise level: the sample is alpha × picture + sigma × noise.
  struct Level {
    let alpha: Double
    let sigma: Double
    /// Half the logarithm of the signal-to-noise ratio, log(alpha / sigma).
    let lambda: Double
  }

  init(_ configuration: SchedulerConfiguration, steps: Int, usesKarras: Bool) {
    let levels = NoiseLevels(configuration)
    let all = levels.sigmas
    var sigmas: [Double]
    if usesKarras {
      sigmas = NoiseLevels.karras(from: all[all.count - 1], to: all[0], steps: steps)
      timesteps = sigmas.map { levels.time(of: $0, in: all).rounded(.toNearestOrEven) }
    } else {
      timesteps = levels.solverTimes(steps, spacing: configuration.spacing ?? .linspace)
      sigmas = timesteps.map { levels.sigma(at: $0, in: all) }
    }
    sigmas.append(configuration.endsAtSmallestSigma ? all[0] : 0)
    self.sigmas = sigmas
  }

  subscript(index: Int) -> Level {
    let alpha = 1 / (sigmas[index] * sigmas[index] + 1).squareRoot()
    let sigma = sigmas[index] * alpha
    return Level(alpha: alpha, sigma: sigma, lambda: log(alpha) - log(sigma))
  }

  /// Returns the estimate of the noise-free picture from the network's output.
  func clean(
    _ sample: [Float], _ output: [Float], at index: Int, _ prediction: SchedulerConfiguration.Prediction
  ) -> [Float] {
    let level = self[index]
    return switch prediction {
    case .epsilon: linearCombination((1 / level.alpha, sample), (-level.sigma / level.alpha, output))
    case .velocity: linearCombination((level.alpha, sample), (-level.sigma, output))
    case .sample: output
    }
  }
}

extension Double {
  var logarithm: Double { log(self) }
  func power(_ exponent: Double) -> Double { pow(self, exponent) }
}

extension Float {
  var exponential: Float { exp(self) }
  var hyperbolicTangent: Float { tanh(self) }
}
