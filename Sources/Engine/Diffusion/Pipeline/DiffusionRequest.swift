import Images

/// Request to a diffusion model.
package struct DiffusionRequest: Sendable, Equatable {
  /// Description of the picture; `(words:1.3)` weights words, `<lora:name:0.8>` adds a LoRA.
  package var prompt: String
  /// Description of things that it must not show; nil for none, which SDXL distinguishes from an empty text.
  package var negativePrompt: String?
  /// Number of pixels from left to right.
  package var width: Int
  /// Number of pixels from top to bottom.
  package var height: Int
  /// Number of denoising steps; nil for the model's default.
  package var steps: Int?
  /// Scale of classifier-free guidance; nil for the model's default. 1 and less ignores the negative prompt and is
  /// twice as fast.
  package var guidance: Double?
  /// Seed of the noise; the same seed gives the same picture.
  package var seed: UInt64
  /// Scheduler; nil for the model's default.
  package var scheduler: SchedulerKind?
  /// Random number generator of the noise.
  package var noise: NoiseKind
  /// Picture to start from (image to image), of any size.
  package var initial: PixelImage?
  /// Strength of image to image: from 0 (``initial`` is kept) to 1 (``initial`` is ignored).
  package var strength: Double
  /// Inpainting mask of any size: areas lighter than middle grey are generated again; nil for the whole picture.
  package var mask: PixelImage?
  /// Number of steps between two previews; 0 for none.
  package var previewInterval: Int

  /// Makes a request; omitted values take their defaults.
  package init(
    prompt: String, negativePrompt: String? = nil, width: Int = 512, height: Int = 512, steps: Int? = nil,
    guidance: Double? = nil, seed: UInt64 = 0, scheduler: SchedulerKind? = nil, noise: NoiseKind = .torch,
    initial: PixelImage? = nil, strength: Double = 0.6, mask: PixelImage? = nil, previewInterval: Int = 0
  ) {
    (self.prompt, self.negativePrompt, self.width, self.height) = (prompt, negativePrompt, width, height)
    (self.steps, self.guidance, self.seed, self.scheduler) = (steps, guidance, seed, scheduler)
    (self.noise, self.initial, self.strength, self.mask) = (noise, initial, strength, mask)
    self.previewInterval = previewInterval
  }

  /// Checks the range of every value.
  /// - Throws: ``DiffusionError/badRequest(value:given:)``.
  func check() throws(DiffusionError) {
    for side in [width, height] where !ImageSize.sides.contains(side) || side % 64 != 0 {
      throw .badRequest(value: "size", given: "\(width)x\(height)")
    }
    if let guidance, !(0...100).contains(guidance) { throw .badRequest(value: "guidance", given: "\(guidance)") }
    guard (0...1).contains(strength) else { throw .badRequest(value: "strength", given: "\(strength)") }
    guard initial == nil || strength > 0 else { throw .badRequest(value: "strength", given: "0") }
    guard mask == nil || initial != nil else { throw .badRequest(value: "mask", given: "without a picture") }
  }
}

/// Settings for loading and running a diffusion model.
package struct DiffusionSettings: Sendable {
  /// Number of compute threads; nil for all usable cores.
  package var threadCount: Int?
  /// Precision of matrix products.
  package var precision: Precision
  /// Path of an autoencoder to use instead of the model's own: a file, or a folder of diffusers.
  package var autoencoder: String?
  /// Path of a TAESD decoder, for previews in full size.
  package var previewDecoder: String?
  /// Folders searched for LoRAs.
  package var loraFolders: [String]
  /// Path of CLIP's `merges.txt`, for models without a tokenizer.
  package var merges: String?
  /// Returns the number of bytes that may be used; nil if unknown.
  package var availableMemory: @Sendable () -> Int?
  /// First digits of the model file's hash, for the parameters in pictures.
  package var modelHash: String?

  /// Precision of matrix products.
  package enum Precision: Sendable {
    /// F32 throughout.
    case exact
    /// BF16 operands, F32 accumulation.
    case fast
  }

  /// Makes settings; omitted values take their defaults.
  package init(
    threadCount: Int? = nil, precision: Precision = .fast, autoencoder: String? = nil,
    previewDecoder: String? = nil,
    loraFolders: [String] = [], merges: String? = nil, modelHash: String? = nil,
    availableMemory: @escaping @Sendable () -> Int? = { nil }
  ) {
    (self.threadCount, self.precision, self.autoencoder) = (threadCount, precision, autoencoder)
    (self.previewDecoder, self.loraFolders, self.merges) = (previewDecoder, loraFolders, merges)
    (self.modelHash, self.availableMemory) = (modelHash, availableMemory)
  }
}
