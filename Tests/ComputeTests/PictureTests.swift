import Compute
import Foundation
import Testing
import Threading

@Suite struct PictureTests {
  static let precisions: [PicturePrecision] = [.exact, .fast]

  struct Shape: Sendable {
    var count = 1
    var height = 5
    var width = 7
    var channels = 6
    var outputs = 20
    var kernel = 3
    var stride = 1
    var padding: Convolution.Padding?
    var upsamples = false
    /// Indicates whether the layer itself is made for upsampling.
    var isQuartered = false
  }

  static let shapes: [Shape] = [
    Shape(), Shape(count: 2, height: 8, width: 8, channels: 33, outputs: 50),
    Shape(count: 3, height: 3, width: 2, channels: 1, outputs: 1),
    Shape(height: 9, width: 6, channels: 8, outputs: 17, stride: 2),
    Shape(height: 8, width: 8, channels: 8, outputs: 16, stride: 2, padding: .trailing),
    Shape(count: 2, height: 4, width: 5, channels: 12, outputs: 70, upsamples: true),
    Shape(count: 2, height: 4, width: 5, channels: 12, outputs: 70, upsamples: true, isQuartered: true),
    Shape(height: 7, width: 1, channels: 5, outputs: 3, upsamples: true, isQuartered: true),
    Shape(count: 2, height: 6, width: 6, channels: 70, outputs: 40, kernel: 1),
    Shape(height: 1, width: 1, channels: 400, outputs: 33),
    Shape(height: 20, width: 23, channels: 7, outputs: 9),
  ]

  /// The definition, in doubles; `layer` values as they are after rounding.
  static func convolution(
    _ shape: Shape, _ weights: [Float], _ bias: [Float], _ input: [Float]
  ) -> (values: [Double], height: Int, width: Int) {
    let repeats = shape.upsamples ? 2 : 1
    let padding = shape.padding ?? (shape.kernel == 3 ? .one : .none)
    let (h, w) = (shape.height * repeats, shape.width * repeats)
    let height = (h + padding.top + padding.bottom - shape.kernel) / shape.stride + 1
    let width = (w + padding.left + padding.right - shape.kernel) / shape.stride + 1
    var values: [Double] = []
    for picture in 0..<shape.count {
      for y in 0..<height {
        for x in 0..<width {
          for row in 0..<shape.outputs {
            var sum = Double(bias[row])
            for ky in 0..<shape.kernel {
              for kx in 0..<shape.kernel {
                let (sy, sx) = (y * shape.stride + ky - padding.top, x * shape.stride + kx - padding.left)
                guard sy >= 0, sy < h, sx >= 0, sx < w else { continue }
                let place = ((picture * shape.height + sy / repeats) * shape.width + sx / repeats) * shape.channels
                for channel in 0..<shape.channels {
                  let weight = ((row * shape.channels + channel) * shape.kernel + ky) * shape.kernel + kx
                  sum += Double(input[place + channel]) * Double(weights[weight])
                }
              }
            }
            values.append(sum)
          }
        }
      }
    }
    return (values, height, width)
  }

  /// The mean squared difference as a share of the mean square.
  static func deviation(_ found: [Float], _ expected: [Double]) -> Double {
    var (error, power) = (0.0, 0.0)
    for (found, expected) in zip(found, expected) {
      error += (Double(found) - expected) * (Double(found) - expected)
      power += expected * expected
    }
    return found.count == expected.count ? error / max(power, 1e-30) : .infinity
  }

  @Test(arguments: shapes, precisions)
  func convolutionsAgreeWithTheirDefinition(shape: Shape, precision: PicturePrecision) throws {
    let weights = RandomWeights.values(shape.outputs * shape.channels * shape.kernel * shape.kernel, seed: 31)
    let bias = RandomWeights.values(shape.outputs, seed: 32)
    let input = RandomWeights.values(shape.count * shape.height * shape.width * shape.channels, seed: 33)
    let expected = PictureTests.convolution(shape, weights, bias, input)
    let layer = try weights.withUnsafeBytes {
      try Convolution(
        type: .f32, bytes: $0, outputChannels: shape.outputs, inputChannels: shape.channels,
        kernelSize: shape.kernel, stride: shape.stride, padding: shape.padding, bias: bias,
        upsamples: shape.isQuartered, precision: precision)
    }
    var first: [UInt32]?
    for set in InstructionSet.available {
      for threads in [1, 3] {
        let context = ComputeContext(pool: WorkerPool(threadCount: threads), instructionSet: set)
        var found = [Float](repeating: .nan, count: expected.values.count)
        try context.convolve(
          layer, input, count: shape.count, height: shape.height, width: shape.width,
          prologue: Prologue(upsamples: shape.upsamples), into: &found)
        // F32 sums; or BF16 with 8 bits of mantissa: a product is off by up to 2^-8, a sum by 2^-9.5.
        let error = PictureTests.deviation(found, expected.values)
        #expect(error < (precision == .exact ? 1e-12 : 2e-5), "\(set): \(error)")
        let bits = found.map(\.bitPattern)
        #expect(bits == first ?? bits, "\(set) with \(threads) threads")
        first = first ?? bits
      }
    }
  }

  @Test(arguments: [TensorType.f32, .f16, .bf16, .q8_0, .q4_0, .q4_K, .q6_K])
  func everyTypeOfWeightsCanBePacked(type: TensorType) throws {
    let (rows, columns) = (37, 256)
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 41)
    var plain = [Float](repeating: 0, count: rows * columns)
    for row in 0..<rows {
      plain.withUnsafeMutableBufferPointer {
        weights.matrix.dequantizeRow(row, into: $0.baseAddress! + row * columns)
      }
    }
    let shape = Shape(height: 6, width: 5, channels: columns, outputs: rows, kernel: 1)
    let input = RandomWeights.values(30 * columns, seed: 42)
    let bias = RandomWeights.values(rows, seed: 43)
    let expected = PictureTests.convolution(shape, plain, bias, input).values
    let context = ComputeContext(threadCount: 2)
    let layer = try weights.withBytes {
      try Convolution(
        type: type, bytes: $0, outputChannels: rows, inputChannels: columns, bias: bias, precision: .exact,
        pool: context.pool)
    }
    var found = [Float](repeating: .nan, count: 30 * rows)
    try context.multiply(layer, input, tokens: 30, into: &found)
    #expect(PictureTests.deviation(found, expected) < 1e-12)
  }

  @Test(arguments: precisions)
  func partsGatesAndEndsAreWhatTheyWouldBeOneByOne(precision: PicturePrecision) throws {
    let (tokens, channels, rows) = (77, 40, 56)
    let weights = RandomWeights.values(2 * rows * channels, seed: 51)
    let bias = RandomWeights.values(2 * rows, seed: 52)
    let (addend, residual) = (
      RandomWeights.values(2 * rows, seed: 53), RandomWeights.values(tokens * 2 * rows, seed: 54)
    )
    let input = RandomWeights.values(tokens * channels, seed: 55)
    let context = ComputeContext(threadCount: 2)
    func layer(_ parts: [Range<Int>], gate: Activation? = nil) throws -> Convolution {
      try weights.withUnsafeBytes { bytes in
        try Convolution(
          parts: parts.map {
            Convolution.Part(
              type: .f32,
              bytes: UnsafeRawBufferPointer(
                rebasing: bytes[$0.lowerBound * channels * 4..<$0.upperBound * channels * 4]),
              outputChannels: $0.count, bias: Array(bias[$0]))
          }, inputChannels: channels, gate: gate, precision: precision)
      }
    }
    var whole = [Float](repeating: .nan, count: tokens * 2 * rows)
    try context.multiply(try layer([0..<2 * rows]), input, tokens: tokens, into: &whole)
    var joined = whole
    try context.multiply(try layer([0..<10, 10..<77, 77..<2 * rows]), input, tokens: tokens, into: &joined)
    #expect(joined == whole)

    var gated = [Float](repeating: .nan, count: tokens * rows)
    try context.multiply(try layer([0..<2 * rows], gate: .gelu), input, tokens: tokens, into: &gated)
    var gates = whole
    context.activate(.gelu, whole, count: whole.count, into: &gates)
    for token in 0..<tokens {
      for row in 0..<rows {
        let expected = whole[token * 2 * rows + row] * gates[token * 2 * rows + rows + row]
        #expect(gated[token * rows + row] == expected)
      }
    }

    var ended = residual
    try addend.withUnsafeBufferPointer { addend in
      try ended.withUnsafeMutableBufferPointer { ended in
        let epilogue = Epilogue(
          addend: addend.baseAddress, activation: .silu, residual: UnsafePointer(ended.baseAddress))
        try context.multiply(
          try layer([0..<2 * rows]), input, tokens: tokens, epilogue: epilogue, into: ended.baseAddress!)
      }
    }
    var sums = whole
    for index in sums.indices { sums[index] += addend[index % (2 * rows)] }
    context.activate(.silu, sums, count: sums.count, into: &sums)
    context.add(sums, residual, count: sums.count, into: &sums)
    #expect(ended == sums)
  }

  @Test func normsOnTheWayAreThoseOnTheirOwn() throws {
    let (count, height, width, channels, outputs) = (2, 9, 7, 24, 18)
    let input = RandomWeights.values(count * height * width * channels, seed: 61).map { $0 * 3 + 1 }
    let (weight, bias) = (RandomWeights.values(channels, seed: 62), RandomWeights.values(channels, seed: 63))
    let group = GroupNorm(groups: 4, epsilon: 1e-5, weight: weight, bias: bias)
    let context = ComputeContext(threadCount: 2)
    var normed = input
    try context.normalize(group, input, count: count, pixels: height * width, activation: .silu, into: &normed)
    var expected: [Double] = []
    for picture in 0..<count {
      for pixel in 0..<height * width {
        for channel in 0..<channels {
          let own = (0..<height * width).flatMap { pixel in
            (0..<6).map {
              Double(input[(picture * height * width + pixel) * channels + channel / 6 * 6 + $0])
            }
          }
          let mean = own.reduce(0, +) / Double(own.count)
          let variance = own.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(own.count)
          let value = Double(input[(picture * height * width + pixel) * channels + channel])
          let y = (value - mean) / (variance + 1e-5).squareRoot() * Double(weight[channel]) + Double(bias[channel])
          expected.append(y / (1 + exp(-y)))
        }
      }
    }
    #expect(PictureTests.deviation(normed, expected) < 1e-12)

    let weights = RandomWeights.values(outputs * channels * 9, seed: 64)
    let layer = try weights.withUnsafeBytes {
      try Convolution(
        type: .f32, bytes: $0, outputChannels: outputs, inputChannels: channels, kernelSize: 3, precision: .exact)
    }
    var (apart, fused) = (
      [Float](repeating: .nan, count: count * height * width * outputs),
      [Float](repeating: .nan, count: count * height * width * outputs)
    )
    try context.convolve(layer, normed, count: count, height: height, width: width, into: &apart)
    try context.convolve(
      layer, input, count: count, height: height, width: width,
      prologue: Prologue(normalization: .group(group), activation: .silu), into: &fused)
    #expect(fused == apart)

    let norm = LayerNorm(epsilon: 1e-5, weight: weight, bias: bias)
    let linear = try weights.withUnsafeBytes {
      try Convolution(
        type: .f32, bytes: $0, outputChannels: outputs, inputChannels: channels, precision: .exact)
    }
    let tokens = count * height * width
    try context.normalize(norm, input, tokens: tokens, into: &normed)
    try context.multiply(linear, normed, tokens: tokens, into: &apart)
    try context.multiply(
      linear, input, tokens: tokens, prologue: Prologue(normalization: .layer(norm)), into: &fused)
    #expect(PictureTests.deviation(fused, apart.map(Double.init)) < 1e-12)
  }

  @Test func hostileSizesAreRefused() throws {
    let bytes = [UInt8](repeating: 0, count: 4096)
    func layer(_ outputs: Int, _ inputs: Int, kernel: Int = 1, stride: Int = 1, bias: [Float]? = nil) throws {
      _ = try bytes.withUnsafeBytes {
        try Convolution(
          type: .f32, bytes: $0, outputChannels: outputs, inputChannels: inputs, kernelSize: kernel,
          stride: stride,
          bias: bias, precision: .fast)
      }
    }
    for (outputs, inputs) in [(0, 4), (4, 0), (-1, 4), (Int.max, 4), (4, Int.max), (1 << 19, 1 << 19), (33, 32)] {
      #expect(throws: ComputeError.self) { try layer(outputs, inputs) }
    }
    for kernel in [0, -1, 8, Int.max] { #expect(throws: ComputeError.self) { try layer(4, 4, kernel: kernel) } }
    #expect(throws: ComputeError.self) { try layer(4, 4, stride: 0) }
    #expect(throws: ComputeError.self) { try layer(4, 4, bias: [1]) }
    #expect(throws: ComputeError.self) { try Convolution(parts: [], inputChannels: 4, precision: .fast) }
    let sound = try bytes.withUnsafeBytes {
      try Convolution(
        type: .f32, bytes: $0, outputChannels: 4, inputChannels: 4, kernelSize: 3,
        padding: Convolution.Padding.none,
        precision: .fast)
    }
    let context = ComputeContext(threadCount: 1)
    let input = [Float](repeating: 0, count: 64)
    var output = input
    for (count, height, width) in [
      (0, 4, 4), (1, 0, 4), (1, 2, 4), (1, -4, 4), (Int.max, 4, 4), (1, Int.max, Int.max),
    ] {
      #expect(throws: ComputeError.self) {
        try context.convolve(sound, input, count: count, height: height, width: width, into: &output)
      }
    }
    let norm = GroupNorm(groups: 3, epsilon: 1e-5, weight: [1, 1, 1, 1], bias: [0, 0, 0, 0])
    #expect(throws: ComputeError.self) { try context.normalize(norm, input, pixels: 4, into: &output) }
    for (queries, keys, heads, size) in [
      (0, 1, 1, 4), (1, 0, 1, 4), (1, 1, 0, 4), (1, 1, 1, 0), (1, 1, 1, 513), (1, 1, Int.max, 4),
    ] {
      #expect(throws: ComputeError.self) {
        try context.attend(
          PictureAttention(queries: queries, keys: keys, heads: heads, headSize: size, precision: .fast),
          queries: input, keys: input, values: input, into: &output)
      }
    }
  }
}
