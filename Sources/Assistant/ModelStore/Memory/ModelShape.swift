import CKernels
import Compute
import ModelFormats

/// The numbers of a model that decide how much memory it takes, read from its header or known from the catalogue.
package struct ModelShape: Sendable, Equatable, Codable {
  /// Bytes of all weights, as they are stored.
  package var weightBytes: Int
  /// Bytes of the weights once they are laid out for the kernels; those that are not stay mapped as they are.
  package var preparedBytes: Int
  /// Layers that attend, and so keep keys and values.
  package var attentionLayers: Int
  /// Heads of keys and values.
  package var keyValueHeads: Int
  /// Heads of queries.
  package var heads: Int
  /// Elements of one key.
  package var keyLength: Int
  /// Elements of one value.
  package var valueLength: Int
  /// The width of the residual stream.
  package var width: Int
  /// The widest feed-forward network's inner width.
  package var innerWidth: Int
  /// Tokens the model knows.
  package var vocabulary: Int
  /// The longest text it was trained on, in tokens.
  package var contextLength: Int
  /// Bytes that recurrent layers remember, whatever the context.
  package var recurrentBytes: Int
  /// Experts among which each token is sent, and how many it is sent to; 0 where there are none.
  package var experts: Int
  /// How many experts each token is sent to.
  package var usedExperts: Int
  /// Whether it makes vectors of texts and no text.
  package var isEncoder: Bool
  /// Bytes of tokens, merges and scores in the header, which the tokenizer keeps in its own form.
  package var vocabularyBytes: Int
  /// Tokens and merges: what the tokenizer keeps an entry for.
  package var vocabularyEntries: Int

  /// Makes a shape of numbers; those left out are those of a plain decoder.
  package init(
    weightBytes: Int, attentionLayers: Int, keyValueHeads: Int, heads: Int, keyLength: Int, valueLength: Int,
    width: Int, innerWidth: Int, vocabulary: Int, contextLength: Int, recurrentBytes: Int = 0, experts: Int = 0,
    usedExperts: Int = 0, isEncoder: Bool = false, vocabularyBytes: Int? = nil, vocabularyEntries: Int? = nil,
    prepared: Prepared? = nil
  ) {
    self.weightBytes = weightBytes
    // Where the file is not here: nearly all is laid out.
    preparedBytes = prepared?.byteCount ?? weightBytes.saturatingSum(weightBytes / 128)
    self.attentionLayers = attentionLayers
    self.keyValueHeads = keyValueHeads
    self.heads = heads
    self.keyLength = keyLength
    self.valueLength = valueLength
    self.width = width
    self.innerWidth = innerWidth
    self.vocabulary = vocabulary
    self.contextLength = contextLength
    self.recurrentBytes = recurrentBytes
    self.experts = experts
    self.usedExperts = usedExperts
    self.isEncoder = isEncoder
    // Usual vocabularies: twenty bytes a token with its length, and as many merges again.
    self.vocabularyBytes = vocabularyBytes ?? vocabulary * 45
    self.vocabularyEntries = vocabularyEntries ?? vocabulary * 2
  }

  /// What becomes of a model's tensors in memory.
  package struct Prepared: Sendable, Equatable {
    var byteCount = 0

    init(_ tensors: [GGUFTensor]) {
      let hasOutput = tensors.contains { $0.name == "output.weight" }
      for tensor in tensors {
        // Of an embedding that is only looked up in, single rows are read.
        if tensor.name == "token_embd.weight", hasOutput { continue }
        let columns = tensor.columnCount
        let group =
          tensor.dimensions.count > 1 ? Int(ck_packed_group_bytes(Int32(tensor.type.rawValue), Int64(columns))) : 0
        guard group > 0 else {
          byteCount = byteCount.saturatingSum(tensor.byteCount)
          continue
        }
        byteCount = byteCount.saturatingSum(group.saturatingProduct((tensor.rowCount + 15) / 16))
      }
    }
  }

  /// Reads the shape from a header.
  /// - Throws: `GGUFError` where a number is missing, of another type, or senseless.
  package init(_ header: GGUFHeader) throws(GGUFError) {
    try self.init(header, tensors: header.tensors)
  }

  /// Reads the shape of a model whose tensors may lie in several files.
  package init(_ header: GGUFHeader, tensors: [GGUFTensor]) throws(GGUFError) {
    guard let architecture = try header.string("general.architecture") else {
      throw .missingKey("general.architecture")
    }
    func number(_ key: String, in range: ClosedRange<Int> = 0...1 << 24) throws(GGUFError) -> Int? {
      let full = "\(architecture).\(key)"
      guard let value = try header.integer(full) else { return nil }
      guard range.contains(value) else { throw .badValue(key: full, value: "\(value)") }
      return value
    }
    func required(_ key: String, in range: ClosedRange<Int>) throws(GGUFError) -> Int {
      guard let value = try number(key, in: range) else { throw .missingKey("\(architecture).\(key)") }
      return value
    }
    func perLayer(_ key: String, _ count: Int) throws(GGUFError) -> [Int]? {
      let full = "\(architecture).\(key)"
      guard let values = try header.integers(full, perLayer: count) else { return nil }
      guard values.allSatisfy((0...1 << 24).contains) else { throw .badValue(key: full, value: "\(values)") }
      return values
    }
    let layers = try required("block_count", in: 1...512)
    let width = try required("embedding_length", in: 1...1 << 20)
    let heads = try perLayer("attention.head_count", layers) ?? []
    guard let mostHeads = heads.max(), (1...4096).contains(mostHeads) else {
      throw .missingKey("\(architecture).attention.head_count")
    }
    let sharedHeads = try perLayer("attention.head_count_kv", layers) ?? heads
    let usual = width / mostHeads
    func length(_ key: String) throws(GGUFError) -> Int {
      let value = try number(key, in: 0...65_536) ?? 0
      return value > 0 ? value : usual
    }
    // A layer attends if it has a key projection, alone or fused; recurrent ones lack it.
    let names = Set(tensors.map(\.name))
    let attending = (0..<layers).filter {
      names.contains("blk.\($0).attn_k.weight") || names.contains("blk.\($0).attn_qkv.weight")
    }
    let recurrent = layers - attending.count
    let convolution = try number("ssm.conv_kernel", in: 0...64) ?? 0
    let state = try number("ssm.state_size", in: 0...4096) ?? 0
    let inner = try number("ssm.inner_size") ?? 0
    let groups = try number("ssm.group_count", in: 0...4096) ?? 0
    let past = max(0, try number("shortconv.l_cache", in: 0...64) ?? 0) * width
    let deltaNet = max(0, convolution - 1) * (inner + 2 * groups * state) + inner * state
    let innerWidth = try perLayer("feed_forward_length", layers)?.max() ?? 0
    let expertWidth = try number("expert_feed_forward_length") ?? 0
    let lists = ["tokens", "merges", "scores", "token_type"].compactMap { name -> (Int, Int)? in
      guard case .array(let list)? = header["tokenizer.ggml.\(name)"] else { return nil }
      return (list.byteCount, name == "tokens" || name == "merges" ? list.count : 0)
    }
    let embedding = tensors.first { $0.name == "token_embd.weight" }
    var weightBytes = 0
    for tensor in tensors {
      let (sum, overflow) = weightBytes.addingReportingOverflow(tensor.byteCount)
      guard !overflow else { throw .tensorTooLarge(tensor: tensor.name) }
      weightBytes = sum
    }
    self.init(
      weightBytes: weightBytes, attentionLayers: attending.isEmpty ? layers : attending.count,
      keyValueHeads: attending.compactMap { sharedHeads.indices.contains($0) ? sharedHeads[$0] : nil }.max()
        ?? sharedHeads.max() ?? mostHeads, heads: mostHeads,
      keyLength: try length("attention.key_length"), valueLength: try length("attention.value_length"),
      width: width, innerWidth: max(innerWidth, expertWidth), vocabulary: embedding?.rowCount ?? 0,
      contextLength: try required("context_length", in: 1...1 << 30),
      recurrentBytes: attending.isEmpty ? 0 : min(recurrent, 512) * 4 * (deltaNet + past),
      experts: try number("expert_count", in: 0...4096) ?? 0,
      usedExperts: try number("expert_used_count", in: 0...4096) ?? 0,
      isEncoder: Self.isEncoder(architecture), vocabularyBytes: lists.reduce(0) { $0 + $1.0 },
      vocabularyEntries: lists.reduce(0) { $0 + $1.1 }, prepared: Prepared(tensors))
  }

  private static func isEncoder(_ architecture: String) -> Bool {
    architecture.hasSuffix("bert") || architecture.contains("bert-") || architecture.contains("embedding")
  }
}
