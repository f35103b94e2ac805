import Compute
import Images

/// Request with all defaults resolved.
struct Plan {
  let request: DiffusionRequest
  let prompt: PromptText
  let kind: SchedulerKind
  let steps: Int
  let guidance: Double
  let configuration: SchedulerConfiguration
  /// Indicates whether the network runs on both prompts (classifier-free guidance).
  let isGuided: Bool
  /// Number of channels of a latent.
  let channels: Int

  init(_ request: DiffusionRequest, _ model: DiffusionModel) throws(DiffusionError) {
    let description = model.description
    self.request = request
    prompt = PromptText(request.prompt)
    kind = request.scheduler ?? description.scheduler
    steps = request.steps ?? description.steps
    guidance = request.guidance ?? description.guidance
    isGuided = guidance > 1 && !model.takesGuidance
    channels = model.parts.unet["conv_out.weight"]?.shape.first ?? 4
    guard (1...64).contains(channels) else {
      throw .wrongShape(tensor: "conv_out.weight", expected: [4], found: [channels])
    }
    var configuration = model.scheduler ?? SchedulerConfiguration()
    if model.scheduler == nil {
      configuration.spacing = description.isDistilled && kind != .lcm ? .trailing : .leading
      if model.hasVelocityMark { configuration.prediction = .velocity }
      if model.metadata["modelspec.prediction_type"]?.hasPrefix("v") ?? false {
        configuration.prediction = .velocity
      }
    }
    self.configuration = configuration
  }

  var latentWidth: Int { request.width / 8 }
  var latentHeight: Int { request.height / 8 }
  /// Number of pixels of a latent.
  var pixels: Int { latentWidth * latentHeight }
  /// Number of values of a latent.
  var latentCount: Int { channels * pixels }

  /// Scales a mask to a latent's size: 1 where the top left pixel is marked, as in diffusers.
  func latentMask(_ luma: [Float]) -> [Float] {
    (0..<pixels).map { place in
      let (row, column) = (place / latentWidth * 8, place % latentWidth * 8)
      return luma[row * request.width + column] >= 0.5 ? 1 : 0
    }
  }
}

/// Noise of a picture, drawn in the same order as in diffusers.
struct NoiseStream {
  private var source: any NoiseSource

  init(_ request: DiffusionRequest) {
    switch request.noise {
    case .torch: source = TorchNoise(seed: request.seed)
    case .cuda: source = PhiloxNoise(seed: request.seed)
    }
  }

  mutating func draw(_ count: Int) -> [Float] { source.draw(count) }
}

/// Input of the first step.
struct StartingPoint {
  let noise: [Float]
  /// Latent of the initial picture (image to image).
  var clean: [Float]?
  /// Inpainting mask, `(pixels,)`: 1 where the picture is generated again; empty for the whole picture.
  var mask: [Float] = []
  /// Additional input channels of an inpainting model: the mask and the masked latent.
  var extra: [Float] = []
  private let channels: Int

  init(noise: [Float], needsMask: Bool, plan: Plan) {
    self.noise = noise
    channels = plan.channels
    if needsMask {
      extra = [Float](repeating: 1, count: plan.pixels) + [Float](repeating: 0, count: plan.latentCount)
    }
  }

  /// Returns the index of the first step for a strength of image to image.
  func firstStep(of count: Int, strength: Double) -> Int {
    clean == nil ? 0 : max(0, count - max(1, min(count, Int(Double(count) * strength))))
  }

  func sample(_ scheduler: any Scheduler, at index: Int) -> [Float] {
    guard let clean else { return linearCombination((scheduler.initialScale, noise)) }
    return scheduler.noised(clean, noise: noise, at: index)
  }

  /// Restores the part of a sample outside the mask.
  func kept(_ sample: [Float], _ scheduler: any Scheduler, after index: Int) -> [Float] {
    guard let clean, !mask.isEmpty else { return sample }
    let isLast = index + 1 == scheduler.timesteps.count
    let original = isLast ? clean : scheduler.noised(clean, noise: noise, at: index + 1)
    let pixels = mask.count
    return sample.indices.map { mask[$0 % pixels] * sample[$0] + (1 - mask[$0 % pixels]) * original[$0] }
  }
}
