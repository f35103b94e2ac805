/// The number of a token in its vocabulary.
package typealias TokenID = Int32

/// All that a tokenizer is made from, as a plain value: what the `tokenizer.ggml.*` keys of a model file hold.
package struct TokenizerDefinition: Sendable {
  /// `tokenizer.ggml.model`: `llama`, `gpt2`, `gemma4`, `bert`, `t5` or `whitespace`.
  package var model: String
  /// `tokenizer.ggml.pre`: how byte-pair vocabularies cut a text into words; empty means `default`.
  package var preTokenizer = ""
  /// `general.architecture`; a few architectures give token attributes that their files do not hold.
  package var architecture = ""
  /// `general.name`; a few models give token attributes that their files do not hold.
  package var modelName = ""

  /// The tokens' texts as their bytes; token `i` has the number `i`.
  package var tokens = ByteStrings()
  /// The tokens' scores, or none.
  package var scores: [Float] = []
  /// The tokens' types as the file format numbers them (1 normal … 6 byte), or none.
  package var tokenTypes: [Int32] = []
  /// The merges of a byte-pair vocabulary, best first, each as its two halves with a space between.
  package var merges = ByteStrings()
  /// Indicates whether the file has a list of merges at all, even an empty one.
  package var hasMerges = false
  /// `tokenizer.ggml.precompiled_charsmap`: the normaliser of a Unigram vocabulary.
  package var characterMap: [UInt8] = []

  /// The numbers of the special tokens that the file names; out of range means not there.
  package var specialIDs = SpecialIDs()

  /// `tokenizer.ggml.add_bos_token`, where the file says so.
  package var addsBeginningOfText: Bool?
  /// `tokenizer.ggml.add_eos_token`, where the file says so.
  package var addsEndOfText: Bool?
  /// `tokenizer.ggml.add_space_prefix`, where the file says so.
  package var addsSpacePrefix: Bool?
  /// `tokenizer.ggml.remove_extra_whitespaces`, where the file says so.
  package var removesExtraSpaces: Bool?
  /// `tokenizer.ggml.normalizer.lowercase`, where the file says so.
  package var lowercases: Bool?
  /// `tokenizer.ggml.normalizer.strip_accents`, where the file says so.
  package var stripsAccents: Bool?

  /// Largest number of tokens or merges accepted.
  package static let largestCount = 4_000_000
  /// Largest number of bytes of a token.
  package static let longestToken = 16_384

  /// Creates a definition with nothing but its kind.
  package init(model: String, preTokenizer: String = "") {
    self.model = model
    self.preTokenizer = preTokenizer
  }

  /// The numbers of special tokens, each from the key of its name (`bos` from `tokenizer.ggml.bos_token_id`).
  package struct SpecialIDs: Sendable {
    /// `bos_token_id`: begins a text.
    package var bos: Int?
    /// `eos_token_id`: ends a text.
    package var eos: Int?
    /// `eot_token_id`: ends a turn.
    package var eot: Int?
    /// `eom_token_id`: ends a message that a tool will answer.
    package var eom: Int?
    /// `unknown_token_id`: stands for what the vocabulary cannot spell.
    package var unknown: Int?
    /// `seperator_token_id` (the file format's spelling): separates or ends texts of an embedder.
    package var separator: Int?
    /// `padding_token_id`: fills batches.
    package var padding: Int?
    /// `cls_token_id`: begins a text of an embedder.
    package var classification: Int?
    /// `mask_token_id`: stands for a hidden word.
    package var mask: Int?
    /// `fim_pre_token_id`: before the text ahead of a gap.
    package var fillPrefix: Int?
    /// `fim_suf_token_id`: before the text behind a gap.
    package var fillSuffix: Int?
    /// `fim_mid_token_id`: where the filling of a gap begins.
    package var fillMiddle: Int?
    /// `fim_pad_token_id`: ends the filling of a gap.
    package var fillPadding: Int?
    /// `fim_rep_token_id`: before a repository's name.
    package var fillRepository: Int?
    /// `fim_sep_token_id`: between files.
    package var fillFileSeparator: Int?

    /// Creates a set without any.
    package init() {}
  }
}
