import Compute
import Images
import Synchronization
import Threading

/// Makes pictures with one diffusion model, on a thread of its own.
///
/// The model is opened at once and loaded with the first picture. One picture at a time: a second request waits for the
/// first. Text encoders are freed before the network runs; ``unload()`` frees the rest.
package actor DiffusionEngine: ImageEngine {
  private let thread = DedicatedThread(name: "diffusion")
  let pipeline: DiffusionPipeline
  private let modelHash: String?
  /// What is known of the model.
  package nonisolated let description: DiffusionDescription
  /// What pictures say they are made by.
  package nonisolated let name: String

  /// All work runs on the engine's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens a model: a folder as diffusers writes it, a `.safetensors` checkpoint, or a GGUF file. Nothing is loaded yet.
  /// - Parameter name: what pictures say they are made by; nil for the file's name.
  package init(
    path: String, settings: DiffusionSettings = DiffusionSettings(), name: String? = nil
  ) throws(DiffusionError) {
    pipeline = try DiffusionPipeline(path: path, settings: settings)
    description = pipeline.model.description
    modelHash = settings.modelHash
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let ending = [".safetensors", ".gguf"].first { file.hasSuffix($0) }
    self.name = name ?? String(file.dropLast(ending?.count ?? 0))
  }

  /// The bytes that making a picture takes at most, weights and activations; less where memory is short.
  package func byteCount(for request: ImageRequest) throws(DiffusionError) -> Int {
    try pipeline.byteCount(for: DiffusionRequest(request, usualSide: description.usualSide))
  }

  /// Frees all weights; the next picture loads them again.
  package func unload() { pipeline.unload() }

  /// Makes a picture; see ``generate(_:)-(DiffusionRequest)``.
  package nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error> {
    generate(DiffusionRequest(request, usualSide: description.usualSide))
  }

  /// Makes a picture. Ending the iteration, or cancelling the task that iterates, stops the work before the network's next layer.
  /// - Returns: events, the last ``ImageEvent/finished(_:)``; throws ``DiffusionError``, or ``ImageError/cancelled``.
  package nonisolated func generate(_ request: DiffusionRequest) -> AsyncThrowingStream<ImageEvent, any Error> {
    AsyncThrowingStream { continuation in
      let stop = Stop()
      continuation.onTermination = { if case .cancelled = $0 { stop.raise() } }
      Task {
        do {
          try await run(request, stop) { continuation.yield($0) }
          continuation.finish()
        } catch DiffusionError.stopped {
          continuation.finish(throwing: ImageError.cancelled)
        } catch {
          continuation.finish(throwing: error)
        }
      }
    }
  }

  /// The latents that given noise becomes, `(channels, height / 8, width / 8)`, without a picture of them.
  /// - Parameter initial: the noise, of deviation 1, in the same order; nil for that of the request's seed.
  package func latents(_ request: DiffusionRequest, initial: [Float]?) throws(DiffusionError) -> [Float] {
    try pipeline.latents(request, initial: initial, DiffusionPipeline.Hooks())
  }

  /// The picture of latents, `(height, width, 3)`, from -1 to 1 and a little beyond.
  package func decoded(_ latents: [Float], width: Int, height: Int) throws(DiffusionError) -> [Float] {
    try pipeline.decoded(latents, height: height / 8, width: width / 8, DiffusionPipeline.Hooks())
  }

  /// Makes a picture and tells what each of its phases cost; for benchmarks.
  package func measure(_ request: DiffusionRequest) throws(DiffusionError) -> [PhaseMeasurement] {
    try pipeline.measure(request)
  }

  private func run(
    _ request: DiffusionRequest, _ stop: Stop, _ send: @escaping (ImageEvent) -> Void
  ) throws(DiffusionError) {
    let image = try pipeline.run(
      request,
      DiffusionPipeline.Hooks(
        check: { () throws(DiffusionError) in if stop.isRaised { throw .stopped } },
        report: { event in
          switch event {
          case .loading: send(.loading)
          case .step(let step, let total, let preview):
            send(.generating(step: step, total: total, preview: preview))
          }
        }))
    let steps = request.steps ?? description.steps
    // Sides are checked before anything runs.
    let size = try? ImageSize(width: request.width, height: request.height)
    let parameters = ImageParameters(
      prompt: request.prompt, negativePrompt: request.negativePrompt ?? "", steps: steps,
      sampler: (request.scheduler ?? description.scheduler).samplerName,
      guidance: request.guidance ?? description.guidance, seed: request.seed, size: size, modelHash: modelHash,
      model: name)
    send(.finished(GeneratedImage(image: image, parameters: parameters)))
  }
}

/// Asks the engine's thread to stop.
private final class Stop: Sendable {
  private let flag = Atomic<Bool>(false)
  var isRaised: Bool { flag.load(ordering: .relaxed) }
  func raise() { flag.store(true, ordering: .relaxed) }
}

extension DiffusionRequest {
  /// What any engine may be asked for, asked of a diffusion model.
  /// - Parameter usualSide: that of a picture whose size is left to the model.
  package init(_ request: ImageRequest, usualSide: Int) {
    self.init(
      prompt: request.prompt, negativePrompt: request.negativePrompt.isEmpty ? nil : request.negativePrompt,
      width: request.size?.width ?? usualSide, height: request.size?.height ?? usualSide, steps: request.steps,
      guidance: request.guidanceScale,
      seed: request.seed, scheduler: request.scheduler, noise: request.noise, initial: request.initial,
      strength: request.strength, mask: request.mask, previewInterval: request.previewInterval)
  }
}

/// What a model's text encoders made of a request.
package struct ReadTexts: Sendable {
  /// The tokens of the first window, for each encoder.
  package var tokens: [[Int]] = []
  package var negativeTokens: [[Int]] = []
  /// `(tokens, width)`
  package var prompt: [Float] = []
  package var negative: [Float] = []
  package var pooled: [Float] = []
  package var negativePooled: [Float] = []
}

extension DiffusionEngine {
  /// Reads texts and goes no further.
  package func readTexts(_ prompt: String, negative: String?) throws(DiffusionError) -> ReadTexts {
    try pipeline.readTexts(prompt, negative: negative)
  }

  /// Runs the network once without guidance.
  package func networkOutput(
    _ latents: [Float], time: Double, prompt: String, width: Int, height: Int
  ) throws(DiffusionError) -> [Float] {
    try pipeline.networkOutput(latents, time: time, prompt: prompt, width: width, height: height)
  }
}
