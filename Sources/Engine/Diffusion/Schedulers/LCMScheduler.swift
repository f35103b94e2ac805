/// Multistep sampling of latent consistency models (Luo et al. 2023, algorithm 3).
struct LCMScheduler: Scheduler {
  let timesteps: [Double]
  private let levels: NoiseLevels
  private let finalAlpha: Double

  init(_ configuration: SchedulerConfiguration, steps: Int) {
    levels = NoiseLevels(configuration)
    let count = configuration.originalSteps
    let stride = max(1, levels.count / count)
    let falling = (1...count).reversed().map { Double($0 * stride - 1) }
    timesteps = (0..<steps).map { falling[min(count - 1, Int(Double($0) * Double(count) / Double(steps)))] }
    finalAlpha = configuration.setsAlphaToOne ?? true ? 1 : levels.alphas[0]
  }

  func step(_ sample: [Float], output: [Float], at index: Int, noise: () -> [Float]) -> [Float] {
    let time = timesteps[index]
    let configuration = levels.configuration
    var clean = estimate(sample, output, at: index)
    if configuration.clipsSample ?? false {
      let range = Float(configuration.clipRange)
      for place in clean.indices { clean[place] = min(max(clean[place], -range), range) }
    }
    let scaled = time * configuration.timestepScaling
    let data = configuration.sigmaData
    let skip = data * data / (scaled * scaled + data * data)
    let share = scaled / (scaled * scaled + data * data).squareRoot()
    let denoised = linearCombination((share, clean), (skip, sample))
    guard index + 1 < timesteps.count else { return denoised }
    let next = timesteps[index + 1] >= 0 ? levels.alpha(at: timesteps[index + 1]) : finalAlpha
    return linearCombination((next.squareRoot(), denoised), ((1 - next).squareRoot(), noise()))
  }

  func estimate(_ sample: [Float], _ output: [Float], at index: Int) -> [Float] {
    levels.estimate(sample, output, at: timesteps[index])
  }

  func noised(_ clean: [Float], noise: [Float], at index: Int) -> [Float] {
    levels.noised(clean, noise, at: timesteps[index])
  }
}
