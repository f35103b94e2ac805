import Compute
import Glibc

/// Cost of one phase of a picture.
package struct PhaseMeasurement: Sendable {
  /// Phases in their order; one measurement per step.
  package enum Phase: String, Sendable {
    /// Loading and running the text encoders, for both prompts.
    case text
    case loadUNet
    case step
    case loadDecoder
    case decode
  }

  /// Phase that was measured.
  package let phase: Phase
  /// Wall-clock time.
  package let seconds: Double
  /// Processor time of all threads of the process.
  package let processorSeconds: Double
  /// Number of multiply-adds in convolutions, linear layers and attention, as the layers are defined.
  package let multiplyAdds: Int
}

extension DiffusionPipeline {
  /// Makes a picture phase by phase and returns only the cost of each phase.
  func measure(_ request: DiffusionRequest) throws(DiffusionError) -> [PhaseMeasurement] {
    try request.check()
    let plan = try Plan(request, model)
    var phases: [PhaseMeasurement] = []
    func measured<Value>(
      _ phase: PhaseMeasurement.Phase, _ body: () throws(DiffusionError) -> Value
    ) throws(DiffusionError) -> Value {
      let before = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID), context.multiplyAddCount)
      let value = try body()
      phases.append(
        PhaseMeasurement(
          phase: phase, seconds: seconds(CLOCK_MONOTONIC) - before.0,
          processorSeconds: seconds(CLOCK_PROCESS_CPUTIME_ID) - before.1,
          multiplyAdds: context.multiplyAddCount - before.2))
      return value
    }
    let texts = try measured(.text) { () throws(DiffusionError) in
      let reader = PromptReader(model: model, context: context, precision: precision, loras: [])
      return try reader.read(plan.prompt, negative: request.negativePrompt) { () throws(DiffusionError) in }
    }
    let network = try measured(.loadUNet) { () throws(DiffusionError) in
      try loadUNet(plan, [], textWidth: texts.width)
    }
    let conditions = try conditions(network, texts, plan)
    var noise = NoiseStream(request)
    var sample = noise.draw(plan.latentCount)
    let extra = [Float](repeating: 0, count: (network.inputChannels - plan.channels) * plan.pixels)
    for step in 0..<plan.steps {
      sample = try measured(.step) { () throws(DiffusionError) in
        try predict(network, sample, extra, time: Double(999 - step), conditions, plan, Hooks())
      }
    }
    network.trim()
    context.releaseScratch()
    let decoder = try measured(.loadDecoder) { () throws(DiffusionError) in
      let loader = LayerLoader(table: model.parts.vae, context: context, precision: precision)
      return try LatentDecoder(loader, model.autoencoder)
    }
    _ = try measured(.decode) { () throws(DiffusionError) in
      try TiledDecoder(decoder: decoder).decode(
        sample, height: plan.latentHeight, width: plan.latentWidth, check: { () throws(DiffusionError) in })
    }
    return phases
  }

  private func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
