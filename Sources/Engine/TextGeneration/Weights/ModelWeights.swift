import Compute
import ModelFormats

/// A norm's weight and bias; a norm of a family may lack either.
struct NormWeights {
  let weight: FloatBuffer?
  let bias: FloatBuffer?
}

/// A matrix with an optional bias.
struct Linear {
  let matrix: QuantizedMatrix
  let bias: FloatBuffer?
}

/// The weights of one attention.
struct AttentionWeights {
  enum Projections {
    case separate(query: Linear, key: Linear, value: Linear)
    /// One matrix whose rows are queries, keys and values in turn.
    case fused(Linear)
  }

  let projections: Projections
  let output: Linear
  let queryNorm: NormWeights?
  let keyNorm: NormWeights?
  let sinks: FloatBuffer?
}

/// The weights of a short convolution (LFM2).
struct ShortConvolutionWeights {
  let input: Linear
  /// `(width, length)`
  let kernel: FloatBuffer
  let output: Linear
}

/// The weights of a gated delta net (Yang et al. 2024).
struct DeltaNetWeights {
  let queryKeyValue: Linear
  let gate: Linear
  let beta: Linear
  let alpha: Linear
  /// `(convolution width, length)`
  let kernel: FloatBuffer
  let timeStep: FloatBuffer
  let decay: FloatBuffer
  let norm: FloatBuffer
  let output: Linear
}

/// Weights of a feed-forward network: gate and up projections, activation, down projection.
struct FeedForwardWeights {
  enum GateAndUp {
    case gated(gate: Linear, up: Linear)
    /// One matrix whose rows are the gate projection, then the up projection.
    case fused(Linear)
    case plain(Linear)
  }

  let gateAndUp: GateAndUp
  let down: Linear
  let length: Int
}

/// The experts of one block.
struct ExpertWeights {
  let router: Linear
  let selectionBias: FloatBuffer?
  let experts: [FeedForwardWeights]
  let shared: FeedForwardWeights?
  /// Weighs the shared expert by the sigmoid of one number per token.
  let sharedGate: Linear?
}

/// The weights of one block.
struct LayerWeights {
  enum Mixer {
    case attention(AttentionWeights)
    case shortConvolution(ShortConvolutionWeights)
    case deltaNet(DeltaNetWeights)
  }

  let attentionNorm: NormWeights?
  let mixer: Mixer
  let attentionPostNorm: NormWeights?
  let feedForwardNorm: NormWeights?
  let feedForward: FeedForwardWeights?
  let experts: ExpertWeights?
  let feedForwardPostNorm: NormWeights?
  /// Indicates whether attention and feed-forward both read the block's input.
  let isParallel: Bool
}

/// All weights of a model: matrices stay mapped and quantised, vectors are single-precision.
struct ModelWeights {
  /// `(vocabulary, width)`
  let embedding: QuantizedMatrix
  /// `(positions, width)`
  let positions: QuantizedMatrix?
  let tokenTypes: QuantizedMatrix?
  let embeddingNorm: NormWeights?
  let layers: [LayerWeights]
  let outputNorm: NormWeights?
  /// Output projection to the logits; nil for encoders.
  let output: Linear?
  /// Projections of an embedder's pooled vector, applied in order.
  let projections: [Linear]
  /// Divisors of the rotated pairs' angles, for short and long contexts.
  let ropeFactors: RopeFactors

  struct RopeFactors {
    let always: [Float]?
    let short: [Float]?
    let long: [Float]?

    func factors(contextLength: Int, original: Int) -> [Float]? {
      always ?? (contextLength > original ? long : short)
    }
  }

  var vocabularySize: Int { embedding.rows }
}
