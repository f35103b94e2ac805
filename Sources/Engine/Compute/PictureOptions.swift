/// Norms of groups of channels over a whole picture: `(x - mean) / sqrt(variance + epsilon) · weight + bias`.
package struct GroupNorm: Sendable {
  /// Groups that the channels divide into.
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

/// Norms of the channels of one token.
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

/// What becomes of an input on its way into a product.
package struct Prologue: Sendable {
  /// A norm, or none.
  package enum Normalization: Sendable {
    case none
    /// With the mean and variance of each picture.
    case group(GroupNorm)
    /// With the mean and variance of each token.
    case layer(LayerNorm)
  }

  /// Comes first.
  package var normalization: Normalization
  /// Comes after the norm.
  package var activation: Activation?
  /// Whether each pixel then becomes two by two.
  package var upsamples: Bool

  /// Describes the way; by default nothing happens.
  package init(normalization: Normalization = .none, activation: Activation? = nil, upsamples: Bool = false) {
    self.normalization = normalization
    self.activation = activation
    self.upsamples = upsamples
  }

  /// Nothing happens.
  package static let none = Prologue()
}

/// What becomes of the sums of a product, its bias added: the addend, then the activation, then the residual.
package struct Epilogue {
  /// `(count, outputChannels)`, added to every pixel of each picture; or nil.
  package var addend: UnsafePointer<Float>?
  /// What then becomes of each value; or nil.
  package var activation: Activation?
  /// Laid out as the output (and may be it), added last; or nil.
  package var residual: UnsafePointer<Float>?

  /// Describes the end; by default nothing happens.
  package init(
    addend: UnsafePointer<Float>? = nil, activation: Activation? = nil, residual: UnsafePointer<Float>? = nil
  ) {
    self.addend = addend
    self.activation = activation
    self.residual = residual
  }

  /// Nothing happens.
  package static var none: Epilogue { Epilogue() }
}
