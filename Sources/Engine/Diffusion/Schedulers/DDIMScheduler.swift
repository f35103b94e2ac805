/// Denoising diffusion implicit models without added noise (Song et al. 2020, equation 12, η = 0).
struct DDIMScheduler: Scheduler {
  let timesteps: [Double]
  private let levels: NoiseLevels
  private let stride: Int
  private let finalAlpha: Double

  init(_ configuration: SchedulerConfiguration, steps: Int) {
    levels = NoiseLevels(configuration)
    timesteps = levels.times(steps, spacing: configuration.spacing ?? .leading, isRounded: true)
    stride = levels.count / steps
    finalAlpha = configuration.setsAlphaToOne ?? false ? 1 : levels.alphas[0]
  }

  func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float] {
    let time = timesteps[index]
    let alpha = levels.alpha(at: time)
    let previous = time - Double(stride)
    let next = previous >= 0 ? levels.alpha(at: previous) : finalAlpha
    let parts = CleanAndNoise(sample, output, alpha: alpha, levels.configuration.prediction)
    var clean = parts.clean
    // Pipelines of diffusers turn clipping off, unlike the class's default.
    if levels.configuration.clipsSample ?? false {
      let range = Float(levels.configuration.clipRange)
      for place in clean.indices { clean[place] = min(max(clean[place], -range), range) }
    }
    return linearCombination((next.squareRoot(), clean), ((1 - next).squareRoot(), parts.noise))
  }

  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float] {
    levels.estimate(sample, output, at: timesteps[index])
  }

  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float] {
    levels.noised(clean, noise, at: timesteps[index])
  }
}

/// Estimates of the picture and of the noise in a sample, from a network's output.
struct CleanAndNoise {
  let clean: [Float]
  let noise: [Float]

  /// - Parameter alpha: variance share of the picture in the sample.
  init(_ sample: [Float], _ output: [Float], alpha: Double, _ prediction: SchedulerConfiguration.Prediction) {
    let (signal, rest) = (alpha.squareRoot(), (1 - alpha).squareRoot())
    switch prediction {
    case .epsilon:
      clean = linearCombination((1 / signal, sample), (-rest / signal, output))
      noise = output
    case .velocity:
      clean = linearCombination((signal, sample), (-rest, output))
      noise = linearCombination((signal, output), (rest, sample))
    case .sample:
      clean = output
      noise = linearCombination((1 / rest, sample), (-signal / rest, output))
    }
  }
}

extension NoiseLevels {
  func estimate(_ sample: [Float], _ output: [Float], at time: Double) -> [Float] {
    CleanAndNoise(sample, output, alpha: alpha(at: time), configuration.prediction).clean
  }

  func noised(_ clean: [Float], _ noise: [Float], at time: Double) -> [Float] {
    let alpha = alpha(at: time)
    return linearCombination((alpha.squareRoot(), clean), ((1 - alpha).squareRoot(), noise))
  }
}
