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
  /// The number of blocks.
  package let layerCount: Int
  /// The width of the residual stream.
  package let width: Int
  /// How a text's vector is made of its tokens' vectors, for embedders.
  package let pooling: Pooling
  /// Whether the model makes vectors only.
  package var isEncoder: Bool { family.isEncoder }

  /// How token vectors become one.
  package enum Pooling: Int, Sendable {
    /// Not at all.
    case none = 0
    /// Their mean.
    case mean
    /// The first token's.
    case first
    /// The last token's.
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
  /// What ``Architecture/Parallelism/key`` reads.
  let isParallel: Bool
  let rotation: RotationSettings
  let windowRotation: RotationSettings
  /// Zero: no layer is windowed.
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

  /// Most layers a model may have.
  package static let layerLimit = 512

  /// The families that can be run, by the names files give them, and which of them are encoders.
  package static var supportedArchitectures: [(name: String, isEncoder: Bool)] {
    Architecture.table.map { ($0.key, $0.value.isEncoder) }.sorted { $0.0 < $1.0 }
  }

  /// Reads the settings of a model file.
  package init(_ file: GGUFFile) throws(TextGenerationError) {
    try self.init(MetadataReader(file))
  }

  private init(_ reader: MetadataReader) throws(TextGenerationError) {
    let family = reader.family
    self.family = family
    architectureName = reader.architecture
    name = try reader.string("general.name")
    layerCount = try reader.required("block_count", in: 1...Self.layerLimit) - reader.extraLayerCount()
    contextLength = try reader.required("context_length", in: 1...(1 << 30))
    width = try reader.required("embedding_length", in: 1...(1 << 20))
    let heads = try reader.perLayer("attention.head_count", layerCount, in: 0...4096) ?? []
    guard let mostHeads = heads.max(), mostHeads > 0 else { throw reader.missing("attention.head_count") }
    headCounts = heads
    keyValueHeadCounts = try reader.perLayer("attention.head_count_kv", layerCount, in: 0...4096) ?? heads
    for (layer, count) in keyValueHeadCounts.enumerated() where count > 0 && heads[layer] % count != 0 {
      throw reader.bad("attention.head_count_kv", "\(count) for \(heads[layer]) heads")
    }
    let headLength = width / mostHeads
    keyLength = try reader.integer("attention.key_length", in: 0...65_536, orIfZero: headLength)
    valueLength = try reader.integer("attention.value_length", in: 0...65_536, orIfZero: headLength)
    guard keyLength > 0, valueLength > 0 else { throw reader.bad("attention.key_length", "0") }
    feedForwardLengths =
      try reader.perLayer("feed_forward_length", layerCount, in: 0...(1 << 24))
      ?? Array(repeating: 0, count: layerCount)
    let epsilonKey =
      family.norm == .rms ? "attention.layer_norm_rms_epsilon" : "attention.layer_norm_epsilon"
    normEpsilon = try reader.requiredNumber(epsilonKey)
    isParallel = try reader.bool("use_parallel_residual") ?? false
    isCausal = try reader.bool("attention.causal") ?? !family.isEncoder

    let rotation = try RotationSettings(reader, keyLength: keyLength, contextLength: contextLength)
    self.rotation = rotation
    windowRotation = try rotation.forWindows(family.windowRotary, reader)
    isRecurrent = try reader.recurrentLayers(layerCount, keyValueHeadCounts: keyValueHeadCounts)
    (windowSize, isWindowed) = try reader.windows(layerCount)

    scoreScale = try reader.scoreScale(
      keyLength: keyLength, width: width, headCount: heads[0], layerCount: layerCount)
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
    experts = try ExpertSettings(reader)
    deltaNet = family.recurrence == .gatedDelta ? try DeltaNetSettings(reader) : nil
    convolutionLength =
      family.recurrence == .shortConvolution ? try reader.required("shortconv.l_cache", in: 2...64) : 0
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

    init(_ reader: MetadataReader) throws(TextGenerationError) {
      convolutionLength = try reader.required("ssm.conv_kernel", in: 2...64)
      headLength = try reader.required("ssm.state_size", in: 1...4096)
      keyHeadCount = try reader.required("ssm.group_count", in: 1...4096)
      valueHeadCount = try reader.required("ssm.time_step_rank", in: 1...4096)
      let inner = try reader.required("ssm.inner_size", in: 1...(1 << 24))
      guard inner == headLength * valueHeadCount, valueHeadCount % keyHeadCount == 0 else {
        throw reader.bad("ssm.inner_size", "\(inner)")
      }
    }
  }

  /// The number, size and weighing of experts.
  struct ExpertSettings: Sendable {
    let count: Int
    let usedCount: Int
    /// As the file's metadata has it; 0: the tensors decide.
    let feedForwardLength: Int
    let gating: Architecture.Gating
    let normalisesWeights: Bool
    let weightScale: Float
    let leadingDenseLayerCount: Int
    let groupCount: Int
    let usedGroupCount: Int

    /// Nil where the model has no experts.
    init?(_ reader: MetadataReader) throws(TextGenerationError) {
      count = try reader.integer("expert_count", in: 0...4096, orIfZero: 0)
      guard count > 0 else { return nil }
      usedCount = try reader.required("expert_used_count", in: 1...count)
      feedForwardLength = try reader.integer("expert_feed_forward_length", in: 0...(1 << 24), orIfZero: 0)
      let table = reader.family.experts
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

  /// Queries grow with the logarithm of their position, in steps.
  struct PositionScaling: Sendable {
    let scale: Float
    let step: Float

    init?(_ reader: MetadataReader, original: Int) throws(TextGenerationError) {
      guard let scale = try reader.numberIfSet("attention.temperature_scale") else { return nil }
      self.scale = scale
      step = Float(try reader.integer("attention.temperature_length", in: 0...(1 << 30), orIfZero: original))
    }

    func factor(at position: Int) -> Float { logf((Float(position) / step).rounded(.down) + 1) * scale + 1 }
  }
}
