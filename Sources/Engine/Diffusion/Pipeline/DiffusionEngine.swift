import Compute
import Images
import Synchronization
import Threading

/// Engine that makes pictures with one diffusion model, on a thread of its own.
///
/// The model is opened at once and loaded for the first picture. One picture at a time: a second request waits for the
/// first. Text encoders are freed before the UNet runs; ``unload()`` frees the rest.
package actor DiffusionEngine: ImageEngine {
  private let thread = DedicatedThread(name: "diffusion")
  let pipeline: DiffusionPipeline
  private let modelHash: String?
  /// Facts about the model.
  package nonisolated let description: DiffusionDescription
  /// Name of the model in the generation parameters.
  package nonisolated let name: String

  /// Executor on the engine's own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Opens a model: a folder as diffusers writes it, a `.safetensors` checkpoint, or a GGUF file. Loads nothing yet.
  /// - Parameter name: name of the model in the generation parameters; nil for the file's name.
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

  /// Estimates the peak memory of a picture, in bytes: weights and activations, with parts freed as early as possible.
  package func byteCount(for request: ImageRequest) throws(DiffusionError) -> Int {
    try pipeline.byteCount(for: DiffusionRequest(request, usualSide: description.usualSide))
  }

  /// Frees all weights; the next picture loads them again.
  package func unload() { pipeline.unload() }

  /// Makes a picture; see ``generate(_:)-(DiffusionRequest)``.
  package nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error> {
    generate(DiffusionRequest(request, usualSide: description.usualSide))
  }

  /// Makes a picture. Ending the iteration, or cancelling the task that iterates, stops before the UNet's next layer.
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

  /// Denoises given noise to latents, `(channels, height / 8, width / 8)`, without decoding them.
  /// - Parameter initial: noise of standard deviation 1, in the same order; nil for that of the request's seed.
  package func latents(_ request: DiffusionRequest, initial: [Float]?) throws(DiffusionError) -> [Float] {
    try pipeline.latents(request, initial: initial, DiffusionPipeline.Hooks())
  }

  /// Decodes latents into a picture, `(height, width, 3)`, roughly from -1 to 1.
  package func decoded(_ latents: [Float], width: Int, height: Int) throws(DiffusionError) -> [Float] {
    try pipeline.decoded(latents, height: height / 8, width: width / 8, DiffusionPipeline.Hooks())
  }

  /// Makes a picture and returns the cost of each phase; for benchmarks.
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
    // Sides have been checked before anything ran.
    let size = try? ImageSize(width: request.width, height: request.height)
    let parameters = ImageParameters(
      prompt: request.prompt, negativePrompt: request.negativePrompt ?? "", steps: steps,
      sampler: (request.scheduler ?? description.scheduler).samplerName,
      guidance: request.guidance ?? description.guidance, seed: request.seed, size: size, modelHash: modelHash,
      model: name)
    send(.finished(GeneratedImage(image: image, parameters: parameters)))
  }
}

/// Flag that asks the engine's thread to stop.
private final class Stop: Sendable {
  private let flag = Atomic<Bool>(false)
  var isRaised: Bool { flag.load(ordering: .relaxed) }
  func raise() { flag.store(true, ordering: .relaxed) }
}

extension DiffusionRequest {
  /// Makes a request to a diffusion model from one to any engine.
  /// - Parameter usualSide: side of a picture without a requested size, in pixels.
  package init(_ request: ImageRequest, usualSide: Int) {
    self.init(
      prompt: request.prompt, negativePrompt: request.negativePrompt.isEmpty ? nil : request.negativePrompt,
      width: request.size?.width ?? usualSide, height: request.size?.height ?? usualSide, steps: request.steps,
      guidance: request.guidanceScale,
      seed: request.seed, scheduler: request.scheduler, noise: request.noise, initial: request.initial,
      strength: request.strength, mask: request.mask, previewInterval: request.previewInterval)
  }
}

/// Tokens and embeddings of a request's texts.
package struct ReadTexts: Sendable {
  /// Tokens of the prompt's first window, per encoder.
  package var tokens: [[Int]] = []
  package var negativeTokens: [[Int]] = []
  /// Embedding of the prompt, `(tokens, width)`.
  package var prompt: [Float] = []
  package var negative: [Float] = []
  package var pooled: [Float] = []
  package var negativePooled: [Float] = []
}

extension DiffusionEngine {
  /// Encodes the texts only.
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
