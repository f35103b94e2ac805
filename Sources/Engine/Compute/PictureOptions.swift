/// Group norm over a whole picture: `(x - mean) / sqrt(variance + epsilon) · weight + bias`.
package struct GroupNorm: Sendable {
  /// Number of groups of channels.
  package let groups: Int
  /// Added to the variance.
  package let epsilon: Float
  /// `(channels,)`
  package let weight: [Float]
  /// `(channels,)`
  package let bias: [Float]

  /// Describes a norm.
  package init(groups: Int, epsilon: Float, weight: [Float], bias: [Float]) {
    self.groups = groups
    self.epsilon = epsilon
    self.weight = weight
    self.bias = bias
  }

  func check(channels: Int) throws(ComputeError) {
    guard groups > 0, channels % groups == 0, weight.count == channels, bias.count == channels else {
      throw .badShape(type: .f32, rows: groups, columns: channels)
    }
  }
}

/// Layer norm over the channels of one token.
package struct LayerNorm: Sendable {
  /// Added to the variance.
  package let epsilon: Float
  /// `(channels,)`
  package let weight: [Float]
  /// `(channels,)`
  package let bias: [Float]

  /// Describes a norm.
  package init(epsilon: Float, weight: [Float], bias: [Float]) {
    self.epsilon = epsilon
    self.weight = weight
    self.bias = bias
  }

  func check(channels: Int) throws(ComputeError) {
    guard weight.count == channels, bias.count == channels else {
      throw .badShape(type: .f32, rows: weight.count, columns: channels)
    }
  }
}

/// Operations on the input of a convolution: a norm, then an activation, then upsampling.
package struct Prologue: Sendable {
  /// A norm, or none.
  package enum Normalization: Sendable {
    case none
    /// Group norm, with the mean and variance of each picture.
    case group(GroupNorm)
    /// Layer norm, with the mean and variance of each token.
    case layer(LayerNorm)
  }

  /// Norm, applied first.
  package var normalization: Normalization
  /// Activation, applied after the norm.
  package var activation: Activation?
  /// Indicates whether the input is then upsampled by 2 to the nearest neighbour.
  package var upsamples: Bool

  /// Describes a prologue; by default none of the operations.
  package init(normalization: Normalization = .none, activation: Activation? = nil, upsamples: Bool = false) {
    self.normalization = normalization
    self.activation = activation
    self.upsamples = upsamples
  }

  /// No operation.
  package static let none = Prologue()
}

/// Operations on the sums of a convolution after its bias: the addend, then the activation, then the residual.
package struct Epilogue {
  /// Addend `(count, outputChannels)`, added to every pixel of each picture; or nil.
  package var addend: UnsafePointer<Float>?
  /// Activation, applied after the addend; or nil.
  package var activation: Activation?
  /// Residual with the shape and strides of the output (and may be it), added last; or nil.
  package var residual: UnsafePointer<Float>?

  /// Describes an epilogue; by default none of the operations.
  package init(
    addend: UnsafePointer<Float>? = nil, activation: Activation? = nil, residual: UnsafePointer<Float>? = nil
  ) {
    self.addend = addend
    self.activation = activation
    self.residual = residual
  }

  /// No operation.
  package static var none: Epilogue { Epilogue() }
}
