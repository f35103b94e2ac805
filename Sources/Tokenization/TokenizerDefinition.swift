/// The number of a token in its vocabulary.
public typealias TokenID = Int32

/// All that a tokenizer is made from, as a plain value: what the `tokenizer.ggml.*` keys of a model file hold.
public struct TokenizerDefinition: Sendable {
  /// `tokenizer.ggml.model`: `llama`, `gpt2`, `gemma4`, `bert`, `t5` or `whitespace`.
  public var model: String
  /// `tokenizer.ggml.pre`: how byte-pair vocabularies cut a text into words; empty means `default`.
  public var preTokenizer = ""
  /// `general.architecture`; a few architectures give token attributes that their files do not hold.
  public var architecture = ""
  /// `general.name`; a few models give token attributes that their files do not hold.
  public var modelName = ""

  /// The tokens' texts as their bytes; token `i` has the number `i`.
  public var tokens = ByteStrings()
  /// The tokens' scores, or none.
  public var scores: [Float] = []
  /// The tokens' types as the file format numbers them (1 normal … 6 byte), or none.
  public var tokenTypes: [Int32] = []
  /// The merges of a byte-pair vocabulary, best first, each as its two halves with a space between.
  public var merges = ByteStrings()
  /// Whether the file has a list of merges at all, even an empty one.
  public var hasMerges = false
  /// `tokenizer.ggml.precompiled_charsmap`: the normaliser of a Unigram vocabulary.
  public var characterMap: [UInt8] = []

  /// The numbers of the special tokens that the file names; out of range means not there.
  public var specialIDs = SpecialIDs()

  /// `tokenizer.ggml.add_bos_token`, where the file says so.
  public var addsBeginningOfText: Bool?
  /// `tokenizer.ggml.add_eos_token`, where the file says so.
  public var addsEndOfText: Bool?
  /// `tokenizer.ggml.add_space_prefix`, where the file says so.
  public var addsSpacePrefix: Bool?
  /// `tokenizer.ggml.remove_extra_whitespaces`, where the file says so.
  public var removesExtraSpaces: Bool?
  /// `tokenizer.ggml.normalizer.lowercase`, where the file says so.
  public var lowercases: Bool?
  /// `tokenizer.ggml.normalizer.strip_accents`, where the file says so.
  public var stripsAccents: Bool?

  /// The most tokens or merges that are accepted.
  public static let largestCount = 4_000_000
  /// The most bytes a token may have.
  public static let longestToken = 16_384

  /// Creates a definition with nothing but its kind.
  public init(model: String, preTokenizer: String = "") {
    self.model = model
    self.preTokenizer = preTokenizer
  }

  /// The numbers of special tokens, each from the key of its name (`bos` from `tokenizer.ggml.bos_token_id`).
  public struct SpecialIDs: Sendable {
    /// `bos_token_id`: begins a text.
    public var bos: Int?
    /// `eos_token_id`: ends a text.
    public var eos: Int?
    /// `eot_token_id`: ends a turn.
    public var eot: Int?
    /// `eom_token_id`: ends a message that a tool will answer.
    public var eom: Int?
    /// `unknown_token_id`: stands for what the vocabulary cannot spell.
    public var unknown: Int?
    /// `seperator_token_id` (the file format's spelling): separates or ends texts of an embedder.
    public var separator: Int?
    /// `padding_token_id`: fills batches.
    public var padding: Int?
    /// `cls_token_id`: begins a text of an embedder.
    public var classification: Int?
    /// `mask_token_id`: stands for a hidden word.
    public var mask: Int?
    /// `fim_pre_token_id`: before the text ahead of a gap.
    public var fillPrefix: Int?
    /// `fim_suf_token_id`: before the text behind a gap.
    public var fillSuffix: Int?
    /// `fim_mid_token_id`: where the filling of a gap begins.
    public var fillMiddle: Int?
    /// `fim_pad_token_id`: ends the filling of a gap.
    public var fillPadding: Int?
    /// `fim_rep_token_id`: before a repository's name.
    public var fillRepository: Int?
    /// `fim_sep_token_id`: between files.
    public var fillFileSeparator: Int?

    /// Creates a set without any.
    public init() {}
  }
}
