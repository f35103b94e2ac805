import Images

/// Rough picture of a latent without a decoder: each colour is a linear combination of the channels.
enum LatentPreview {
  /// Weights `(channels, 3)` and bias, fitted by users of the models; taken from ComfyUI.
  private static let usual: [[Float]] = [
    [0.3512, 0.2297, 0.3227], [0.3250, 0.4974, 0.2350], [-0.2829, 0.1762, 0.2721], [-0.2120, -0.2616, -0.7177],
  ]
  private static let large: [[Float]] = [
    [0.3651, 0.4232, 0.4341], [-0.2533, -0.0042, 0.1068], [0.1076, 0.1111, -0.0362], [-0.3165, -0.2492, -0.2188],
  ]
  private static let largeBias: [Float] = [0.1084, -0.0175, -0.0011]

  /// Returns a picture of the latent's size; nil for an unknown number of channels.
  static func picture(_ latents: [Float], _ plan: Plan, _ variant: DiffusionVariant) -> PixelImage? {
    let weights = variant == .stableDiffusionXL ? large : usual
    let bias = variant == .stableDiffusionXL ? largeBias : [0, 0, 0]
    guard plan.channels == weights.count else { return nil }
    var floats = [Float](repeating: 0, count: plan.pixels * 3)
    for pixel in 0..<plan.pixels {
      for colour in 0..<3 {
        var sum = bias[colour]
        for channel in weights.indices { sum += weights[channel][colour] * latents[channel * plan.pixels + pixel] }
        floats[pixel * 3 + colour] = sum
      }
    }
    return PixelImage(width: plan.latentWidth, height: plan.latentHeight, floats: floats)
  }
}

extension PixelImage {
  /// Makes a picture of values `(height, width, 3)`, clamped to -1...1.
  init(width: Int, height: Int, floats: [Float]) {
    self.init(
      width: width, height: height,
      bytes: floats.map { value in
        let scaled = (value / 2 + 0.5) * 255
        return scaled > 0 ? UInt8(min(255, scaled.rounded())) : 0
      })
  }

  /// Values from -1 to 1, `(3, height, width)`.
  var planes: [Float] {
    let pixels = width * height
    var result = [Float](repeating: 0, count: 3 * pixels)
    for pixel in 0..<pixels {
      for colour in 0..<3 { result[colour * pixels + pixel] = Float(bytes[pixel * 3 + colour]) / 127.5 - 1 }
    }
    return result
  }

  /// Luma of each pixel, from 0 to 1 (Rec. 601).
  var luma: [Float] {
    (0..<width * height).map { pixel in
      let (red, green, blue) = (bytes[pixel * 3], bytes[pixel * 3 + 1], bytes[pixel * 3 + 2])
      return (0.299 * Float(red) + 0.587 * Float(green) + 0.114 * Float(blue)) / 255
    }
  }
}
