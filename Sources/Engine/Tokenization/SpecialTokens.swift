/// The special tokens of a vocabulary and what they do.
package struct SpecialTokens: Sendable, Equatable {
  /// Begins a text.
  package internal(set) var beginningOfText: TokenID?
  /// Ends a text.
  package internal(set) var endOfText: TokenID?
  /// Ends a turn.
  package internal(set) var endOfTurn: TokenID?
  /// Ends a message that a tool will answer.
  package internal(set) var endOfMessage: TokenID?
  /// Stands for what the vocabulary cannot spell.
  package internal(set) var unknown: TokenID?
  /// Separates or ends the texts of an embedder.
  package internal(set) var separator: TokenID?
  /// Fills batches.
  package internal(set) var padding: TokenID?
  /// Stands for a hidden word.
  package internal(set) var mask: TokenID?
  /// Fill in the middle: before the text ahead of the gap.
  package internal(set) var fillPrefix: TokenID?
  /// Fill in the middle: before the text behind the gap.
  package internal(set) var fillSuffix: TokenID?
  /// Fill in the middle: where the filling begins.
  package internal(set) var fillMiddle: TokenID?
  /// Fill in the middle: ends the filling.
  package internal(set) var fillPadding: TokenID?
  /// Fill in the middle: before a repository's name.
  package internal(set) var fillRepository: TokenID?
  /// Fill in the middle: between files.
  package internal(set) var fillFileSeparator: TokenID?
  /// Every token after which a model has nothing more to say.
  package internal(set) var endsOfGeneration: Set<TokenID> = []

  /// The numbers that a kind of vocabulary has where its file names none.
  struct Defaults {
    var bos: Int?
    var eos: Int?
    var unknown: Int?
    var separator: Int?
    var padding: Int?
    var mask: Int?
  }

  init(_ ids: TokenizerDefinition.SpecialIDs, defaults: Defaults, vocabulary: inout Vocabulary) {
    let count = vocabulary.count
    func valid(_ id: Int?, _ other: Int? = nil) -> TokenID? {
      for case .some(let id) in [id, other] where id >= 0 && id < count { return TokenID(id) }
      return nil
    }
    beginningOfText = valid(ids.bos ?? ids.classification, defaults.bos)
    endOfText = valid(ids.eos, defaults.eos)
    unknown = valid(ids.unknown, defaults.unknown)
    separator = valid(ids.separator, defaults.separator)
    padding = valid(ids.padding, defaults.padding)
    mask = valid(ids.mask, defaults.mask)

    func named(_ id: Int?, _ names: [String]) -> TokenID? {
      if let id = valid(id) { return id }
      for name in names {
        guard let token = vocabulary.token(name.utf8) else { continue }
        vocabulary.attributes[token].insert(.control)
        return TokenID(token)
      }
      return nil
    }
    endOfTurn = named(ids.eot, Self.endOfTurnNames)
    endOfMessage = named(ids.eom, ["<|eom_id|>"])
    fillPrefix = named(
      ids.fillPrefix,
      [
        "<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>", "<｜fim▁begin｜>", "<PRE>", "▁<PRE>", "<|code_prefix|>",
        "<|prefix|>",
      ])
    fillSuffix = named(
      ids.fillSuffix,
      [
        "<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>", "<｜fim▁hole｜>", "<SUF>", "▁<SUF>", "<|code_suffix|>",
        "<|suffix|>",
      ])
    fillMiddle = named(
      ids.fillMiddle,
      [
        "<|fim_middle|>", "<fim-middle>", "<fim_middle>", "<｜fim▁end｜>", "<MID>", "▁<MID>", "<|code_middle|>",
        "<|middle|>",
      ])
    fillPadding = named(ids.fillPadding, ["<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"])
    fillRepository = named(
      ids.fillRepository, ["<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"])
    fillFileSeparator = named(ids.fillFileSeparator, ["<|file_sep|>"])
    collectEnds(&vocabulary)
  }

  private static let endOfTurnNames = [
    "<|eot_id|>", "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>", "<|end_of_text|>", "<EOT>", "_<EOT>",
    "[EOT]", "<｜end▁of▁sentence｜>", "<end_of_utterance>",
  ]
  private static let endNames =
    endOfTurnNames + [
      "<|return|>", "<|call|>", "<|flush|>", "<|calls|>", "</s>", "<|eom_id|>", "[EOS]", "<eos>", "<turn|>",
      "<|tool_response>", "[e~[",
    ]

  private mutating func collectEnds(_ vocabulary: inout Vocabulary) {
    for case .some(let id) in [fillPadding, fillRepository, fillFileSeparator] { endsOfGeneration.insert(id) }
    for name in Self.endNames {
      guard let token = vocabulary.token(name.utf8) else { continue }
      endsOfGeneration.insert(TokenID(token))
      vocabulary.attributes[token].insert(.control)
    }
    // The channel markers of gpt-oss are part of what it says.
    for name in ["<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"] {
      if let token = vocabulary.token(name.utf8) { vocabulary.attributes[token] = .userDefined }
    }
    for case .some(let id) in [endOfText, endOfTurn, endOfMessage] { endsOfGeneration.insert(id) }

    func ending(_ name: String) -> TokenID? {
      guard let token = vocabulary.token(name.utf8) else { return nil }
      return endsOfGeneration.contains(TokenID(token)) ? TokenID(token) : nil
    }
    // Where messages end with `<|end|>` and answers with another token, the first does not end the answer.
    let hasCall = ending("<|call|>") != nil || ending("<|calls|>") != nil
    if let end = ending("<|end|>"), hasCall, ending("<|return|>") != nil || ending("<|flush|>") != nil {
      endsOfGeneration.remove(end)
      vocabulary.attributes[Int(end)] = .userDefined
    }
    if ending("<|tool_response>") != nil, let end = ending("</s>") {
      endsOfGeneration.remove(end)
      vocabulary.attributes[Int(end)] = .normal
    }
  }
}
