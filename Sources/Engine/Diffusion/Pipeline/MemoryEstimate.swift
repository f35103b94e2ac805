import Compute

/// Memory of making a picture, in bytes, estimated before anything is loaded.
struct MemoryEstimate {
  let text: Int
  let unet: Int
  let unetActivations: Int
  let decoder: Int
  let decoderActivations: Int

  /// - Parameters:
  ///   - width: width of the picture in pixels.
  ///   - isGuided: whether the network runs on both prompts at once.
  init(_ model: DiffusionModel, width: Int, height: Int, isGuided: Bool, precision: PicturePrecision) {
    let perWeight = precision == .fast ? 2 : 4
    let (parts, pixels) = (model.parts, width / 8 * (height / 8))
    // Token embeddings are read from the file and not kept.
    func weights(_ table: TensorTable) -> Int {
      table.tensors.reduce(0) { $1.key.hasPrefix("embeddings.") ? $0 : $0 + $1.value.count * perWeight }
    }
    text = max(weights(parts.textEncoder), weights(parts.textEncoder2)) + (64 << 20)
    unet = weights(parts.unet)
    let base = parts.unet["conv_in.weight"]?.shape.first ?? 320
    // At full resolution: skip connections, a concatenated map, and a transformer's inner layer, in F32.
    let maps = base * (4 + 6 + 12)
    unetActivations = (isGuided ? 2 : 1) * pixels * maps * 4 + (96 << 20)
    decoder = parts.vae.tensors.reduce(0) { $1.key.hasPrefix("encoder.") ? $0 : $0 + $1.value.count * perWeight }
    let channels = parts.vae["decoder.conv_out.weight"].map { $0.shape.count > 1 ? $0.shape[1] : 128 } ?? 128
    let area = min(pixels, TiledDecoder.wholeArea)
    // Three maps of the widest level, which has twice the last level's channels, and one of the last.
    decoderActivations = area * 64 * channels * 7 * 4 + (64 << 20)
  }

  /// Peak if the UNet is kept for the next picture.
  var peak: Int { max(text, unet + unetActivations, unet + decoder + decoderActivations) }
  /// Peak if the UNet is freed before the picture is decoded.
  var frugalPeak: Int { max(text, unet + unetActivations, decoder + decoderActivations) }
}
