/// Turns texts into tokens and tokens into texts, as the vocabulary of a model has it.
package struct Tokenizer: Sendable {
  /// The special tokens and what they do.
  package let special: SpecialTokens
  /// Indicates whether encoding with special tokens begins with ``SpecialTokens/beginningOfText``.
  package let addsBeginningOfText: Bool
  /// Indicates whether encoding with special tokens ends with ``SpecialTokens/endOfText`` (or the separator, for
  /// WordPiece).
  package let addsEndOfText: Bool
  /// Indicates whether a space is put before a text, and taken away again from what is decoded.
  package let addsSpacePrefix: Bool
  /// Indicates whether the file does not say how to cut texts into words, so that they may come out other than in
  /// training.
  package let guessesPreTokenizer: Bool

  let vocabulary: Vocabulary
  let kind: Kind
  private let matcher: SpecialTokenMatcher
  /// Tokens that ordinary text never becomes.
  private let isControl: [Bool]
  /// Tokens that text without trust never becomes: those, and what else looks like markup.
  private let isMarkup: [Bool]

  enum Kind: Sendable {
    case sentencePiece(SentencePieceModel)
    case bytePair(BytePairModel, PreTokenizer.Traits)
    /// Words that spaces part and that are lowercased on request, merged in their own UTF-8.
    case bytePairOfWords(BytePairModel, lowercases: Bool)
    case wordPiece(WordPieceModel)
    case unigram(UnigramModel)
  }

  /// Makes a tokenizer, checking the definition.
  package init(_ definition: TokenizerDefinition) throws(TokenizationError) {
    var vocabulary = try Vocabulary(definition)
    let fileAttributes = vocabulary
    var traits = PreTokenizer.Traits(family: .standard)
    var defaults = SpecialTokens.Defaults()
    var (bos, eos, prefix) = (false, false, false)
    switch definition.model {
    case "llama":
      defaults = .init(bos: 1, eos: 2, unknown: 0)
      (bos, prefix) = (true, true)
    case "gpt2", "whitespace", "gemma4":
      let name = definition.model == "gemma4" ? "gemma4" : definition.preTokenizer
      guard let named = PreTokenizer.traits(named: name) else { throw .unknownPreTokenizer(name) }
      traits = named
      if definition.model != "gemma4" { defaults = .init(bos: traits.lacksBeginningOfText ? nil : 11, eos: 11) }
      bos = traits.addsBeginningOfText
    case "bert":
      defaults = .init(bos: 101, unknown: 100, separator: 102, padding: 0, mask: 103)
      (bos, eos) = (true, true)
    case "t5":
      defaults = .init(eos: 1, unknown: 2, padding: 0)
      eos = true
    default: throw .unsupportedModel(definition.model)
    }
    special = SpecialTokens(definition.specialIDs, defaults: defaults, vocabulary: &vocabulary)
    if definition.model != "bert" {
      bos = definition.addsBeginningOfText ?? bos
      eos = definition.addsEndOfText ?? eos
    }
    if traits.keepsLineFeeds { bos = true }
    if bos, special.beginningOfText == nil { throw .specialTokenMissing(.beginningOfText) }
    if eos {
      if definition.model == "bert" {
        guard special.separator != nil else { throw .specialTokenMissing(.separator) }
      } else if special.endOfText == nil {
        throw .specialTokenMissing(.endOfText)
      }
    }
    (addsBeginningOfText, addsEndOfText) = (bos, eos)
    addsSpacePrefix = definition.addsSpacePrefix ?? prefix
    guessesPreTokenizer = definition.model == "gpt2" && definition.preTokenizer.isEmpty
    Self.addModelAttributes(definition, to: &vocabulary)

    switch definition.model {
    case "llama": kind = .sentencePiece(SentencePieceModel(vocabulary))
    case "bert":
      let lowercases = definition.lowercases ?? true
      kind = .wordPiece(
        WordPieceModel(vocabulary, lowercases: lowercases, stripsAccents: definition.stripsAccents ?? lowercases))
    case "t5":
      let normalizer = try UnigramNormalizer(
        characterMap: definition.characterMap, vocabulary: fileAttributes, addsSpacePrefix: addsSpacePrefix,
        mergesSpaces: definition.removesExtraSpaces ?? false)
      kind = .unigram(UnigramModel(fileAttributes, normalizer: normalizer))
    default:
      let model = try BytePairModel(definition, traits: traits, vocabulary: &vocabulary)
      kind =
        definition.model == "whitespace"
        ? .bytePairOfWords(model, lowercases: definition.lowercases ?? (definition.preTokenizer != "whitespace"))
        : .bytePair(model, traits)
    }
    matcher = SpecialTokenMatcher(vocabulary)
    isControl = vocabulary.attributes.map { $0.contains(.control) }
    isMarkup = vocabulary.attributes.indices.map { vocabulary.isMarkup($0) }
    self.vocabulary = vocabulary
  }

  /// Attributes that a few models need and no file holds.
  private static func addModelAttributes(_ definition: TokenizerDefinition, to vocabulary: inout Vocabulary) {
    func contains(_ text: String, _ parts: [String]) -> Bool {
      let bytes = Array(text.utf8)
      return parts.contains { part in
        bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
      }
    }
    func set(_ name: String, _ attribute: TokenAttributes) {
      if let token = vocabulary.token(name.utf8) { vocabulary.attributes[token].insert(attribute) }
    }
    let name = definition.modelName.lowercased()
    if contains(definition.preTokenizer, ["jina-v2-de", "jina-v2-es", "jina-v2-code"])
      || contains(definition.architecture, ["nomic-bert-moe", "jina-bert-v3"])
    {
      set("<mask>", .stripsLeft)
    } else if contains(name, ["phi-3", "phi3"]) {
      for token in 0..<vocabulary.count
      where !vocabulary.attributes[token].isDisjoint(with: [.control, .userDefined, .unknown]) {
        vocabulary.attributes[token].insert(.stripsRight)
      }
      set("</s>", .stripsRight)
      for name in ["<unk>", "<s>", "<|endoftext|>"] {
        if let token = vocabulary.token(name.utf8) { vocabulary.attributes[token].remove(.stripsRight) }
      }
    } else if contains(name, ["modern-bert"]) {
      set("[MASK]", .stripsLeft)
    }
  }

  /// Number of tokens.
  package var count: Int { vocabulary.count }

  /// The attributes of a token; none for a number that is no token's.
  package func attributes(of token: TokenID) -> TokenAttributes {
    token >= 0 && token < count ? vocabulary.attributes[Int(token)] : []
  }

  /// The token whose text in the vocabulary is exactly this.
  package func token(written text: String) -> TokenID? { vocabulary.token(text.utf8).map { TokenID($0) } }

  /// Indicates whether a model has nothing more to say after a token.
  package func endsGeneration(_ token: TokenID) -> Bool { special.endsOfGeneration.contains(token) }

  /// Encodes a text.
  /// - Parameters:
  ///   - parseSpecial: whether special tokens that the text spells out become those tokens. Never for what comes from
  ///     users or documents: use ``encode(_:addSpecial:)`` where both kinds come together.
  ///   - addSpecial: whether the tokens that begin and end a text are added, as the vocabulary says.
  package func encode(_ text: String, parseSpecial: Bool = false, addSpecial: Bool = false) -> [TokenID] {
    encode(
      Array(text.utf8), scope: parseSpecial ? .all : .userDefined, refused: parseSpecial ? nil : isControl,
      addSpecial: addSpecial)
  }

  /// Encodes pieces of a text as one text, in which special tokens count only where they lie within trusted pieces.
  /// - Parameter addSpecial: whether the tokens that begin and end a text are added, as the vocabulary says.
  package func encode(_ pieces: [TextPiece], addSpecial: Bool = false) -> [TokenID] {
    var bytes: [UInt8] = []
    var trusted: [Range<Int>] = []
    for piece in pieces {
      let start = bytes.count
      bytes.append(contentsOf: piece.text.utf8)
      guard piece.isTrusted, start < bytes.count else { continue }
      if let last = trusted.last, last.upperBound == start {
        trusted[trusted.count - 1] = last.lowerBound..<bytes.count
      } else {
        trusted.append(start..<bytes.count)
      }
    }
    return encode(bytes, scope: .trusted(trusted), refused: isMarkup, addSpecial: addSpecial)
  }

  private func encode(
    _ bytes: [UInt8], scope: SpecialTokenMatcher.Scope, refused: [Bool]?, addSpecial: Bool
  ) -> [TokenID] {
    var ids: [TokenID] = []
    if addSpecial, addsBeginningOfText, let id = special.beginningOfText { ids.append(id) }
    bytes.withUnsafeBufferPointer { bytes in
      var followsSpecial = true
      var workspace = BytePairModel.Workspace()
      for fragment in matcher.fragments(of: bytes, scope: scope) {
        switch fragment {
        case .token(let id):
          ids.append(id)
          followsSpecial = true
        case .text(let range):
          encode(
            UnsafeBufferPointer(rebasing: bytes[range]), followsSpecial: followsSpecial, refused: refused,
            workspace: &workspace, into: &ids)
          followsSpecial = false
        }
      }
    }
    if addSpecial, addsEndOfText {
      if case .wordPiece = kind {
        if let id = special.separator { ids.append(id) }
      } else if let id = special.endOfText {
        ids.append(id)
      }
    }
    return ids
  }

  private func encode(
    _ text: UnsafeBufferPointer<UInt8>, followsSpecial: Bool, refused: [Bool]?,
    workspace: inout BytePairModel.Workspace, into ids: inout [TokenID]
  ) {
    let isOrdinary = { (token: Int) in refused.map { !$0[token] } ?? true }
    switch kind {
    case .sentencePiece(let model):
      Self.escapingSpaces(text, prefix: addsSpacePrefix && followsSpecial).withUnsafeBufferPointer {
        model.encode($0, vocabulary: vocabulary, unknown: special.unknown, isOrdinary: isOrdinary, into: &ids)
      }
    case .bytePair(let model, let traits):
      if traits.escapesSpaces {
        Self.escapingSpaces(text, prefix: false).withUnsafeBufferPointer {
          model.encode($0, vocabulary: vocabulary, workspace: &workspace, isOrdinary: isOrdinary, into: &ids)
        }
      } else {
        model.encode(text, vocabulary: vocabulary, workspace: &workspace, isOrdinary: isOrdinary, into: &ids)
      }
    case .bytePairOfWords(let model, let lowercases):
      for word in Self.spacedWords(text, lowercases: lowercases) {
        word.withUnsafeBufferPointer {
          model.encode($0, vocabulary: vocabulary, workspace: &workspace, isOrdinary: isOrdinary, into: &ids)
        }
      }
    case .wordPiece(let model):
      model.encode(text, unknown: special.unknown, isOrdinary: isOrdinary, into: &ids)
    case .unigram(let model):
      model.encode(text, vocabulary: vocabulary, unknown: special.unknown, isOrdinary: isOrdinary, into: &ids)
    }
  }

  /// The text with each space as U+2581.
  private static func escapingSpaces(_ text: UnsafeBufferPointer<UInt8>, prefix: Bool) -> [UInt8] {
    var escaped: [UInt8] = []
    escaped.reserveCapacity(text.count + text.count / 2 + 3)
    if prefix { escaped.append(contentsOf: [0xE2, 0x96, 0x81]) }
    for byte in text {
      if byte == 0x20 { escaped.append(contentsOf: [0xE2, 0x96, 0x81]) } else { escaped.append(byte) }
    }
    return escaped
  }

  private static func spacedWords(_ text: UnsafeBufferPointer<UInt8>, lowercases: Bool) -> [[UInt8]] {
    var words: [[UInt8]] = [[]]
    var position = 0
    while position < text.count {
      let (scalar, length) = UTF8Coding.decode(text, at: position)
      position += length
      if UnicodeClasses.scalarClass(of: scalar) == .whitespace {
        if words.last?.isEmpty == false { words.append([]) }
      } else {
        UTF8Coding.append(lowercases ? UnicodeClasses.lowercased(scalar) : scalar, to: &words[words.count - 1])
      }
    }
    return words
  }
}

/// A stretch of text and whether the special tokens it spells out are meant.
package struct TextPiece: Sendable, Equatable {
  /// The text.
  package var text: String
  /// True for what the program or a chat template wrote, false for what a user, a document or a model did.
  package var isTrusted: Bool

  /// Creates a piece.
  package init(_ text: String, isTrusted: Bool) {
    self.text = text
    self.isTrusted = isTrusted
  }
}
