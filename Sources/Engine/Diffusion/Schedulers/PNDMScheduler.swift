/// Pseudo numerical methods without Runge-Kutta steps (Liu et al. 2022, algorithm 2): the second time is visited twice.
struct PNDMScheduler: Scheduler {
  let timesteps: [Double]
  private let levels: NoiseLevels
  private let stride: Int
  private let finalAlpha: Double
  /// Last four outputs of the network, newest last.
  private var outputs: [[Float]] = []
  private var counter = 0
  private var kept: [Float] = []

  init(_ configuration: SchedulerConfiguration, steps: Int) {
    levels = NoiseLevels(configuration)
    var times = levels.times(steps, spacing: configuration.spacing ?? .leading, isRounded: true)
    if times.count > 1 { times.insert(times[1], at: 1) }
    timesteps = times
    stride = levels.count / steps
    finalAlpha = configuration.setsAlphaToOne ?? false ? 1 : levels.alphas[0]
  }

  mutating func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float] {
    var (time, previous, sample) = (timesteps[index], timesteps[index] - Double(stride), sample)
    if counter != 1 {
      outputs = outputs.suffix(3) + [output]
    } else {
      (time, previous) = (time + Double(stride), time)
    }
    let mixed: [Float]
    switch (outputs.count, counter) {
    case (1, 0):
      mixed = output
      kept = sample
    case (1, _):
      mixed = linearCombination((0.5, output), (0.5, outputs[0]))
      sample = kept
    case (2, _): mixed = linearCombination((1.5, outputs[1]), (-0.5, outputs[0]))
    case (3, _):
      mixed = linearCombination((23.0 / 12, outputs[2]), (-16.0 / 12, outputs[1]), (5.0 / 12, outputs[0]))
    default:
      mixed = linearCombination(
        (55.0 / 24, outputs[3]), (-59.0 / 24, outputs[2]), (37.0 / 24, outputs[1]), (-9.0 / 24, outputs[0]))
    }
    counter += 1
    return move(sample, mixed, from: time, to: previous)
  }

  /// Moves a sample from one time to the previous one (equation 9).
  private func move(_ sample: [Float], _ output: [Float], from time: Double, to previous: Double) -> [Float] {
    let alpha = levels.alpha(at: time)
    let next = previous >= 0 ? levels.alpha(at: previous) : finalAlpha
    let noise = CleanAndNoise(sample, output, alpha: alpha, levels.configuration.prediction).noise
    let divisor = alpha * (1 - next).squareRoot() + (alpha * (1 - alpha) * next).squareRoot()
    return linearCombination(((next / alpha).squareRoot(), sample), (-(next - alpha) / divisor, noise))
  }

  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float] {
    levels.estimate(sample, output, at: timesteps[index])
  }

  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float] {
    levels.noised(clean, noise, at: timesteps[index])
  }
}
