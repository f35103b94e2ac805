/// The tokens of a model: their bytes, scores and attributes.
struct Vocabulary: Sendable {
  /// The tokens in order, then pieces that only merges know.
  var table: ByteStringTable
  let count: Int
  let scores: [Float]
  var attributes: [TokenAttributes]
  /// The bytes of the longest token.
  let longest: Int

  init(_ definition: TokenizerDefinition) throws(TokenizationError) {
    let tokens = definition.tokens
    count = tokens.count
    guard count > 0 else { throw .emptyVocabulary }
    let limit = TokenizerDefinition.largestCount
    guard count <= limit else { throw .tooMany(.tokens, count: count, limit: limit) }
    guard definition.scores.isEmpty || definition.scores.count >= count else {
      throw .tooShort(.scores, count: definition.scores.count, needed: count)
    }
    guard definition.tokenTypes.isEmpty || definition.tokenTypes.count >= count else {
      throw .tooShort(.tokenTypes, count: definition.tokenTypes.count, needed: count)
    }
    var longest = 0
    for index in 0..<count {
      let byteCount = tokens.range(of: index).count
      guard byteCount <= TokenizerDefinition.longestToken else {
        throw .tooLong(.tokens, index: index, byteCount: byteCount)
      }
      longest = max(longest, byteCount)
    }
    self.longest = max(longest, 1)
    var table = ByteStringTable(capacity: count, bytes: tokens.bytes.count + 16)
    tokens.bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<tokens.count {
        let range = tokens.range(of: index)
        if range.isEmpty {
          Array("[EMPTY_\(index)]".utf8).withUnsafeBufferPointer { table.append($0) }
        } else {
          table.append(UnsafeBufferPointer(rebasing: bytes[range]))
        }
      }
    }
    self.table = table
    // No number is no score, and a zero is a zero whatever its sign: scores have one order.
    scores = definition.scores.prefix(count).map { $0.isNaN ? -.infinity : $0 + 0 }
    attributes =
      definition.tokenTypes.isEmpty
      ? [TokenAttributes](repeating: .normal, count: count)
      : definition.tokenTypes.prefix(count).map { TokenAttributes(fileType: $0) }
  }

  func score(of token: Int) -> Float { scores.isEmpty ? 0 : scores[token] }

  /// A token's own text.
  func bytes(of token: Int) -> ArraySlice<UInt8> { table.bytes[table.range(of: token)] }

  /// The token with exactly these bytes.
  @inline(__always)
  func token(_ string: UnsafeBufferPointer<UInt8>) -> Int? {
    guard string.count <= longest, let number = table.find(string), number < count else { return nil }
    return number
  }

  /// The token with exactly these bytes.
  func token(_ text: some Collection<UInt8>) -> Int? { Array(text).withUnsafeBufferPointer { token($0) } }

  /// The token of a byte, written `<0x0A>`.
  func byteToken(_ byte: UInt8) -> Int? {
    let digits = Array("0123456789ABCDEF".utf8)
    return token(Array("<0x".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]] + Array(">".utf8))
  }

  /// The byte that a text such as `<0x0A>` stands for.
  static func byte(writtenAs text: ArraySlice<UInt8>) -> UInt8? {
    guard text.count == 6, text.starts(with: "<0x".utf8), text.last == UInt8(ascii: ">") else { return nil }
    var value: UInt8 = 0
    for digit in text.dropFirst(3).prefix(2) {
      switch digit {
      case 0x30...0x39: value = value << 4 | (digit - 0x30)
      case 0x41...0x46: value = value << 4 | (digit - 0x37)
      case 0x61...0x66: value = value << 4 | (digit - 0x57)
      default: return nil
      }
    }
    return value
  }

  /// Indicates whether a token is structure: a control token, or one that the reference lets text spell but that looks
  /// like markup.
  func isMarkup(_ token: Int) -> Bool {
    let attributes = attributes[token]
    if !attributes.isDisjoint(with: [.control, .unknown]) { return true }
    guard attributes.contains(.userDefined) else { return false }
    let text = bytes(of: token)
    guard text.count > 1, let first = text.first, let last = text.last else { return false }
    if (first, last) == (UInt8(ascii: "<"), UInt8(ascii: ">")) { return true }
    if (first, last) == (UInt8(ascii: "["), UInt8(ascii: "]")) { return true }
    let pairs = zip(text, text.dropFirst())
    return pairs.contains {
      $0 == (UInt8(ascii: "<"), UInt8(ascii: "|")) || $0 == (UInt8(ascii: "|"), UInt8(ascii: ">"))
    }
  }
}
