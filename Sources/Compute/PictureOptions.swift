/// Norms of groups of channels over a whole picture: `(x - mean) / sqrt(variance + epsilon) · weight + bias`.
public struct GroupNorm: Sendable {
  /// Groups that the channels divide into.
  public let groups: Int
  /// Added to the variance.
  public let epsilon: Float
  /// `(channels,)`
  public let weight: [Float]
  /// `(channels,)`
  public let bias: [Float]

  /// Describes a norm.
  public init(groups: Int, epsilon: Float, weight: [Float], bias: [Float]) {
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
public struct LayerNorm: Sendable {
  /// Added to the variance.
  public let epsilon: Float
  /// `(channels,)`
  public let weight: [Float]
  /// `(channels,)`
  public let bias: [Float]

  /// Describes a norm.
  public init(epsilon: Float, weight: [Float], bias: [Float]) {
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
public struct Prologue: Sendable {
  /// A norm, or none.
  public enum Normalization: Sendable {
    case none
    /// With the mean and variance of each picture.
    case group(GroupNorm)
    /// With the mean and variance of each token.
    case layer(LayerNorm)
  }

  /// Comes first.
  public var normalization: Normalization
  /// Comes after the norm.
  public var activation: Activation?
  /// Whether each pixel then becomes two by two.
  public var upsamples: Bool

  /// Describes the way; by default nothing happens.
  public init(normalization: Normalization = .none, activation: Activation? = nil, upsamples: Bool = false) {
    self.normalization = normalization
    self.activation = activation
    self.upsamples = upsamples
  }

  /// Nothing happens.
  public static let none = Prologue()
}

/// What becomes of the sums of a product, its bias added: the addend, then the activation, then the residual.
public struct Epilogue {
  /// `(count, outputChannels)`, added to every pixel of each picture; or nil.
  public var addend: UnsafePointer<Float>?
  /// What then becomes of each value; or nil.
  public var activation: Activation?
  /// Laid out as the output (and may be it), added last; or nil.
  public var residual: UnsafePointer<Float>?

  /// Describes the end; by default nothing happens.
  public init(
    addend: UnsafePointer<Float>? = nil, activation: Activation? = nil, residual: UnsafePointer<Float>? = nil
  ) {
    self.addend = addend
    self.activation = activation
    self.residual = residual
  }

  /// Nothing happens.
  public static var none: Epilogue { Epilogue() }
}
