extension Tokenizer {
  /// The bytes that a token stands for; they need not be whole characters.
  /// - Parameter showsSpecial: whether control tokens show as the text they are written with, rather than as nothing.
  /// - Returns: nothing for numbers that are no token's.
  package func piece(of token: TokenID, showsSpecial: Bool = false) -> [UInt8] {
    let attributes = attributes(of: token)
    guard !attributes.isEmpty else { return [] }
    let text = vocabulary.bytes(of: Int(token))
    if !attributes.isDisjoint(with: [.control, .unknown]) { return showsSpecial ? Array(text) : [] }
    if attributes.contains(.userDefined) { return Array(text) }
    if attributes.contains(.byte) { return Vocabulary.byte(writtenAs: text).map { [$0] } ?? Array(text) }
    guard attributes.contains(.normal) else { return [] }
    if case .bytePair(_, let traits) = kind, !traits.escapesSpaces {
      return traits.isRawUTF8 ? Array(text) : Self.decodingByteAlphabet(text)
    }
    return Self.unescapingSpaces(text)
  }

  /// The text of tokens, without the space that encoding put before it.
  /// - Parameter showsSpecial: whether control tokens show as the text they are written with, rather than as nothing.
  package func decode(_ tokens: some Sequence<TokenID>, showsSpecial: Bool = false) -> String {
    var decoder = StreamingDecoder(self, showsSpecial: showsSpecial)
    var text = ""
    for token in tokens { text += decoder.append(token) }
    return text + decoder.finish()
  }

  private static func decodingByteAlphabet(_ text: ArraySlice<UInt8>) -> [UInt8] {
    Array(text).withUnsafeBufferPointer { text in
      var bytes: [UInt8] = []
      var position = 0
      while position < text.count {
        let (scalar, length) = UTF8Coding.decode(text, at: position)
        if let byte = ByteAlphabet.byte(of: scalar) {
          bytes.append(byte)
        } else {
          // Not of the alphabet: the character stands for itself.
          bytes.append(contentsOf: text[position..<position + length])
        }
        position += length
      }
      return bytes
    }
  }

  private static func unescapingSpaces(_ text: ArraySlice<UInt8>) -> [UInt8] {
    guard text.contains(0xE2) else { return Array(text) }
    var bytes: [UInt8] = []
    var rest = text
    while let first = rest.first {
      if first == 0xE2, rest.starts(with: [0xE2, 0x96, 0x81]) {
        bytes.append(0x20)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(first)
        rest = rest.dropFirst()
      }
    }
    return bytes
  }
}

/// Turns tokens into text as they come: every call gives what is certain, a character never comes in parts.
package struct StreamingDecoder: Sendable {
  private let tokenizer: Tokenizer
  private let showsSpecial: Bool
  private var skipsSpace: Bool
  private var pending: [UInt8] = []

  /// - Parameters:
  ///   - showsSpecial: whether control tokens show as the text they are written with, rather than as nothing.
  ///   - continuesText: whether text comes before, so that a leading space is kept.
  package init(_ tokenizer: Tokenizer, showsSpecial: Bool = false, continuesText: Bool = false) {
    self.tokenizer = tokenizer
    self.showsSpecial = showsSpecial
    skipsSpace = tokenizer.addsSpacePrefix && !continuesText
  }

  /// Takes the next token and gives the characters that are complete with it; bytes that can never become one
  /// come as U+FFFD.
  package mutating func append(_ token: TokenID) -> String {
    var piece = tokenizer.piece(of: token, showsSpecial: showsSpecial)[...]
    if skipsSpace, !tokenizer.attributes(of: token).contains(.control) {
      if piece.first == 0x20 { piece = piece.dropFirst() }
      skipsSpace = false
    }
    pending.append(contentsOf: piece)
    let certain = pending.count - Self.unfinishedCount(pending)
    guard certain > 0 else { return "" }
    defer { pending.removeFirst(certain) }
    return String(decoding: pending[..<certain], as: UTF8.self)
  }

  /// Gives what is left when no more tokens come.
  package mutating func finish() -> String {
    defer { pending.removeAll() }
    return String(decoding: pending, as: UTF8.self)
  }

  /// Returns the number of bytes at the end that begin a character that may still be completed.
  private static func unfinishedCount(_ bytes: [UInt8]) -> Int {
    for count in 1...3 where count <= bytes.count {
      let lead = bytes[bytes.count - count]
      if lead & 0xC0 == 0x80 { continue }
      guard (0xC2...0xF4).contains(lead), UTF8Coding.length(announcedBy: lead) > count else { return 0 }
      if count > 1 {
        let second = bytes[bytes.count - count + 1]
        switch lead {
        case 0xE0 where second < 0xA0, 0xED where second > 0x9F, 0xF0 where second < 0x90,
          0xF4 where second > 0x8F:
          return 0
        default: break
        }
      }
      return count
    }
    return 0
  }
}
