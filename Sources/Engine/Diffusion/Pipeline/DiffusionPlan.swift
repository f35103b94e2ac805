import Compute
import Images

/// A request with everything that it leaves open decided.
struct Plan {
  let request: DiffusionRequest
  let prompt: PromptText
  let kind: SchedulerKind
  let steps: Int
  let guidance: Double
  let configuration: SchedulerConfiguration
  /// Whether the network is asked twice, with what is wanted and what is not.
  let isGuided: Bool
  /// Channels of a latent.
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
  /// Pixels of a latent.
  var pixels: Int { latentWidth * latentHeight }
  /// Values of a latent.
  var latentCount: Int { channels * pixels }

  /// A mask at a latent's size: 1 where the pixel at its corner is marked, as the reference picks it.
  func latentMask(_ marks: [Float]) -> [Float] {
    (0..<pixels).map { place in
      let (row, column) = (place / latentWidth * 8, place % latentWidth * 8)
      return marks[row * request.width + column] >= 0.5 ? 1 : 0
    }
  }
}

/// A picture's noise, drawn in the order in which diffusers draws it.
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

/// What the first step begins with.
struct StartingPoint {
  let noise: [Float]
  /// The latent of a picture to begin from.
  var clean: [Float]?
  /// `(pixels,)`, 1 where the picture is made anew; empty for everywhere.
  var mask: [Float] = []
  /// Channels that an inpainting model is given besides.
  var extra: [Float] = []
  private let channels: Int

  init(noise: [Float], needsMask: Bool, plan: Plan) {
    self.noise = noise
    channels = plan.channels
    if needsMask {
      extra = [Float](repeating: 1, count: plan.pixels) + [Float](repeating: 0, count: plan.latentCount)
    }
  }

  /// The step at which a picture of that strength begins.
  func firstStep(of count: Int, strength: Double) -> Int {
    clean == nil ? 0 : max(0, count - max(1, min(count, Int(Double(count) * strength))))
  }

  func sample(_ scheduler: any Scheduler, at index: Int) -> [Float] {
    guard let clean else { return mixture((scheduler.initialScale, noise)) }
    return scheduler.noised(clean, noise: noise, at: index)
  }

  /// The sample with the part that is not made anew put back.
  func kept(_ sample: [Float], _ scheduler: any Scheduler, after index: Int) -> [Float] {
    guard let clean, !mask.isEmpty else { return sample }
    let isLast = index + 1 == scheduler.timesteps.count
    let original = isLast ? clean : scheduler.noised(clean, noise: noise, at: index + 1)
    let pixels = mask.count
    return sample.indices.map { mask[$0 % pixels] * sample[$0] + (1 - mask[$0 % pixels]) * original[$0] }
  }
}
