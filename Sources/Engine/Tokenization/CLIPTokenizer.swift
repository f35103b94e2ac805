import Foundation

/// The byte-pair tokenizer of CLIP's text encoders: lower-case words, the last piece of each marked `</w>`
/// (Radford et al. 2021).
package struct CLIPTokenizer: Sendable {
  /// The mark before a text.
  package let startOfText: TokenID
  /// The mark behind a text; it also stands for what has no token.
  package let endOfText: TokenID
  /// Number of tokens.
  package let count: Int

  private let table: ByteStringTable
  private let merges: MergeTable
  /// The piece of each byte in the byte alphabet, alone and at a word's end.
  private let bytePieces: [Int32]
  private let lastBytePieces: [Int32]

  private static let wordEnd = Array("</w>".utf8)
  private static let startText = "<|startoftext|>"
  private static let endText = "<|endoftext|>"
  /// Bytes of a word that are merged; what is longer is cut, so that no text takes quadratic time.
  private static let longestWord = 4096

  /// Makes a tokenizer.
  /// - Parameters:
  ///   - merges: the lines of `merges.txt`; the first may be a `#version` line.
  ///   - tokens: the numbers of `vocab.json`, or nil to count them as CLIP does: bytes, bytes at a word's end, merges,
  ///     the two marks.
  /// - Throws: ``TokenizationError`` for a vocabulary without marks or merges, or beyond the limits.
  package init(merges text: [UInt8], tokens: [String: Int]? = nil) throws(TokenizationError) {
    let lines = Self.mergeLines(text)
    guard lines.count > 0 else { throw .mergesMissing }
    let limit = TokenizerDefinition.largestCount
    guard lines.count <= limit else { throw .tooMany(.merges, count: lines.count, limit: limit) }
    var table = ByteStringTable(capacity: lines.count + 1024, bytes: text.count)
    if let tokens {
      try Self.fill(&table, tokens)
    } else {
      Self.fill(&table, lines)
    }
    func number(_ text: String) -> TokenID? {
      Array(text.utf8).withUnsafeBufferPointer { table.find($0) }.map(TokenID.init)
    }
    guard let start = number(Self.startText), let end = number(Self.endText) else {
      throw .specialTokenMissing(.endOfText)
    }
    (startOfText, endOfText, count) = (start, end, table.count)
    bytePieces = ByteAlphabet.texts.map { text in text.withUnsafeBufferPointer { Int32(table.find($0) ?? -1) } }
    lastBytePieces = ByteAlphabet.texts.map { text in
      (text + Self.wordEnd).withUnsafeBufferPointer { Int32(table.find($0) ?? -1) }
    }
    self.merges = try MergeTable(lines, table: &table)
    self.table = table
  }

  /// The number of a token as the vocabulary writes it, such as `cat</w>` or `!`.
  package func token(written text: String) -> TokenID? {
    guard let found = Array(text.utf8).withUnsafeBufferPointer({ table.find($0) }), found < count else {
      return nil
    }
    return TokenID(found)
  }

  /// Turns a text into token numbers, without marks around them and of any length.
  package func encode(_ text: String) -> [TokenID] {
    var ids: [TokenID] = []
    var rest = text[...]
    // Marks are found before the text is folded, as the reference does.
    while let (mark, range) = Self.firstMark(in: rest) {
      encode(plain: rest[..<range.lowerBound], into: &ids)
      ids.append(mark == Self.startText ? startOfText : endOfText)
      rest = rest[range.upperBound...]
    }
    encode(plain: rest, into: &ids)
    return ids
  }

  private static func firstMark(in text: Substring) -> (String, Range<String.Index>)? {
    guard text.utf8.contains(UInt8(ascii: "|")) else { return nil }
    let found = [startText, endText].compactMap { mark in text.range(of: mark).map { (mark, $0) } }
    return found.min { $0.1.lowerBound < $1.1.lowerBound }
  }

  private func encode(plain text: Substring, into ids: inout [TokenID]) {
    var scalars: [Unicode.Scalar] = []
    for scalar in String(text).precomposedStringWithCanonicalMapping.unicodeScalars {
      if scalar.value < 0x80 {
        scalars.append((0x41...0x5A).contains(scalar.value) ? Unicode.Scalar(UInt8(scalar.value + 32)) : scalar)
      } else {
        scalars.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
      }
    }
    let kinds = scalars.map(Kind.init)
    var chain = SymbolChain()
    var position = 0
    while position < scalars.count {
      guard kinds[position] != .space else {
        position += 1
        continue
      }
      let end = Self.wordEnd(from: position, scalars, kinds)
      encode(word: scalars[position..<end], chain: &chain, into: &ids)
      position = end
    }
  }

  private enum Kind {
    case letter, number, space, other

    init(_ scalar: Unicode.Scalar) {
      if scalar.properties.isWhitespace {
        self = .space
        return
      }
      switch scalar.properties.generalCategory {
      case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: self = .letter
      case .decimalNumber, .letterNumber, .otherNumber: self = .number
      default: self = .other
      }
    }
  }

  private static let contractions = ["s", "t", "re", "ve", "m", "ll", "d"].map { Array($0.unicodeScalars) }

  /// Returns the end of a word: `'s|'t|'re|'ve|'m|'ll|'d|\p{L}+|\p{N}|[^\s\p{L}\p{N}]+`.
  private static func wordEnd(from start: Int, _ scalars: [Unicode.Scalar], _ kinds: [Kind]) -> Int {
    if scalars[start] == "'" {
      for ending in contractions where scalars[(start + 1)...].starts(with: ending) {
        return start + 1 + ending.count
      }
    }
    if kinds[start] == .number { return start + 1 }
    var end = start + 1
    while end < scalars.count, kinds[end] == kinds[start] { end += 1 }
    return end
  }

  private func encode(
    word scalars: ArraySlice<Unicode.Scalar>, chain: inout SymbolChain, into ids: inout [TokenID]
  ) {
    var bytes: [UInt8] = []
    for scalar in scalars { UTF8Coding.append(scalar.value, to: &bytes) }
    var start = 0
    while start < bytes.count {
      let end = min(start + Self.longestWord, bytes.count)
      encode(bytes: bytes[start..<end], isEnd: end == bytes.count, chain: &chain, into: &ids)
      start = end
    }
  }

  private func encode(
    bytes: ArraySlice<UInt8>, isEnd: Bool, chain: inout SymbolChain, into ids: inout [TokenID]
  ) {
    var pieces = bytes.map { bytePieces[Int($0)] }
    if isEnd, let last = bytes.last { pieces[pieces.count - 1] = lastBytePieces[Int(last)] }
    chain.removeAll()
    for index in pieces.indices { chain.append(start: index, length: 1) }
    chain.close()
    var queue = MergeQueue()
    func push(_ left: Int, _ right: Int) {
      guard left >= 0, right >= 0, let merge = merges.find(pieces[left], pieces[right]) else { return }
      queue.push(
        MergeQueue.Entry(
          key: UInt64(merge.rank) << 32 | UInt64(left), proof: MergeTable.key(pieces[left], pieces[right])))
    }
    for right in pieces.indices.dropFirst() { push(right - 1, right) }
    while let entry = queue.pop() {
      let left = Int(entry.key & 0xFFFF_FFFF)
      let right = chain.next[left]
      guard chain.lengths[left] > 0, right >= 0,
        MergeTable.key(pieces[left], pieces[right]) == entry.proof,
        let merge = merges.find(pieces[left], pieces[right])
      else { continue }
      chain.merge(left, right)
      pieces[left] = merge.piece
      push(chain.previous[left], left)
      push(left, chain.next[left])
    }
    for symbol in pieces.indices where chain.lengths[symbol] > 0 {
      let piece = Int(pieces[symbol])
      ids.append(piece >= 0 && piece < count ? TokenID(piece) : endOfText)
    }
  }

  private static func mergeLines(_ text: [UInt8]) -> ByteStrings {
    var lines = ByteStrings()
    for (index, line) in text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).enumerated() {
      if index == 0, line.starts(with: "#version".utf8) { continue }
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if !line.isEmpty { lines.append(line) }
    }
    return lines
  }

  /// Fills the table in the order of the file's numbers, which must be `0..<count`.
  private static func fill(_ table: inout ByteStringTable, _ tokens: [String: Int]) throws(TokenizationError) {
    let limit = TokenizerDefinition.largestCount
    guard tokens.count <= limit else { throw .tooMany(.tokens, count: tokens.count, limit: limit) }
    var ordered = [String?](repeating: nil, count: tokens.count)
    for (text, number) in tokens {
      guard ordered.indices.contains(number) else {
        throw .tooShort(.tokens, count: tokens.count, needed: number < 0 ? 0 : number)
      }
      guard text.utf8.count <= TokenizerDefinition.longestToken else {
        throw .tooLong(.tokens, index: number, byteCount: text.utf8.count)
      }
      ordered[number] = text
    }
    for text in ordered { Array((text ?? "").utf8).withUnsafeBufferPointer { table.append($0) } }
  }

  /// Numbers the tokens as CLIP's own vocabulary does.
  private static func fill(_ table: inout ByteStringTable, _ merges: ByteStrings) {
    // Visible bytes first, then the others in their order.
    let order = (0..<256).sorted { left, right in
      let (first, second) = (ByteAlphabet.scalars[left], ByteAlphabet.scalars[right])
      return (first >= 256 ? 1 : 0, first) < (second >= 256 ? 1 : 0, second)
    }
    for ending in [[], wordEnd] {
      for byte in order { (ByteAlphabet.texts[byte] + ending).withUnsafeBufferPointer { table.append($0) } }
    }
    for line in merges {
      let joined = line.filter { $0 != UInt8(ascii: " ") }
      joined.withUnsafeBufferPointer { table.append($0) }
    }
    for mark in [startText, endText] { Array(mark.utf8).withUnsafeBufferPointer { table.append($0) } }
  }
}
