/// What is to be drawn.
public struct ImageRequest: Sendable, Equatable {
  /// What the picture shows.
  public var prompt: String
  /// What it must not show.
  public var negativePrompt: String
  /// Its size.
  public var size: ImageSize
  /// The same seed gives the same picture.
  public var seed: UInt64
  /// How often a diffusion model refines it.
  public var steps: Int
  /// How strictly a diffusion model follows the prompt.
  public var guidanceScale: Double
  /// Steps between two previews.
  public var previewInterval: Int
  /// A diffusion model's way from noise to picture; nil for what suits the model.
  public var scheduler: SchedulerKind?
  /// Where a diffusion model's noise comes from.
  public var noise = NoiseKind.torch
  /// A picture that a diffusion model begins from, of any size.
  public var initial: PixelImage?
  /// How much of that picture is made anew, from 0 to 1.
  public var strength = 0.6
  /// Where that picture is made anew: where this is lighter than middle grey; nil for everywhere.
  public var mask: PixelImage?

  /// Makes a request; what is left out is as usual.
  public init(
    prompt: String, negativePrompt: String = "", size: ImageSize = .usual, seed: UInt64 = 0, steps: Int = 20,
    guidanceScale: Double = 7.5, previewInterval: Int = 2
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
public enum ImageEvent: Sendable, Equatable {
  /// It gets ready.
  case loading
  /// So many of the steps are done.
  case generating(step: Int, total: Int, preview: PixelImage?)
  /// The picture is there.
  case finished(GeneratedImage)
}

/// A picture and how it came to be.
public struct GeneratedImage: Sendable, Equatable {
  /// The picture.
  public var image: PixelImage
  /// What it was made from, as it is written into the file.
  public var parameters: ImageParameters
  /// Words of the prompt that the engine did not understand.
  public var notUnderstood: [String]
  /// What it understood and drew otherwise.
  public var notes: [String]

  /// Makes a record of a picture.
  public init(image: PixelImage, parameters: ImageParameters, notUnderstood: [String] = [], notes: [String] = []) {
    (self.image, self.parameters, self.notUnderstood, self.notes) = (image, parameters, notUnderstood, notes)
  }
}

/// Something that makes pictures: the sketcher, or a diffusion model.
public protocol ImageEngine: Sendable {
  /// What pictures say they are made by.
  nonisolated var name: String { get }
  /// Makes a picture. The stream ends with ``ImageEvent/finished(_:)``, or throws; dropping it stops the work.
  nonisolated func generate(_ request: ImageRequest) -> AsyncThrowingStream<ImageEvent, any Error>
}
