/// Method that takes a noisy latent step by step to a noise-free one.
///
/// Numbers and order of operations follow the class of the same name in diffusers.
protocol Scheduler {
  /// Times at which the network runs, in order.
  var timesteps: [Double] { get }
  /// Scale of initial noise of standard deviation 1.
  var initialScale: Double { get }
  /// Returns the input of the network for a sample.
  func modelInput(_ sample: [Float], at index: Int) -> [Float]
  /// Computes the next sample.
  /// - Parameters:
  ///   - output: the network's output for ``modelInput(_:at:)``.
  ///   - noise: draws fresh noise of the sample's size; called only by schedulers that add noise.
  mutating func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float]
  /// Returns the estimate of the noise-free latent from the network's output.
  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float]
  /// Adds the noise of the level before a step to a noise-free latent, for image to image.
  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float]
}

extension Scheduler {
  var initialScale: Double { 1 }
  func modelInput(_ sample: [Float], at index: Int) -> [Float] { sample }
}

/// Returns the linear combination of arrays of the same length.
func linearCombination(_ terms: (factor: Double, values: [Float])...) -> [Float] {
  guard let count = terms.first?.values.count else { return [] }
  var result = [Float](repeating: 0, count: count)
  for (factor, values) in terms {
    let factor = Float(factor)
    result.withUnsafeMutableBufferPointer { result in
      values.withUnsafeBufferPointer { values in
        for index in 0..<count { result[index] += factor * values[index] }
      }
    }
  }
  return result
}

/// Noise levels of a model, with the choices of times for the schedulers.
struct NoiseLevels {
  let configuration: SchedulerConfiguration
  let alphas: [Double]

  init(_ configuration: SchedulerConfiguration) {
    self.configuration = configuration
    alphas = configuration.cumulativeAlphas
  }

  var count: Int { alphas.count }

  /// Returns the variance share of the picture at a time, clamped to the times of training.
  func alpha(at time: Double) -> Double { alphas[min(max(Int(time), 0), count - 1)] }

  /// Standard deviation of the noise relative to the picture, `(trainingSteps,)`, rising.
  var sigmas: [Double] {
    alphas.enumerated().map { index, alpha in
      // With no signal left at the end, alpha is 2^-24, as in diffusers.
      let alpha = configuration.rescalesToZeroSNR && index == count - 1 ? 0x1p-24 : alpha
      return ((1 - alpha) / alpha).squareRoot()
    }
  }

  /// Returns the times of the one-step methods (Euler, DDIM, PNDM), falling.
  func times(_ steps: Int, spacing: SchedulerConfiguration.Spacing, isRounded: Bool) -> [Double] {
    let result: [Double]
    switch spacing {
    case .linspace: result = Array(SchedulerConfiguration.linspace(0, Double(count - 1), steps).reversed())
    case .leading:
      let ratio = count / steps
      return (0..<steps).reversed().map { Double($0 * ratio + configuration.stepsOffset) }
    case .trailing: return trailing(steps)
    }
    return isRounded ? result.map { $0.rounded(.toNearestOrEven) } : result
  }

  /// Returns the times of the multistep solvers, falling.
  func solverTimes(_ steps: Int, spacing: SchedulerConfiguration.Spacing) -> [Double] {
    switch spacing {
    case .linspace:
      return SchedulerConfiguration.linspace(0, Double(count - 1), steps + 1).reversed().dropLast()
        .map { $0.rounded(.toNearestOrEven) }
    case .leading:
      let ratio = count / (steps + 1)
      return (1...steps).reversed().map { Double($0 * ratio + configuration.stepsOffset) }
    case .trailing: return trailing(steps)
    }
  }

  private func trailing(_ steps: Int) -> [Double] {
    let ratio = Double(count) / Double(steps)
    return (0..<steps).map { max(0, (Double(count) - Double($0) * ratio).rounded(.toNearestOrEven) - 1) }
  }

  /// Interpolates the noise level at a time.
  func sigma(at time: Double, in sigmas: [Double]) -> Double {
    let place = min(max(time, 0), Double(count - 1))
    let low = min(Int(place), count - 2)
    return sigmas[low] + (sigmas[low + 1] - sigmas[low]) * (place - Double(low))
  }

  /// Interpolates the time of a noise level, on a logarithmic scale.
  func time(of sigma: Double, in sigmas: [Double]) -> Double {
    let wanted = max(sigma, 1e-10).logarithm
    let low = min(max((sigmas.lastIndex { $0.logarithm <= wanted } ?? 0), 0), count - 2)
    let (first, second) = (sigmas[low].logarithm, sigmas[low + 1].logarithm)
    let share = min(max((first - wanted) / (first - second), 0), 1)
    return (1 - share) * Double(low) + share * Double(low + 1)
  }

  /// Returns noise levels that are denser towards the end (Karras et al. 2022, equation 5, ρ = 7).
  static func karras(from largest: Double, to smallest: Double, steps: Int) -> [Double] {
    let (high, low) = (largest.power(1 / 7), smallest.power(1 / 7))
    return SchedulerConfiguration.linspace(0, 1, steps).map { (high + $0 * (low - high)).power(7) }
  }
}
