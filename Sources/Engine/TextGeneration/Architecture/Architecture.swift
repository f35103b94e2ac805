import Compute

/// Differences of one family of models from the plain decoder block (norm, attention, residual, norm, gated
/// feed-forward, residual).
///
/// The defaults describe that block; a family's entry in ``Architecture/table`` names only its differences.
/// Whatever a file shows by having a tensor or not (biases, fused projections, gates, tied output) is not listed here.
struct Architecture: Sendable {
  /// Pairs of a head's elements that RoPE rotates together, and the position they rotate by.
  enum Rotary: Sendable {
    /// No RoPE: positions come from elsewhere.
    case none
    /// Neighbours: elements 2i and 2i + 1.
    case pairs
    /// Elements i and i + half.
    case halves
    /// Halves, whose frequencies are shared out to several axes in runs; text moves along all but the last.
    case sections
    /// Halves, whose frequencies are dealt to the axes in turn.
    case interleavedSections
  }

  enum Norm: Sendable { case rms, layer }

  /// Condition on which attention and feed-forward both read the block's input.
  enum Parallelism: Sendable {
    case never, always
    /// Parallel where the file has no norm for the feed-forward network.
    case withoutFeedForwardNorm
    /// Parallel where `use_parallel_residual` says so.
    case key
  }

  /// The norm of queries and keys before attention.
  enum HeadNorm: Sendable {
    /// Norm of each head by itself.
    case perHead
    /// Norm of all heads together.
    case whole
  }

  /// Layers with sliding-window attention, which see only the last positions.
  enum Window: Sendable {
    case none
    /// All layers but the last (or the first) of every `period`, unless the file lists them.
    case patterned(period: Int, globalFirst: Bool = false, defaultSize: Int? = nil)
  }

  /// RoPE base and scale of layers with a sliding window.
  enum WindowRotary: Sendable {
    /// Those of the other layers.
    case same
    /// The base of the file's own key, else 10,000; no scaling.
    case ownBase
    /// The same base; no scaling of any kind.
    case unscaled
  }

  /// Factor of attention scores.
  enum ScoreScale: Sendable {
    /// One over the root of the head's size.
    case head
    /// The file's key where it is set, else that of ``head``.
    case key
    /// Scale of ``head``, but by the width per head in the model with this number of layers.
    case gemma(wideAtLayers: Int)
  }

  enum Gating: Sendable {
    case softmax, sigmoid
    /// The best experts are chosen by raw scores; softmax over the chosen.
    case softmaxOfChosen
  }

  /// Choice of experts and weights of their outputs.
  struct Experts: Sendable {
    var gating = Gating.softmax
    var normalisesWeights = true
    /// Nil: that of the family.
    var gate: Gate?
    /// Indicates whether `expert_gating_func` and `expert_weights_norm` of the file override the table.
    var isSetByFile = false
  }

  /// The kind of the layers that the file marks as recurrent.
  enum Recurrence: Sendable { case none, shortConvolution, gatedDelta }

  /// Factor of the output logits.
  enum LogitScale: Sendable { case none, multiplied, divided }

  enum EmbeddingScale: Sendable { case key, rootOfWidth }

  var rotary = Rotary.halves
  /// Indicates whether RoPE's frequency factors (`rope_freqs`, long and short) are read.
  var readsRopeFactors = false
  /// Indicates whether `rope.scaling.finetuned` set to false turns RoPE off.
  var ropeCanBeDisabled = false
  /// RoPE is skipped in every layer whose number, counted from 1, is a multiple of this; nil: in none.
  var ropeSkipInterval: Int?
  /// Indicates whether only layers with a sliding window use RoPE.
  var ropeInWindowedLayersOnly = false
  /// Indicates whether queries are scaled by the logarithm of their position, as the file's keys say (mistral3).
  var scalesQueriesByPosition = false

  var norm = Norm.rms
  var attentionNorm: String? = "attn_norm"
  var feedForwardNorm: String? = "ffn_norm"
  /// Norms of a branch's output before it joins the residual.
  var attentionPostNorm: String?
  var feedForwardPostNorm: String?
  var outputNorm: String? = "output_norm"
  /// Norms after the residual sum instead of before the branch (BERT).
  var normsResidual = false
  /// Indicates whether norms only norm, without weights of their own (OLMo).
  var normsLackWeights = false
  /// Indicates whether a block may norm attention's input by itself, with `attn_norm_2` (Falcon 40B).
  var hasSecondAttentionNorm = false
  var parallelism = Parallelism.never

  var headNorm: HeadNorm?
  var headNormKind = Norm.rms
  var normsHeadsAfterRotation = false
  /// Indicates whether the query projection also yields a gate of the attention's output.
  var gatesAttention = false
  var window = Window.none
  var windowRotary = WindowRotary.same
  var scoreScale = ScoreScale.head
  /// The cap of attention scores where the file sets none; nil: the family caps none.
  var defaultScoreCap: Float?
  /// The cap of logits where the file sets none; nil: the family caps none.
  var defaultLogitCap: Float?

  var gate = Gate.activation(.silu)
  var experts = Experts()
  var recurrence = Recurrence.none

  var embeddingScale = EmbeddingScale.key
  var readsResidualScale = false
  var logitScale = LogitScale.none
  /// Indicates whether the model makes vectors, attending both ways.
  var isEncoder = false
}
