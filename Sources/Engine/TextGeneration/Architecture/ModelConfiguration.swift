import Foundation
import ModelFormats

/// The sizes and settings of one model, from its file's metadata and its family's entry in the table.
package struct ModelConfiguration: Sendable {
  /// The family's name, as `general.architecture` gives it.
  package let architectureName: String
  /// The model's name, where the file gives one.
  package let name: String?
  /// The longest text the model was trained on, in tokens.
  package let contextLength: Int
  /// Number of blocks that are run.
  package let layerCount: Int
  /// The width of the residual stream.
  package let width: Int
  /// Pooling of a text's token vectors into one, for embedders.
  package let pooling: Pooling
  /// Indicates whether the model makes vectors only.
  package var isEncoder: Bool { family.isEncoder }

  /// Pooling of token vectors into one.
  package enum Pooling: Int, Sendable {
    /// No pooling.
    case none = 0
    /// Mean of all.
    case mean
    /// Vector of the first token.
    case first
    /// Vector of the last token.
    case last
  }

  let family: Architecture
  let headCounts: [Int]
  let keyValueHeadCounts: [Int]
  let keyLength: Int
  let valueLength: Int
  let feedForwardLengths: [Int]
  let normEpsilon: Float
  let isCausal: Bool
  /// Value of the key that ``Architecture/Parallelism/key`` reads.
  let isParallel: Bool
  let rotation: RopeSettings
  let windowRotation: RopeSettings
  /// Positions of the sliding window; zero: no layer has one.
  let windowSize: Int
  let isWindowed: [Bool]
  let isRecurrent: [Bool]
  let scoreScale: Float
  let scoreCap: Float
  let logitCap: Float
  let projectionClamp: Float
  let embeddingScale: Float
  let residualScale: Float
  let logitScale: Float
  let positionScaling: PositionScaling?
  let experts: ExpertSettings?
  let deltaNet: DeltaNetSettings?
  let convolutionLength: Int

  /// The families that can be run, by the names files give them, and which of them are encoders.
  package static var supportedArchitectures: [(name: String, isEncoder: Bool)] {
    Architecture.table.map { ($0.key, $0.value.isEncoder) }.sorted { $0.0 < $1.0 }
  }

  /// Reads the settings of a model file.
  package init(_ file: GGUFFile) throws(TextGenerationError) {
    let reader = try checked { () throws(GGUFError) in try MetadataReader(file.header) }
    guard let family = Architecture.table[reader.architecture] else {
      throw .unsupportedArchitecture(found: reader.architecture, supported: Architecture.supportedNames)
    }
    self = try checked { () throws(GGUFError) in try ModelConfiguration(reader, family) }
  }

  private init(_ reader: MetadataReader, _ family: Architecture) throws(GGUFError) {
    self.family = family
    architectureName = reader.architecture
    name = try reader.header.string("general.name")
    let sizes = try Hyperparameters(reader, .strict)
    layerCount = sizes.layerCount
    contextLength = sizes.contextLength
    width = sizes.embeddingLength
    headCounts = Array(sizes.headCounts.prefix(layerCount))
    keyValueHeadCounts = Array(sizes.keyValueHeadCounts.prefix(layerCount))
    keyLength = sizes.keyLength
    valueLength = sizes.valueLength
    feedForwardLengths = Array(sizes.feedForwardLengths.prefix(layerCount))
    let epsilonKey =
      family.norm == .rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon"
    normEpsilon = try reader.requiredNumber(epsilonKey)
    isParallel = try reader.bool("use_parallel_residual") ?? false
    isCausal = try reader.bool("attention.causal") ?? !family.isEncoder

    let rotation = try RopeSettings(reader, family, keyLength: keyLength, contextLength: contextLength)
    self.rotation = rotation
    windowRotation = try rotation.forWindows(family.windowRotary, reader)
    isRecurrent = try family.recurrentLayers(reader, layerCount, keyValueHeadCounts: keyValueHeadCounts)
    (windowSize, isWindowed) = try family.windows(reader, layerCount)

    scoreScale = try family.attentionScale(
      reader, keyLength: keyLength, width: width, headCount: headCounts[0], layerCount: layerCount)
    scoreCap = try reader.cap("attn_logit_softcapping", family.defaultScoreCap)
    logitCap = try reader.cap("final_logit_softcapping", family.defaultLogitCap)
    projectionClamp = try reader.number("attention.clamp_kqv") ?? 0
    switch family.embeddingScale {
    case .rootOfWidth: embeddingScale = Float(width).squareRoot()
    case .key: embeddingScale = try reader.numberIfSet("embedding_scale") ?? 1
    }
    residualScale = family.readsResidualScale ? try reader.numberIfSet("residual_scale") ?? 1 : 1
    switch family.logitScale {
    case .none: logitScale = 1
    case .multiplied: logitScale = try reader.numberIfSet("logit_scale") ?? 1
    case .divided: logitScale = 1 / (try reader.numberIfSet("logit_scale") ?? 1)
    }
    positionScaling =
      family.scalesQueriesByPosition
      ? try PositionScaling(reader, original: rotation.originalContextLength) : nil
    experts = try sizes.experts.map { sizes throws(GGUFError) in
      try ExpertSettings(reader, sizes, family.experts)
    }
    deltaNet = family.recurrence == .gatedDelta ? try DeltaNetSettings(reader) : nil
    convolutionLength =
      family.recurrence == .shortConvolution ? try reader.shortConvolutionLength(.strict) : 0
    let poolingNumber = try reader.signed("pooling_type") ?? -1
    pooling = Pooling(rawValue: poolingNumber) ?? (family.isEncoder ? .mean : .last)
  }

  /// The sizes of a gated delta net's layers.
  struct DeltaNetSettings: Sendable {
    let convolutionLength: Int
    let headLength: Int
    let keyHeadCount: Int
    let valueHeadCount: Int

    var keyWidth: Int { headLength * keyHeadCount }
    var valueWidth: Int { headLength * valueHeadCount }
    var convolutionWidth: Int { 2 * keyWidth + valueWidth }

    init(_ reader: MetadataReader) throws(GGUFError) {
      let sizes = try RecurrentSizes(reader, .strict)
      convolutionLength = sizes.convolutionLength
      headLength = sizes.stateLength
      keyHeadCount = sizes.groupCount
      valueHeadCount = try reader.required("ssm.time_step_rank", in: 1...4096)
      guard sizes.innerLength == headLength * valueHeadCount, valueHeadCount % keyHeadCount == 0 else {
        throw reader.bad("ssm.inner_size", "\(sizes.innerLength)")
      }
    }
  }

  /// Number, size and routing of experts.
  struct ExpertSettings: Sendable {
    let count: Int
    let usedCount: Int
    /// Inner width of one expert by the file's metadata; 0: the tensors decide.
    let feedForwardLength: Int
    let gating: Architecture.Gating
    let normalisesWeights: Bool
    let weightScale: Float
    let leadingDenseLayerCount: Int
    let groupCount: Int
    let usedGroupCount: Int

    init(
      _ reader: MetadataReader, _ sizes: Hyperparameters.Experts, _ table: Architecture.Experts
    ) throws(GGUFError) {
      count = sizes.count
      usedCount = sizes.usedCount
      feedForwardLength = sizes.feedForwardLength
      let gatingNumber = table.isSetByFile ? try reader.signed("expert_gating_func") ?? 0 : 0
      switch gatingNumber {
      case 1: gating = .softmax
      case 2: gating = .sigmoid
      case 3: gating = .softmaxOfChosen
      default: gating = table.gating
      }
      let givenNorm = table.isSetByFile ? try reader.bool("expert_weights_norm") : nil
      normalisesWeights = givenNorm ?? table.normalisesWeights
      weightScale = try reader.numberIfSet("expert_weights_scale") ?? 1
      leadingDenseLayerCount = try reader.integer("leading_dense_block_count", in: 0...4096, orIfZero: 0)
      groupCount = try reader.integer("expert_group_count", in: 0...count, orIfZero: 1)
      usedGroupCount = try reader.integer("expert_group_used_count", in: 0...groupCount, orIfZero: groupCount)
      guard count % groupCount == 0 else { throw reader.bad("expert_group_count", "\(groupCount)") }
    }
  }

  /// Scaling of queries by the logarithm of their position, in steps.
  struct PositionScaling: Sendable {
    let scale: Float
    let step: Float

    init?(_ reader: MetadataReader, original: Int) throws(GGUFError) {
      guard let scale = try reader.numberIfSet("attention.temperature_scale") else { return nil }
      self.scale = scale
      step = Float(try reader.integer("attention.temperature_length", in: 0...(1 << 30), orIfZero: original))
    }

    func factor(at position: Int) -> Float { logf((Float(position) / step).rounded(.down) + 1) * scale + 1 }
  }
}
