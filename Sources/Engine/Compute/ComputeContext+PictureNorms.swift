import CKernels
import Threading

extension ComputeContext {
  /// Number of pixels whose moments are summed by one part; fixed, so that results do not depend on the thread count.
  private static let momentPixels = 256

  /// Computes the scale and shift of each channel that apply a group norm.
  /// - Returns: `(count, 2, channels)`, scales before shifts.
  func factors(
    _ norm: GroupNorm, _ input: UnsafePointer<Float>, count: Int, pixels: Int
  ) throws(ComputeError) -> AlignedBuffer<Float> {
    let (channels, grain) = (norm.weight.count, ComputeContext.momentPixels)
    let chunks = (pixels + grain - 1) / grain
    let moments = try AlignedBuffer<Double>(count: count * chunks * 2 * channels)
    pool.run(count * chunks) { part in
      let (picture, first) = (part / chunks, part % chunks * grain)
      let own = moments.base + part * 2 * channels
      ck_picture_moments(
        instructionSet.rawValue, input + (picture * pixels + first) * channels, Int64(channels),
        Int64(min(grain, pixels - first)), own, own + channels)
    }
    let factors = try AlignedBuffer<Float>(count: count * 2 * channels)
    let width = channels / norm.groups
    pool.run(count * norm.groups) { part in
      let (picture, group) = (part / norm.groups, part % norm.groups)
      var (sum, square) = (0.0, 0.0)
      for chunk in 0..<chunks {
        let own = moments.base + (picture * chunks + chunk) * 2 * channels + group * width
        for channel in 0..<width {
          sum += own[channel]
          square += own[channels + channel]
        }
      }
      let values = Double(pixels * width)
      let mean = sum / values
      let factor = 1 / (max(0, square / values - mean * mean) + Double(norm.epsilon)).squareRoot()
      let own = factors.base + picture * 2 * channels
      for channel in group * width..<(group + 1) * width {
        let scale = Double(norm.weight[channel]) * factor
        own[channel] = Float(scale)
        own[channels + channel] = Float(Double(norm.bias[channel]) - mean * scale)
      }
    }
    return factors
  }

  /// Applies a group norm and an activation to `count` pictures.
  /// - Parameters:
  ///   - input: `(count, pixels, channels)`
  ///   - output: `(count, pixels, channels)`, overwritten; may be the input.
  /// - Throws: ``ComputeError/badShape(type:rows:columns:)`` or ``ComputeError/outOfMemory(byteCount:)``.
  package func normalize(
    _ norm: GroupNorm, _ input: UnsafePointer<Float>, count: Int = 1, pixels: Int, activation: Activation? = nil,
    into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    let channels = norm.weight.count
    try norm.check(channels: channels)
    try checkSizes([count, pixels], [channels])
    let factors = try factors(norm, input, count: count, pixels: pixels)
    let chunks = (pixels + 63) / 64
    pool.run(count * chunks) { part in
      let (picture, first) = (part / chunks, part % chunks * 64)
      let (own, place) = (factors.base + picture * 2 * channels, (picture * pixels + first) * channels)
      ck_picture_scale(
        instructionSet.rawValue, input + place, own, own + channels, activation?.rawValue ?? -1, Int64(channels),
        Int64(min(64, pixels - first)), output + place)
    }
  }

  /// Applies a layer norm to tokens.
  /// - Parameters:
  ///   - input: `(tokens, channels)`
  ///   - output: overwritten; may be the input.
  /// - Throws: ``ComputeError/badShape(type:rows:columns:)``.
  package func normalize(
    _ norm: LayerNorm, _ input: UnsafePointer<Float>, tokens: Int, into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    let channels = norm.weight.count
    try norm.check(channels: channels)
    try checkSizes([tokens], [channels])
    norm.weight.withUnsafeBufferPointer { weight in
      norm.bias.withUnsafeBufferPointer { bias in
        pool.run(tokens, grain: 16) { range in
          for token in range {
            instructionSet.layerNorm(
              input + token * channels, weight: weight.baseAddress, bias: bias.baseAddress, epsilon: norm.epsilon,
              count: channels, into: output + token * channels)
          }
        }
      }
    }
  }

  /// Number of values of an array that one part computes.
  private static let grain = 1 << 14

  /// Computes output = activation(input) over `count` values; the output may be the input.
  package func activate(
    _ activation: Activation, _ input: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    pool.run(max(0, count), grain: ComputeContext.grain) { range in
      let first = range.lowerBound
      instructionSet.activate(activation, input + first, count: range.count, into: output + first)
    }
  }

  /// Computes output = x + y over `count` values; the output may be an input.
  package func add(
    _ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    pool.run(max(0, count), grain: ComputeContext.grain) { range in
      let first = range.lowerBound
      instructionSet.add(x + first, y + first, count: range.count, into: output + first)
    }
  }

  /// Concatenates the channels of two pictures: `(pixels, aChannels + bChannels)`.
  package func joinChannels(
    _ a: UnsafePointer<Float>, channels aChannels: Int, _ b: UnsafePointer<Float>, channels bChannels: Int,
    pixels: Int, into output: UnsafeMutablePointer<Float>
  ) {
    precondition(aChannels > 0 && bChannels > 0 && pixels >= 0, "channels to join")
    pool.run(pixels, grain: 32) { range in
      for pixel in range {
        let place = output + pixel * (aChannels + bChannels)
        place.update(from: a + pixel * aChannels, count: aChannels)
        (place + aChannels).update(from: b + pixel * bChannels, count: bChannels)
      }
    }
  }

  /// Upsamples by 2 to the nearest neighbour: `(count, 2 · height, 2 · width, channels)`.
  package func upsample(
    _ input: UnsafePointer<Float>, count: Int = 1, height: Int, width: Int, channels: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    precondition(count > 0 && height > 0 && width > 0 && channels > 0, "a picture")
    pool.run(count * height * 2) { row in
      let source = input + row / 2 * width * channels
      let place = output + row * width * 2 * channels
      for x in 0..<width * 2 {
        (place + x * channels).update(from: source + x / 2 * channels, count: channels)
      }
    }
  }
}
