/// Request for a picture.
package struct ImageRequest: Sendable, Equatable {
  /// Description of the picture.
  package var prompt: String
  /// Description of things that the picture must not show; empty for none.
  package var negativePrompt: String
  /// Size in pixels; nil for the engine's default.
  package var size: ImageSize?
  /// Seed of the random numbers; the same seed gives the same picture.
  package var seed: UInt64
  /// Number of denoising steps; nil for the model's default.
  package var steps: Int?
  /// Scale of classifier-free guidance; nil for the model's default.
  package var guidanceScale: Double?
  /// Number of steps between two previews; 0 for none.
  package var previewInterval: Int
  /// Scheduler; nil for the model's default.
  package var scheduler: SchedulerKind?
  /// Random number generator of the noise.
  package var noise = NoiseKind.torch
  /// Picture that a diffusion model starts from (image to image), of any size.
  package var initial: PixelImage?
  /// Strength of image to image: from 0 (``initial`` is kept) to 1 (``initial`` is ignored).
  package var strength = 0.6
  /// Inpainting mask: areas lighter than middle grey are generated again; nil for the whole picture.
  package var mask: PixelImage?

  /// Makes a request; omitted values take their defaults.
  package init(
    prompt: String, negativePrompt: String = "", size: ImageSize? = nil, seed: UInt64 = 0, steps: Int? = nil,
    guidanceScale: Double? = nil, previewInterval: Int = 0
  ) {
    self.prompt = prompt
    self.negativePrompt = negativePrompt
    self.size = size
    self.seed = seed
    self.steps = steps
    self.guidanceScale = guidanceScale
    self.previewInterval = previewInterval
  }
}

/// Progress of an engine that makes a picture, in this order.
package enum ImageEvent: Sendable, Equatable {
  /// Model being loaded.
  case loading
  /// Number of steps done.
  case generating(step: Int, total: Int, preview: PixelImage?)
  /// Finished picture.
  case finished(GeneratedImage)
}

/// Picture with its generation parameters.
package struct GeneratedImage: Sendable, Equatable {
  /// Pixels.
  package var image: PixelImage
  /// Generation parameters, as written into the file.
  package var parameters: ImageParameters
  /// Words of the prompt that the engine did not understand.
  package var notUnderstood: [String]
  /// Remarks on parts of the prompt that were understood but drawn differently.
  package var notes: [String]

  /// Makes a record of a picture.
  package init(image: PixelImage, parameters: ImageParameters, notUnderstood: [String] = [], notes: [String] = [])
  {
    (self.image, self.parameters, self.notUnderstood, self.notes) = (image, parameters, notUnderstood, notes)
  }
}

/// Engine that makes pictures: the sketcher or a diffusion model.
package protocol ImageEngine: Sendable {
  /// Name of the engine in the generation parameters.
  nonisolated var name: String { get }
  /// Makes a picture. The stream ends with ``ImageEvent/finished(_:)``, or throws; dropping it stops the work.
  nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error>
}
