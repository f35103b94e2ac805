import Compute

/// Makes the layers of a network from its tensors and checks every shape against the others.
struct LayerLoader {
  let table: TensorTable
  let context: ComputeContext
  let precision: PicturePrecision
  /// LoRAs to add to the weights.
  var additions = LoRAStack()

  /// Largest number of channels of a layer, so that no product of sizes from a hostile file overflows.
  private static let maximumChannelCount = 1 << 16

  /// Loads a linear layer or convolution whose weights are called `name.weight`.
  /// - Parameters:
  ///   - outputs: number of output channels; nil to take it from the tensor.
  ///   - gate: activation of the second half of the outputs, which then gates the first half (GEGLU).
  func layer(
    _ name: String, inputs: Int, outputs: Int? = nil, kernel: Int = 1, stride: Int = 1,
    padding: Convolution.Padding? = nil, upsamples: Bool = false, gate: Activation? = nil
  ) throws(DiffusionError) -> Convolution {
    try layer(
      [name], inputs: inputs, outputs: outputs, kernel: kernel, stride: stride, padding: padding,
      upsamples: upsamples, gate: gate)
  }

  /// Loads linear layers with the same input as one fused layer, their outputs one after another.
  func layer(
    _ names: [String], inputs: Int, outputs: Int? = nil, kernel: Int = 1, stride: Int = 1,
    padding: Convolution.Padding? = nil, upsamples: Bool = false, gate: Activation? = nil
  ) throws(DiffusionError) -> Convolution {
    var tensors: [StoredTensor] = []
    var owned: [AlignedBuffer<Float>?] = []
    var biases: [[Float]?] = []
    for name in names {
      let tensor = try table.required(name + ".weight")
      let rows = outputs ?? tensor.shape.first ?? 0
      let expected = kernel == 1 ? [rows, inputs] : [rows, inputs, kernel, kernel]
      guard (1...Self.maximumChannelCount).contains(rows), (1...Self.maximumChannelCount).contains(inputs),
        tensor.plainShape == expected.filter({ $0 != 1 })
      else { throw .wrongShape(tensor: tensor.name, expected: expected, found: tensor.shape) }
      var values: AlignedBuffer<Float>?
      if additions.changes(name) || tensor.isTransposed {
        values = try Self.copy(try additions.added(to: tensor.floats(), name: name, shape: expected))
      }
      tensors.append(tensor)
      owned.append(values)
      biases.append(try bias(name, rows))
    }
    let result = try DiffusionError.wrapping {
      let parts = zip(tensors, zip(owned, biases)).map { tensor, more in
        let bytes = more.0.map { UnsafeRawBufferPointer($0.buffer) } ?? tensor.bytes
        return Convolution.Part(
          type: more.0 == nil ? tensor.type : .f32, bytes: bytes,
          outputChannels: tensor.shape[0], bias: more.1)
      }
      return try withExtendedLifetime((tensors, owned)) {
        try Convolution(
          parts: parts, inputChannels: inputs, kernelSize: kernel, stride: stride, padding: padding,
          upsamples: upsamples, gate: gate, precision: precision, pool: context.pool)
      }
    }
    for tensor in tensors { tensor.release() }
    return result
  }

  private static func copy(_ values: [Float]) throws(DiffusionError) -> AlignedBuffer<Float> {
    let buffer = try DiffusionError.wrapping { try AlignedBuffer<Float>(count: values.count) }
    _ = buffer.buffer.update(fromContentsOf: values)
    return buffer
  }

  private func bias(_ name: String, _ rows: Int) throws(DiffusionError) -> [Float]? {
    guard table[name + ".bias"] != nil else { return nil }
    return try vector(name + ".bias", count: rows)
  }

  /// Loads a tensor as F32 values.
  func vector(_ name: String, count: Int) throws(DiffusionError) -> [Float] {
    let tensor = try table.required(name)
    guard tensor.count == count else {
      throw .wrongShape(tensor: tensor.name, expected: [count], found: tensor.shape)
    }
    return tensor.floats()
  }

  func groupNorm(_ name: String, channels: Int, groups: Int, epsilon: Float) throws(DiffusionError) -> GroupNorm {
    guard groups > 0, channels % groups == 0 else {
      throw .wrongShape(tensor: name + ".weight", expected: [groups], found: [channels])
    }
    return GroupNorm(
      groups: groups, epsilon: epsilon, weight: try vector(name + ".weight", count: channels),
      bias: try vector(name + ".bias", count: channels))
  }

  func layerNorm(_ name: String, width: Int, epsilon: Float) throws(DiffusionError) -> LayerNorm {
    LayerNorm(
      epsilon: epsilon, weight: try vector(name + ".weight", count: width),
      bias: try vector(name + ".bias", count: width))
  }

  /// Returns the number of rows of a tensor, its first dimension.
  func rows(_ name: String) throws(DiffusionError) -> Int {
    let tensor = try table.required(name)
    guard let rows = tensor.shape.first, (1...Self.maximumChannelCount).contains(rows) else {
      throw .wrongShape(tensor: tensor.name, expected: [Self.maximumChannelCount], found: tensor.shape)
    }
    return rows
  }

  /// Returns the number of columns of a tensor, its second dimension.
  func columns(_ name: String) throws(DiffusionError) -> Int {
    let tensor = try table.required(name)
    guard tensor.shape.count > 1, (1...Self.maximumChannelCount).contains(tensor.shape[1]) else {
      throw .wrongShape(tensor: tensor.name, expected: [1, Self.maximumChannelCount], found: tensor.shape)
    }
    return tensor.shape[1]
  }
}
