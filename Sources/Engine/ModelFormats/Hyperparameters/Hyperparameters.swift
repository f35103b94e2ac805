/// Sizes of a transformer, as its file's metadata gives them: the part that needs no knowledge of its architecture.
///
/// The engine builds its configuration on them, and the memory estimate its shape.
package struct Hyperparameters: Sendable, Equatable {
  /// Treatment of files that cannot run as they are.
  package enum Strictness: Sendable {
    /// Sizes must be there and agree with each other, as running the model needs them.
    case strict
    /// Sizes that are absent count as 0, and need not agree: enough to estimate memory, also for architectures that
    /// the engine does not know.
    case lenient
  }

  /// Number of blocks in the file.
  package let blockCount: Int
  /// Number of blocks that are run: all but those after the last that predict further tokens.
  package let layerCount: Int
  /// Longest text the model was trained on, in tokens.
  package let contextLength: Int
  /// Width of the residual stream.
  package let embeddingLength: Int
  /// Number of query heads of each block; lists may leave out the blocks that are not run.
  package let headCounts: [Int]
  /// Number of key and value heads of each block, as ``headCounts`` has them; 0: the block has no attention.
  package let keyValueHeadCounts: [Int]
  /// Elements of one head's key.
  package let keyLength: Int
  /// Elements of one head's value.
  package let valueLength: Int
  /// Inner width of each block's feed-forward network; 0: the tensors decide.
  package let feedForwardLengths: [Int]
  /// Number and size of experts; nil where the model has none.
  package let experts: Experts?

  /// Number and size of a mixture's experts.
  package struct Experts: Sendable, Equatable {
    /// Number of experts in each layer.
    package let count: Int
    /// Number of experts that each token is sent to.
    package let usedCount: Int
    /// Inner width of one expert's feed-forward network; 0: the tensors decide.
    package let feedForwardLength: Int
  }

  /// Largest number of blocks.
  package static let layerLimit = 512

  /// Largest number of heads in one block.
  package static let headLimit = 4096

  /// Reads the sizes.
  /// - Throws: `GGUFError` where a size is absent, of another type or senseless, as far as `strictness` minds.
  package init(_ reader: MetadataReader, _ strictness: Strictness) throws(GGUFError) {
    let blockCount = try reader.required("block_count", in: 1...Self.layerLimit)
    self.blockCount = blockCount
    let predicting = try reader.integer("nextn_predict_layers", in: 0...Self.layerLimit, orIfZero: 0)
    let layerCount = max(0, blockCount - predicting)
    self.layerCount = layerCount
    contextLength = try reader.required("context_length", in: 1...(1 << 30))
    embeddingLength = try reader.required("embedding_length", in: 1...(1 << 20))
    func perBlock(_ key: String, in range: ClosedRange<Int>) throws(GGUFError) -> [Int]? {
      guard case .array(let list)? = reader.header[reader.full(key)] else {
        return try reader.perLayer(key, blockCount, in: range)
      }
      return try reader.perLayer(key, min(max(list.count, layerCount), blockCount), in: range)
    }
    let heads = try perBlock("attention.head_count", in: 0...Self.headLimit) ?? []
    guard let mostHeads = heads.max(), mostHeads > 0 else { throw reader.missing("attention.head_count") }
    headCounts = heads
    keyValueHeadCounts = try perBlock("attention.head_count_kv", in: 0...Self.headLimit) ?? heads
    let headLength = embeddingLength / mostHeads
    keyLength = try reader.integer("attention.key_length", in: 0...65_536, orIfZero: headLength)
    valueLength = try reader.integer("attention.value_length", in: 0...65_536, orIfZero: headLength)
    feedForwardLengths =
      try perBlock("feed_forward_length", in: 0...(1 << 24)) ?? Array(repeating: 0, count: blockCount)
    let expertCount = try reader.integer("expert_count", in: 0...4096, orIfZero: 0)
    experts =
      expertCount == 0
      ? nil
      : Experts(
        count: expertCount, usedCount: try reader.size("expert_used_count", in: 1...expertCount, strictness),
        feedForwardLength: try reader.integer("expert_feed_forward_length", in: 0...(1 << 24), orIfZero: 0))
    if strictness == .strict { try check(reader, predicting: predicting) }
  }

  /// Checks that sizes agree with each other.
  private func check(_ reader: MetadataReader, predicting: Int) throws(GGUFError) {
    guard layerCount > 0 else { throw reader.bad("nextn_predict_layers", "\(predicting)") }
    for (heads, count) in zip(headCounts, keyValueHeadCounts).prefix(layerCount)
    where count > 0 && heads % count != 0 {
      throw reader.bad("attention.head_count_kv", "\(count) for \(heads) heads")
    }
    guard keyLength > 0, valueLength > 0 else { throw reader.bad("attention.key_length", "0") }
  }
}

/// Sizes of a gated delta net's or a state-space model's recurrent layers.
package struct RecurrentSizes: Sendable, Equatable {
  /// Positions that the convolution before the recurrence sees.
  package let convolutionLength: Int
  /// Elements of one head's state along a key.
  package let stateLength: Int
  /// Number of key heads, each shared by a group of value heads.
  package let groupCount: Int
  /// Width of all value heads together.
  package let innerLength: Int

  /// Reads the sizes.
  package init(_ reader: MetadataReader, _ strictness: Hyperparameters.Strictness) throws(GGUFError) {
    convolutionLength = try reader.size("ssm.conv_kernel", in: 2...64, strictness)
    stateLength = try reader.size("ssm.state_size", in: 1...4096, strictness)
    groupCount = try reader.size("ssm.group_count", in: 1...4096, strictness)
    innerLength = try reader.size("ssm.inner_size", in: 1...(1 << 24), strictness)
  }
}

extension MetadataReader {
  /// Positions that a gated short convolution sees (LFM2).
  package func shortConvolutionLength(_ strictness: Hyperparameters.Strictness) throws(GGUFError) -> Int {
    try size("shortconv.l_cache", in: 2...64, strictness)
  }
}
