/// What is to be drawn.
package struct ImageRequest: Sendable, Equatable {
  /// What the picture shows.
  package var prompt: String
  /// What it must not show.
  package var negativePrompt: String
  /// Its size; nil for what suits the engine.
  package var size: ImageSize?
  /// The same seed gives the same picture.
  package var seed: UInt64
  /// How often a diffusion model refines it; nil for what suits the model.
  package var steps: Int?
  /// How strictly a diffusion model follows the prompt; nil for what suits the model.
  package var guidanceScale: Double?
  /// Steps between two previews; 0 for none.
  package var previewInterval: Int
  /// A diffusion model's way from noise to picture; nil for what suits the model.
  package var scheduler: SchedulerKind?
  /// Where a diffusion model's noise comes from.
  package var noise = NoiseKind.torch
  /// A picture that a diffusion model begins from, of any size.
  package var initial: PixelImage?
  /// How much of that picture is made anew, from 0 to 1.
  package var strength = 0.6
  /// Where that picture is made anew: where this is lighter than middle grey; nil for everywhere.
  package var mask: PixelImage?

  /// Makes a request; what is left out is as usual.
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

/// What an engine reports while it makes a picture, in this order.
package enum ImageEvent: Sendable, Equatable {
  /// It gets ready.
  case loading
  /// So many of the steps are done.
  case generating(step: Int, total: Int, preview: PixelImage?)
  /// The picture is there.
  case finished(GeneratedImage)
}

/// A picture and how it came to be.
package struct GeneratedImage: Sendable, Equatable {
  /// The picture.
  package var image: PixelImage
  /// What it was made from, as it is written into the file.
  package var parameters: ImageParameters
  /// Words of the prompt that the engine did not understand.
  package var notUnderstood: [String]
  /// What it understood and drew otherwise.
  package var notes: [String]

  /// Makes a record of a picture.
  package init(image: PixelImage, parameters: ImageParameters, notUnderstood: [String] = [], notes: [String] = [])
  {
    (self.image, self.parameters, self.notUnderstood, self.notes) = (image, parameters, notUnderstood, notes)
  }
}

/// Something that makes pictures: the sketcher, or a diffusion model.
package protocol ImageEngine: Sendable {
  /// What pictures say they are made by.
  nonisolated var name: String { get }
  /// Makes a picture. The stream ends with ``ImageEvent/finished(_:)``, or throws; dropping it stops the work.
  nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error>
}
