import Images

/// What a diffusion model is asked for.
package struct DiffusionRequest: Sendable, Equatable {
  /// What the picture shows; `(words:1.3)` weighs words, `<lora:name:0.8>` adds a LoRA.
  package var prompt: String
  /// What it must not show; nil for nothing, which SDXL tells from an empty text.
  package var negativePrompt: String?
  /// Pixels from left to right.
  package var width: Int
  /// Pixels from top to bottom.
  package var height: Int
  /// How often the picture is refined; nil for what suits the model.
  package var steps: Int?
  /// How strictly the prompt is followed; 1 and less ignores the negative prompt and is twice as fast. Nil for what suits the model.
  package var guidance: Double?
  /// The same seed gives the same picture.
  package var seed: UInt64
  /// The way from noise to picture; nil for what suits the model.
  package var scheduler: SchedulerKind?
  /// Where the noise comes from.
  package var noise: NoiseKind
  /// A picture to begin from, of any size.
  package var initial: PixelImage?
  /// How much of the initial picture is made anew, from 0 to 1.
  package var strength: Double
  /// Where the initial picture is made anew: where this is lighter than middle grey. Of any size; nil for everywhere.
  package var mask: PixelImage?
  /// Steps between two previews; 0 for none.
  package var previewInterval: Int

  /// Makes a request; what is left out is as usual.
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

/// How a diffusion model is loaded and run.
package struct DiffusionSettings: Sendable {
  /// Threads that compute; nil for all usable cores.
  package var threadCount: Int?
  /// How products are computed.
  package var precision: Precision
  /// Another autoencoder than the model's own: a file, or a folder of diffusers.
  package var autoencoder: String?
  /// TAESD's decoder, for previews in full size.
  package var previewDecoder: String?
  /// Folders that are searched for LoRAs.
  package var loraFolders: [String]
  /// CLIP's `merges.txt`, for models that come without a tokenizer.
  package var merges: String?
  /// Says how many bytes may be used; nil where that is not known.
  package var availableMemory: @Sendable () -> Int?
  /// The beginning of the model file's hash, for pictures to name it.
  package var modelHash: String?

  /// How products are computed.
  package enum Precision: Sendable {
    /// In F32 throughout.
    case exact
    /// With BF16 factors and F32 sums.
    case fast
  }

  /// Makes settings; what is left out is as usual.
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
