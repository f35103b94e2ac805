import CKernels
import Threading

/// Convolutions and linear layers. Pictures are `(count, height, width, channels)`, the same memory as tokens
/// `(tokens, channels)`.
extension ComputeContext {
  /// Size of the band of packed input made at a time, in bytes: it stays in the last-level cache until it is
  /// multiplied.
  private static let bandByteCount = 16 << 20

  /// Convolves `count` pictures.
  ///
  /// The result does not depend on the thread count.
  /// - Parameters:
  ///   - input: `(count, height, width, inputChannels)`
  ///   - output: `(count, rows, columns, outputChannels)`, sized by ``Convolution/outputSize(height:width:)``,
  ///     overwritten. It may be the epilogue's residual, but not the input.
  /// - Throws: ``ComputeError/badShape(type:rows:columns:)`` for sizes that do not fit together, or
  ///   ``ComputeError/outOfMemory(byteCount:)``.
  package func convolve(
    _ layer: Convolution, _ input: UnsafePointer<Float>, count: Int = 1, height: Int, width: Int,
    prologue: Prologue = .none, epilogue: Epilogue = .none, into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    let factor = prologue.upsamples ? 2 : 1
    try checkSizes([count, height, factor, width, factor], [layer.inputChannels, layer.outputChannels])
    let size = layer.outputSize(height: height * factor, width: width * factor)
    guard size.height > 0, size.width > 0, prologue.upsamples || !layer.upsamples else {
      throw .badShape(type: .f32, rows: height, columns: width)
    }
    let packing = try inputPacking(prologue, layer, input, count: count, pixels: height * width)
    // A layer made for upsampling runs on the small picture, once for each of the four pixels that a pixel becomes.
    let frame = Frame(
      layer, height: height, width: width, repeats: layer.upsamples ? 1 : factor,
      rows: layer.upsamples ? height : size.height)
    // One band of result rows of one picture at a time, unless the packed input of all pictures is small enough.
    let isWhole = count * frame.packedHeight * frame.rowBytes <= ComputeContext.bandByteCount
    let limit = max(1, (ComputeContext.bandByteCount / frame.rowBytes - layer.kernelSize) / layer.stride + 1)
    let bands = isWhole ? 1 : (frame.rows + limit - 1) / limit
    let bandRows = (frame.rows + bands - 1) / bands
    for picture in isWhole ? 0..<1 : 0..<count {
      for first in Swift.stride(from: 0, to: frame.rows, by: bandRows) {
        let rows = min(bandRows, frame.rows - first)
        let pictures = isWhole ? count : 1
        let packedRows = isWhole ? frame.packedHeight : (rows - 1) * layer.stride + layer.kernelSize
        let packed = try scratch(byteCount: pictures * packedRows * frame.rowBytes)
        pool.run(pictures * packedRows) { part in
          let row = first * layer.stride + part % packedRows - layer.padding.top
          packRow(frame, packing, picture + part / packedRows, row, input, packed + part * frame.rowBytes)
        }
        let before = picture * frame.rows + first
        for phase in 0..<(layer.upsamples ? 4 : 1) {
          var product = frame.product(phase, outputWidth: size.width)
          product.height = Int64(rows)
          product.picture_stride = Int64(packedRows * frame.packedWidth * frame.even)
          // Results of a phase are two rows and two columns apart.
          let place =
            ((before * (layer.upsamples ? 2 : 1) + phase / 2) * size.width + phase % 2) * layer.outputChannels
          product.out = output + place
          product.residual = epilogue.residual.map { $0 + place }
          product.addend = epilogue.addend.map { $0 + picture * layer.outputChannels }
          product.activation = epilogue.activation?.rawValue ?? -1
          multiply(
            layer, product, packed, frame.taps(phase), tokens: pictures * rows * Int(product.width),
            weightOffset: phase * layer.groupByteCount / 4)
        }
      }
    }
    multiplyAddCount &+=
      count &* size.height &* size.width &* layer.rowCount &* layer.inputChannels
      &* layer.kernelSize &* layer.kernelSize
  }

  /// Packs one row of a picture, which may belong to its padding.
  private func packRow(
    _ frame: Frame, _ packing: InputPacking, _ picture: Int, _ row: Int, _ input: UnsafePointer<Float>,
    _ place: UnsafeMutablePointer<UInt8>
  ) {
    let bytes = UnsafeMutableRawPointer(place)
    guard row >= 0, row < frame.height * frame.repeats else {
      bytes.initializeMemory(as: UInt8.self, repeating: 0, count: frame.rowBytes)
      return
    }
    let pixel = frame.rowBytes / frame.packedWidth
    let (left, right) = (frame.layer.padding.left * pixel, frame.layer.padding.right * pixel)
    bytes.initializeMemory(as: UInt8.self, repeating: 0, count: left)
    (bytes + frame.rowBytes - right).initializeMemory(as: UInt8.self, repeating: 0, count: right)
    let channels = frame.layer.inputChannels
    packing.pack(
      picture, instructionSet, input + (picture * frame.height + row / frame.repeats) * frame.width * channels,
      stride: channels, count: frame.width, repeats: frame.repeats, into: place + left, outputStride: frame.even)
  }

  /// Multiplies tokens with a linear layer (kernel 1).
  /// - Parameters:
  ///   - input: `(tokens, inputChannels)` with `inputStride` floats from one token to the next.
  ///   - outputStride: floats from one token's results (and residuals) to the next.
  ///   - epilogue: its addend is `(outputChannels,)`.
  ///   - output: `(tokens, outputChannels)`, overwritten; may be the epilogue's residual, but not the input.
  /// - Throws: as ``convolve(_:_:count:height:width:prologue:epilogue:into:)``.
  package func multiply(
    _ layer: Convolution, _ input: UnsafePointer<Float>, tokens: Int, inputStride: Int? = nil,
    outputStride: Int? = nil, prologue: Prologue = .none, epilogue: Epilogue = .none,
    into output: UnsafeMutablePointer<Float>
  ) throws(ComputeError) {
    try checkSizes([tokens], [layer.inputChannels, layer.outputChannels])
    let (inputStride, outputStride) = (inputStride ?? layer.inputChannels, outputStride ?? layer.outputChannels)
    guard layer.kernelSize == 1, layer.stride == 1, layer.padding == .none, !prologue.upsamples,
      (layer.inputChannels...1 << 32).contains(inputStride),
      (layer.outputChannels...1 << 32).contains(outputStride)
    else { throw .badShape(type: .f32, rows: inputStride, columns: outputStride) }
    if case .group = prologue.normalization, inputStride != layer.inputChannels {
      throw .badShape(type: .f32, rows: inputStride, columns: layer.inputChannels)
    }
    let packing = try inputPacking(prologue, layer, input, count: 1, pixels: tokens)
    let even = layer.inputChannels + layer.inputChannels % 2
    let tokenBytes = even * layer.precision.valueByteCount
    let band = max(1, ComputeContext.bandByteCount / tokenBytes / 192) * 192
    for first in Swift.stride(from: 0, to: tokens, by: band) {
      let count = min(band, tokens - first)
      let packed = try scratch(byteCount: count * tokenBytes)
      pool.run(count, grain: 16) { range in
        packing.pack(
          0, instructionSet, input + (first + range.lowerBound) * inputStride, stride: inputStride,
          count: range.count, repeats: 1, into: packed + range.lowerBound * tokenBytes, outputStride: even)
      }
      var product = ck_picture_product()
      product.height = 1
      product.width = Int64(count)
      product.token_stride = Int64(even)
      product.out_stride = Int64(outputStride)
      product.out = output + first * outputStride
      product.residual = epilogue.residual.map { $0 + first * outputStride }
      product.addend = epilogue.addend
      product.activation = epilogue.activation?.rawValue ?? -1
      multiply(layer, product, packed, [0], tokens: count)
    }
    multiplyAddCount &+= tokens &* layer.rowCount &* layer.inputChannels
  }

  /// Multiplies packed tokens; fills in the fields of `product` that depend on the layer alone.
  private func multiply(
    _ layer: Convolution, _ product: ck_picture_product, _ packed: UnsafePointer<UInt8>, _ taps: [Int64],
    tokens: Int,
    weightOffset: Int = 0
  ) {
    let (groups, block, panel) = (layer.groupCount, Int(ck_product_tokens), 3)
    let blocks = (tokens + block - 1) / block
    let panels = (groups + panel - 1) / panel
    // Enough parts for the threads to finish together.
    let splits = min(panels, max(1, (pool.threadCount * 8 + blocks - 1) / blocks))
    let width = (panels + splits - 1) / splits * panel
    let splitCount = (groups + width - 1) / width
    taps.withUnsafeBufferPointer { taps in
      pool.run(blocks * splitCount) { part in
        var product = product
        product.weights = UnsafePointer(layer.weights.base) + weightOffset
        product.group_bytes = Int64(layer.groupByteCount)
        product.channels = Int64(layer.inputChannels + layer.inputChannels % 2)
        product.taps = taps.baseAddress
        product.tap_count = Int64(taps.count)
        product.form = layer.precision.form
        product.gate = layer.gate?.rawValue ?? -1
        product.gate_group = Int64(groups)
        product.input = packed
        product.outputs = Int64(layer.outputChannels)
        product.bias = UnsafePointer(layer.bias.base)
        let (first, group) = (part / splitCount * block, part % splitCount * width)
        ck_picture_multiply(
          instructionSet.rawValue, &product, Int64(first), Int64(min(block, tokens - first)), Int64(group),
          Int64(min(width, groups - group)))
      }
    }
  }

  /// Returns the packing of input tokens for a layer, with the norm of each picture.
  private func inputPacking(
    _ prologue: Prologue, _ layer: Convolution, _ input: UnsafePointer<Float>, count: Int, pixels: Int
  ) throws(ComputeError) -> InputPacking {
    let channels = layer.inputChannels
    var options = ck_input_packing()
    options.activation = prologue.activation?.rawValue ?? -1
    options.form = layer.precision.form
    switch prologue.normalization {
    case .none:
      return InputPacking(options: options, channels: channels, factors: nil)
    case .layer(let norm):
      try norm.check(channels: channels)
      options.is_layer_norm = 1
      options.epsilon = norm.epsilon
      let factors = try AlignedBuffer<Float>(count: 2 * channels)
      for channel in 0..<channels {
        factors[channel] = norm.weight[channel]
        factors[channels + channel] = norm.bias[channel]
      }
      return InputPacking(options: options, channels: channels, factors: factors)
    case .group(let norm):
      try norm.check(channels: channels)
      let factors = try self.factors(norm, input, count: count, pixels: pixels)
      return InputPacking(options: options, channels: channels, factors: factors)
    }
  }

  /// Throws for sizes below 1 and for products of sizes beyond any memory.
  func checkSizes(_ sizes: [Int], _ channels: [Int]) throws(ComputeError) {
    for channel in channels {
      var product = 1
      for size in sizes + [channel] {
        let (next, overflow) = product.multipliedReportingOverflow(by: max(1, size))
        guard size > 0, !overflow, next < 1 << 40 else {
          throw .badShape(type: .f32, rows: sizes.first ?? 0, columns: channel)
        }
        product = next
      }
    }
  }
}

/// Geometry of the packed input of a convolution, and of its results.
private struct Frame {
  let layer: Convolution
  let height: Int
  let width: Int
  /// Number of times each pixel and each row is repeated (nearest-neighbour upsampling).
  let repeats: Int
  /// Rows of results of one picture, in one phase.
  let rows: Int
  /// Channels, rounded up to even.
  let even: Int
  let packedHeight: Int
  let packedWidth: Int
  let rowBytes: Int

  init(_ layer: Convolution, height: Int, width: Int, repeats: Int, rows: Int) {
    self.layer = layer
    self.height = height
    self.width = width
    self.repeats = repeats
    self.rows = rows
    even = layer.inputChannels + layer.inputChannels % 2
    packedHeight = height * repeats + layer.padding.top + layer.padding.bottom
    packedWidth = width * repeats + layer.padding.left + layer.padding.right
    rowBytes = packedWidth * even * layer.precision.valueByteCount
  }

  /// Returns a product with its widths and strides set; results are `outputWidth` wide.
  func product(_ phase: Int, outputWidth: Int) -> ck_picture_product {
    let places = layer.upsamples ? 2 : 1
    var product = ck_picture_product()
    product.width = Int64(outputWidth / places)
    product.token_stride = Int64(layer.stride * even)
    product.row_stride = Int64(layer.stride * packedWidth * even)
    product.out_stride = Int64(places * layer.outputChannels)
    product.out_row_stride = Int64(places * outputWidth * layer.outputChannels)
    return product
  }

  /// Returns the offset of each kernel tap from its token, in values.
  func taps(_ phase: Int) -> [Int64] {
    let size = layer.upsamples ? 2 : layer.kernelSize
    return (0..<size * size).map { tap in
      let (row, column) = (tap / size + phase / 2, tap % size + phase % 2)
      return Int64((row * packedWidth + column) * even)
    }
  }
}

/// Packing of input tokens, with a scale and a shift for each channel of each picture.
private struct InputPacking: @unchecked Sendable {
  let options: ck_input_packing
  let channels: Int
  /// `(pictures, 2, channels)`: scales, then shifts; of one picture for a layer norm; nil without a norm.
  let factors: AlignedBuffer<Float>?

  func pack(
    _ picture: Int, _ set: InstructionSet, _ x: UnsafePointer<Float>, stride: Int, count: Int, repeats: Int,
    into place: UnsafeMutablePointer<UInt8>, outputStride: Int
  ) {
    var options = options
    if let factors {
      let own = factors.base + (options.is_layer_norm != 0 ? 0 : picture * 2 * channels)
      options.scale = UnsafePointer(own)
      options.shift = UnsafePointer(own + channels)
    }
    ck_picture_pack_input(
      set.rawValue, &options, x, Int64(stride), Int64(channels), Int64(count), Int64(repeats), place,
      Int64(outputStride))
  }
}
