import Compute
import Foundation
import Images

/// Pipeline of one model from a request to a picture, on the calling thread; it keeps the loaded UNet.
final class DiffusionPipeline {
  let model: DiffusionModel
  let settings: DiffusionSettings
  let context: ComputeContext
  let precision: PicturePrecision
  private var unet: (network: UNet, loras: [PromptText.LoRAName])?
  private var prediction: SchedulerConfiguration.Prediction?
  private var previewDecoder: TinyDecoder?

  init(path: String, settings: DiffusionSettings) throws(DiffusionError) {
    self.settings = settings
    model = try DiffusionModel(path: path, autoencoder: settings.autoencoder, merges: settings.merges)
    context = ComputeContext(threadCount: settings.threadCount)
    precision = settings.precision == .exact ? .exact : .fast
  }

  /// Progress of the pipeline; see ``ImageEvent``.
  enum Event {
    case loading
    case step(Int, total: Int, preview: PixelImage?)
  }

  /// Calls between layers and steps.
  struct Hooks {
    /// Throws ``DiffusionError/stopped`` to stop.
    var check: () throws(DiffusionError) -> Void = {}
    var report: (Event) -> Void = { _ in }
  }

  /// Frees all weights.
  func unload() {
    (unet, previewDecoder) = (nil, nil)
    context.releaseScratch()
  }

  /// Makes a picture.
  func run(_ request: DiffusionRequest, _ hooks: Hooks) throws(DiffusionError) -> PixelImage {
    try request.check()
    let plan = try Plan(request, model)
    let isFrugal = try fitsOnlyFrugally(plan)
    let latents = try denoise(plan, initial: nil, hooks)
    if isFrugal { unload() }
    try hooks.check()
    return try decode(latents, plan, hooks)
  }

  /// Makes latents from given noise, without decoding them.
  /// - Parameter initial: noise of standard deviation 1, `(channels, height / 8, width / 8)`; nil for the seed's noise.
  func latents(_ request: DiffusionRequest, initial: [Float]?, _ hooks: Hooks) throws(DiffusionError) -> [Float] {
    try request.check()
    let plan = try Plan(request, model)
    _ = try fitsOnlyFrugally(plan)
    return try denoise(plan, initial: initial, hooks)
  }

  /// Estimates the peak memory of a picture, in bytes, when parts are freed as early as possible.
  func byteCount(for request: DiffusionRequest) throws(DiffusionError) -> Int {
    let plan = try Plan(request, model)
    return MemoryEstimate(
      model, width: request.width, height: request.height, isGuided: plan.isGuided, precision: precision
    ).frugalPeak
  }

  private func fitsOnlyFrugally(_ plan: Plan) throws(DiffusionError) -> Bool {
    guard let available = settings.availableMemory() else { return false }
    let estimate = MemoryEstimate(
      model, width: plan.request.width, height: plan.request.height, isGuided: plan.isGuided, precision: precision)
    // Memory of weights already loaded is not needed again.
    let loaded = unet == nil ? 0 : estimate.unet
    if estimate.peak - loaded <= available { return false }
    guard estimate.frugalPeak - loaded <= available else {
      throw .doesNotFit(needed: estimate.frugalPeak, available: available)
    }
    return true
  }

  // MARK: Phases

  private func denoise(_ plan: Plan, initial: [Float]?, _ hooks: Hooks) throws(DiffusionError) -> [Float] {
    hooks.report(.loading)
    let loras = try openLoRAs(plan)
    let reader = PromptReader(model: model, context: context, precision: precision, loras: loras)
    let texts = try reader.read(plan.prompt, negative: plan.request.negativePrompt, check: hooks.check)
    var source = NoiseStream(plan.request)
    let start = try startingPoint(plan, initial, &source, hooks)
    try hooks.check()
    let network = try loadUNet(plan, loras, textWidth: texts.width)
    var configuration = plan.configuration
    configuration.prediction = try resolvedPrediction(network, configuration.prediction)
    var scheduler = try plan.kind.makeScheduler(configuration, steps: plan.steps)
    let first = start.firstStep(of: plan.steps, strength: plan.request.strength)
    var sample = start.sample(scheduler, at: first)
    let conditions = try conditions(network, texts, plan)
    let total = scheduler.timesteps.count - first
    for index in first..<scheduler.timesteps.count {
      try hooks.check()
      let output = try predict(
        network, scheduler.modelInput(sample, at: index), start.extra, time: scheduler.timesteps[index],
        conditions,
        plan, hooks)
      guard output.allSatisfy(\.isFinite) else { throw .notFinite(step: index + 1) }
      let isPreviewed =
        plan.request.previewInterval > 0 && (index - first + 1) % plan.request.previewInterval == 0
        && index + 1 < scheduler.timesteps.count
      let preview =
        isPreviewed
        ? try preview(scheduler.estimate(sample, output, at: index), plan) : nil
      sample = scheduler.step(sample, output: output, at: index, noise: { source.draw(sample.count) })
      sample = start.kept(sample, scheduler, after: index)
      hooks.report(.step(index - first + 1, total: total, preview: preview))
    }
    network.trim()
    context.releaseScratch()
    return sample
  }

  private func openLoRAs(_ plan: Plan) throws(DiffusionError) -> [(lora: LoRA, strength: Float)] {
    var result: [(lora: LoRA, strength: Float)] = []
    for wanted in plan.prompt.loras {
      guard !wanted.name.contains("/"), wanted.name != "..",
        let path = settings.loraFolders.lazy.map({ "\($0)/\(wanted.name).safetensors" })
          .first(where: { FileManager.default.fileExists(atPath: $0) })
      else { throw .noLoRA(name: wanted.name, folders: settings.loraFolders) }
      let lora = try LoRA(path: path, name: wanted.name)
      guard lora.belongs(to: model.parts) else { throw .foreignLoRA(name: wanted.name) }
      result.append((lora, Float(wanted.strength)))
    }
    return result
  }

  func loadUNet(
    _ plan: Plan, _ loras: [(lora: LoRA, strength: Float)], textWidth: Int
  ) throws(DiffusionError) -> UNet {
    if let unet, unet.loras == plan.prompt.loras { return unet.network }
    unet = nil
    var additions = LoRAStack(loras: loras)
    if !loras.isEmpty {
      let names = OriginalUNetNames(model.parts.unet)
      additions.originalName = { names[$0] }
    }
    let loader = LayerLoader(
      table: model.parts.unet, context: context, precision: precision, additions: additions)
    let network = try UNet(loader, model.unet)
    guard network.textWidth == textWidth else {
      throw .wrongShape(tensor: "attn2.to_k.weight", expected: [textWidth], found: [network.textWidth])
    }
    guard network.outputChannels == plan.channels else {
      throw .wrongShape(tensor: "conv_out.weight", expected: [plan.channels], found: [network.outputChannels])
    }
    unet = (network, plan.prompt.loras)
    return network
  }

  func conditions(
    _ network: UNet, _ texts: TextConditions, _ plan: Plan
  ) throws(DiffusionError) -> UNet.Conditions {
    let tokens = texts.prompt.count / texts.width
    let count = plan.isGuided ? 2 : 1
    let text = try network.makeMap(count: count, height: 1, width: tokens, channels: texts.width)
    let values = plan.isGuided ? texts.negative + texts.prompt : texts.prompt
    _ = text.values.update(fromContentsOf: values)
    var conditions = UNet.Conditions(text: text)
    conditions.guidance = plan.guidance
    if let addition = network.addition {
      conditions.pooled = plan.isGuided ? [texts.negativePooled, texts.pooled] : [texts.pooled]
      guard conditions.pooled.allSatisfy({ $0.count == addition.pooledWidth }) else {
        throw .wrongShape(
          tensor: "add_embedding.linear_1.weight", expected: [texts.pooled.count], found: [addition.pooledWidth])
      }
      let size = [Float(plan.request.height), Float(plan.request.width)]
      conditions.sizes = size + [0, 0] + size
    }
    return conditions
  }

  /// Runs the network on a sample, with classifier-free guidance (Ho and Salimans 2022).
  func predict(
    _ network: UNet, _ sample: [Float], _ extra: [Float], time: Double, _ conditions: UNet.Conditions,
    _ plan: Plan,
    _ hooks: Hooks
  ) throws(DiffusionError) -> [Float] {
    let count = conditions.text.count
    let one = sample + extra
    guard one.count == network.inputChannels * plan.pixels else {
      throw .wrongShape(
        tensor: "conv_in.weight", expected: [one.count / plan.pixels], found: [network.inputChannels])
    }
    let input = try network.makeMap(
      planes: count == 2 ? one + one : one, count: count, height: plan.latentHeight, width: plan.latentWidth,
      channels: network.inputChannels)
    let output = try network(input, time: time, conditions, check: hooks.check).planes()
    guard count == 2 else { return output }
    let (half, guidance) = (output.count / 2, Float(plan.guidance))
    return (0..<half).map { output[$0] + guidance * (output[half + $0] - output[$0]) }
  }

  /// Determines the network's prediction, by a trial if the file does not tell: for a flat grey at the last time, a
  /// network that predicts noise gives about that grey, one that predicts velocity something far below.
  private func resolvedPrediction(
    _ network: UNet, _ said: SchedulerConfiguration.Prediction
  ) throws(DiffusionError) -> SchedulerConfiguration.Prediction {
    guard model.scheduler == nil, model.variant == .stableDiffusion2, !model.hasVelocityMark else { return said }
    if let text = model.metadata["modelspec.prediction_type"] { return text.hasPrefix("v") ? .velocity : .epsilon }
    if let prediction { return prediction }
    let side = 8
    let sample = [Float](repeating: 0.5, count: network.inputChannels * side * side)
    let input = try network.makeMap(
      planes: sample, count: 1, height: side, width: side, channels: network.inputChannels)
    let text = try network.makeMap(count: 1, height: 1, width: 2, channels: network.textWidth)
    text.values.update(repeating: 0.5)
    let output = try network(input, time: 999, UNet.Conditions(text: text)).values
    let mean = output.reduce(0.0) { $0 + Double($1) - 0.5 } / Double(max(1, output.count))
    let found: SchedulerConfiguration.Prediction = mean < -1 ? .velocity : .epsilon
    prediction = found
    return found
  }

  // MARK: Pictures

  private func startingPoint(
    _ plan: Plan, _ initial: [Float]?, _ source: inout NoiseStream, _ hooks: Hooks
  ) throws(DiffusionError) -> StartingPoint {
    if let initial {
      guard initial.count == plan.latentCount else {
        throw .badRequest(value: "initial", given: "\(initial.count) values for \(plan.latentCount)")
      }
      return StartingPoint(noise: initial, needsMask: model.description.takesMask, plan: plan)
    }
    guard let picture = plan.request.initial else {
      return StartingPoint(
        noise: source.draw(plan.latentCount), needsMask: model.description.takesMask, plan: plan)
    }
    let loader = LayerLoader(table: model.parts.vae, context: context, precision: precision)
    let encoder = try LatentEncoder(loader, model.autoencoder)
    guard encoder.latentChannels == plan.channels, encoder.factor == 8 else {
      throw .wrongShape(
        tensor: "encoder.conv_out.weight", expected: [2 * plan.channels], found: [2 * encoder.latentChannels])
    }
    func encoded(_ planes: [Float]) throws(DiffusionError) -> [Float] {
      let (mean, deviation) = try encoder.encode(
        planes, height: plan.request.height, width: plan.request.width, check: hooks.check)
      let noise = source.draw(mean.count)
      let (scale, shift) = (Float(model.autoencoder.scale ?? 1), Float(model.autoencoder.shift))
      return mean.indices.map { (mean[$0] + deviation[$0] * noise[$0] - shift) * scale }
    }
    let planes = picture.scaled(toWidth: plan.request.width, height: plan.request.height).planes
    let clean = try encoded(planes)
    let noise = source.draw(plan.latentCount)
    var start = StartingPoint(noise: noise, needsMask: false, plan: plan)
    start.clean = clean
    if let mask = plan.request.mask {
      let luma = mask.scaled(toWidth: plan.request.width, height: plan.request.height).luma
      start.mask = plan.latentMask(luma)
      if model.description.takesMask {
        let pixels = luma.count
        let masked = planes.enumerated().map { luma[$0 % pixels] >= 0.5 ? 0 : $1 }
        start.extra = start.mask + (try encoded(masked))
      }
    } else if model.description.takesMask {
      start.extra = [Float](repeating: 1, count: plan.pixels) + [Float](repeating: 0, count: plan.latentCount)
    }
    encoder.trim()
    return start
  }

  private func decode(_ latents: [Float], _ plan: Plan, _ hooks: Hooks) throws(DiffusionError) -> PixelImage {
    PixelImage(
      width: plan.request.width, height: plan.request.height,
      floats: try decoded(latents, height: plan.latentHeight, width: plan.latentWidth, hooks))
  }

  /// Decodes a latent into a picture, `(height · 8, width · 8, 3)`, roughly from -1 to 1.
  func decoded(
    _ latents: [Float], height: Int, width: Int, _ hooks: Hooks
  ) throws(DiffusionError) -> [Float] {
    let loader = LayerLoader(table: model.parts.vae, context: context, precision: precision)
    let decoder = try LatentDecoder(loader, model.autoencoder)
    guard decoder.factor == 8, latents.count == decoder.latentChannels * height * width else {
      throw .wrongShape(
        tensor: "decoder.conv_in.weight", expected: [latents.count / max(1, height * width)],
        found: [decoder.latentChannels])
    }
    let (scale, shift) = (Float(model.autoencoder.scale ?? 1), Float(model.autoencoder.shift))
    let picture = try TiledDecoder(decoder: decoder).decode(
      latents.map { $0 / scale + shift }, height: height, width: width, check: hooks.check)
    decoder.trim()
    context.releaseScratch()
    guard picture.allSatisfy(\.isFinite) else { throw .notFinite(step: 0) }
    return picture
  }

  private func preview(_ latents: [Float], _ plan: Plan) throws(DiffusionError) -> PixelImage? {
    if let path = settings.previewDecoder {
      if previewDecoder == nil {
        let loader = LayerLoader(table: try TensorTable(path: path), context: context, precision: precision)
        previewDecoder = try TinyDecoder(loader)
      }
      if let previewDecoder, previewDecoder.latentChannels == plan.channels {
        let map = try previewDecoder.decode(latents, height: plan.latentHeight, width: plan.latentWidth)
        return PixelImage(width: map.width, height: map.height, floats: Array(map.values))
      }
    }
    return LatentPreview.picture(latents, plan, model.variant)
  }
}
