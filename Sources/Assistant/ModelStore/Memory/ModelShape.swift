import CKernels
import Compute
import ModelFormats

/// The numbers of a model that decide how much memory it takes, read from its header or known from the catalogue.
package struct ModelShape: Sendable, Equatable, Codable {
  /// Bytes of all weights, as they are stored.
  package var weightBytes: Int
  /// Bytes of the weights once they are laid out for the kernels; those that are not stay mapped as they are.
  package var preparedBytes: Int
  /// Number of layers with attention, and so with a KV cache.
  package var attentionLayers: Int
  /// Number of heads of keys and values.
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
  /// Number of experts that each token is sent to.
  package var usedExperts: Int
  /// Indicates whether it makes vectors of texts and no text.
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

  /// Memory of a model's tensors once they are laid out for the kernels.
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
    let reader = try MetadataReader(header)
    let sizes = try Hyperparameters(reader, .lenient)
    let recurrence = try RecurrentSizes(reader, .lenient)
    let layers = sizes.blockCount
    // A layer attends if it has a key projection, alone or fused; recurrent ones lack it.
    let names = Set(tensors.map(\.name))
    let attending = (0..<layers).filter {
      names.contains("blk.\($0).attn_k.weight") || names.contains("blk.\($0).attn_qkv.weight")
    }
    let recurrent = layers - attending.count
    let past = try reader.shortConvolutionLength(.lenient) * sizes.embeddingLength
    let deltaNet =
      max(0, recurrence.convolutionLength - 1)
      * (recurrence.innerLength + 2 * recurrence.groupCount * recurrence.stateLength)
      + recurrence.innerLength * recurrence.stateLength
    let sharedHeads = sizes.keyValueHeadCounts
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
        ?? sharedHeads.max() ?? 0,
      heads: sizes.headCounts.max() ?? 0, keyLength: sizes.keyLength, valueLength: sizes.valueLength,
      width: sizes.embeddingLength,
      innerWidth: max(sizes.feedForwardLengths.max() ?? 0, sizes.experts?.feedForwardLength ?? 0),
      vocabulary: embedding?.rowCount ?? 0, contextLength: sizes.contextLength,
      recurrentBytes: attending.isEmpty ? 0 : min(recurrent, 512) * 4 * (deltaNet + past),
      experts: sizes.experts?.count ?? 0, usedExperts: sizes.experts?.usedCount ?? 0,
      isEncoder: Self.isEncoder(reader.architecture), vocabularyBytes: lists.reduce(0) { $0 + $1.0 },
      vocabularyEntries: lists.reduce(0) { $0 + $1.1 }, prepared: Prepared(tensors))
  }

  private static func isEncoder(_ architecture: String) -> Bool {
    architecture.hasSuffix("bert") || architecture.contains("bert-") || architecture.contains("embedding")
  }
}
