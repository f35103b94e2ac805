/// Takes a noisy latent picture step by step to a clean one.
///
/// Numbers and order of operations are those of the class of the same name in diffusers.
protocol Scheduler {
  /// The times at which the network is asked, in order.
  var timesteps: [Double] { get }
  /// What initial noise of deviation 1 is multiplied with.
  var initialScale: Double { get }
  /// What the network is given in place of the sample.
  func modelInput(_ sample: [Float], at index: Int) -> [Float]
  /// The next sample.
  /// - Parameters:
  ///   - output: what the network says of ``modelInput(_:at:)``.
  ///   - noise: draws fresh noise of the sample's size; asked only by schedulers that add some.
  mutating func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float]
  /// The picture that the network's output says lies under a sample.
  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float]
  /// A clean picture with as much noise as there is before a step, for pictures that begin from another one.
  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float]
}

extension Scheduler {
  var initialScale: Double { 1 }
  func modelInput(_ sample: [Float], at index: Int) -> [Float] { sample }
}

/// The sum of arrays of the same length, each times a factor.
func mixture(_ terms: (factor: Double, values: [Float])...) -> [Float] {
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

/// The noise levels of a model, and which of them a scheduler visits.
struct NoiseLevels {
  let configuration: SchedulerConfiguration
  let alphas: [Double]

  init(_ configuration: SchedulerConfiguration) {
    self.configuration = configuration
    alphas = configuration.cumulativeAlphas
  }

  var count: Int { alphas.count }

  /// The share of the picture at a time; beyond the training's end that of its last level.
  func alpha(at time: Double) -> Double { alphas[min(max(Int(time), 0), count - 1)] }

  /// The deviation of the noise on a picture of deviation 1, `(trainingSteps,)`, rising.
  var sigmas: [Double] {
    alphas.enumerated().map { index, alpha in
      // With no signal left at the end the level is that of 2^-24, as in diffusers.
      let alpha = configuration.rescalesToZeroSNR && index == count - 1 ? 0x1p-24 : alpha
      return ((1 - alpha) / alpha).squareRoot()
    }
  }

  /// Times as the one-step methods (Euler, DDIM, PNDM) choose them, falling.
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

  /// Times as the multistep solvers choose them, falling.
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

  /// The noise level at a time between those of the training.
  func sigma(at time: Double, in sigmas: [Double]) -> Double {
    let place = min(max(time, 0), Double(count - 1))
    let low = min(Int(place), count - 2)
    return sigmas[low] + (sigmas[low + 1] - sigmas[low]) * (place - Double(low))
  }

  /// The time of a noise level.
  func time(of sigma: Double, in sigmas: [Double]) -> Double {
    let wanted = max(sigma, 1e-10).logarithm
    let low = min(max((sigmas.lastIndex { $0.logarithm <= wanted } ?? 0), 0), count - 2)
    let (first, second) = (sigmas[low].logarithm, sigmas[low + 1].logarithm)
    let share = min(max((first - wanted) / (first - second), 0), 1)
    return (1 - share) * Double(low) + share * Double(low + 1)
  }

  /// Noise levels that lie closer towards the end (Karras et al. 2022, equation 5, ρ = 7).
  static func karras(from largest: Double, to smallest: Double, steps: Int) -> [Double] {
    let (high, low) = (largest.power(1 / 7), smallest.power(1 / 7))
    return SchedulerConfiguration.linspace(0, 1, steps).map { (high + $0 * (low - high)).power(7) }
  }
}
