/// Splits text into words, in one pass over its UTF-8.
package enum Words {
  /// Largest length of a folded form, in bytes; longer runs are not words and are cut.
  static let longestWord = 64
  /// Largest number of pieces of a compound; more are a list.
  static let mostPieces = 8

  /// Returns the words of a text in order; additional readings follow the words that they repeat.
  package static func split(_ text: String) -> [Word] {
    var words: [Word] = []
    words.reserveCapacity(text.utf8.count / 5)
    forEach(in: text) { words.append($0) }
    return words
  }

  /// Calls `body` with each word of a text in order.
  package static func forEach(in text: String, _ body: (Word) -> Void) {
    var text = text
    text.withUTF8 { bytes in
      var scanner = WordScanner(bytes: bytes)
      scanner.scan(body)
    }
  }
}

/// Run of letters and digits between separators.
struct WordPiece {
  var range: Range<Int>
  var text: String
  var isNumber: Bool
  /// Character that joins it to the piece before it; 0 for the first.
  var joint: UInt8
}

struct WordScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  private var pieces: [WordPiece] = []

  init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  mutating func scan(_ body: (Word) -> Void) {
    while position < bytes.count {
      switch classify(at: position).class {
      case .separator, .ignorable: position += classify(at: position).length
      case .letter, .digit: scanCompound(body)
      case .ideograph: scanGrams(of: .ideograph, count: 2, body)
      case .spaceless: scanGrams(of: .spaceless, count: 3, body)
      }
    }
  }

  func classify(at place: Int) -> (class: CharacterClass, length: Int) {
    let byte = bytes[place]
    if byte < 0x80 { return (CharacterClass.ascii[Int(byte)], 1) }
    let (scalar, length) = decode(at: place)
    return (CharacterClass.of(scalar), length)
  }

  /// Decodes the character at a place; the text of a String is always well-formed.
  func decode(at place: Int) -> (scalar: Unicode.Scalar, length: Int) {
    let first = UInt32(bytes[place])
    func next(_ offset: Int) -> UInt32 { UInt32(bytes[place + offset]) & 0x3f }
    let (value, length): (UInt32, Int) =
      switch first {
      case ..<0x80: (first, 1)
      case ..<0xe0: ((first & 0x1f) << 6 | next(1), 2)
      case ..<0xf0: ((first & 0xf) << 12 | next(1) << 6 | next(2), 3)
      default: ((first & 7) << 18 | next(1) << 12 | next(2) << 6 | next(3), 4)
      }
    return (Unicode.Scalar(value) ?? "\u{fffd}", length)
  }

  // MARK: Words with spaces

  /// Reads one run of letters and digits and leaves the position behind it.
  private mutating func scanPiece(joint: UInt8) -> WordPiece {
    let start = position
    var isNumber = true
    while position < bytes.count, bytes[position] < 0x80 {
      let kind = CharacterClass.ascii[Int(bytes[position])]
      if kind == .separator { break }
      if kind != .digit { isNumber = false }
      position += 1
    }
    if position == bytes.count || bytes[position] < 0x80 {
      return WordPiece(range: start..<position, text: lowered(start..<position), isNumber: isNumber, joint: joint)
    }
    var text = lowered(start..<position)
    loop: while position < bytes.count {
      let (scalar, length) = decode(at: position)
      let kind = scalar.isASCII ? CharacterClass.ascii[Int(scalar.value)] : CharacterClass.of(scalar)
      switch kind {
      case .letter: isNumber = false
      case .digit, .ignorable: break
      case .separator, .ideograph, .spaceless: break loop
      }
      if text.utf8.count < Words.longestWord { Folding.append(scalar, to: &text) }
      position += length
    }
    return WordPiece(range: start..<position, text: text, isNumber: isNumber, joint: joint)
  }

  private func lowered(_ range: Range<Int>) -> String {
    let count = min(range.count, Words.longestWord)
    return String(unsafeUninitializedCapacity: count) { target in
      for offset in 0..<count {
        let byte = bytes[range.lowerBound + offset]
        target[offset] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      return count
    }
  }

  /// Returns the joining character at the position, where a piece follows it.
  private func joint() -> (byte: UInt8, length: Int)? {
    guard position < bytes.count else { return nil }
    var (byte, length) = (bytes[position], 1)
    switch byte {
    case UInt8(ascii: "'"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ","),
      UInt8(ascii: "@"), UInt8(ascii: "&"):
      break
    case 0xe2:
      switch decode(at: position).scalar.value {
      case 0x2019: byte = UInt8(ascii: "'")
      case 0x2010, 0x2011: byte = UInt8(ascii: "-")
      default: return nil
      }
      length = 3
    default: return nil
    }
    guard position + length < bytes.count else { return nil }
    switch classify(at: position + length).class {
    case .letter: if byte == UInt8(ascii: ",") { return nil }
    case .digit: break
    default: return nil
    }
    if byte == UInt8(ascii: "."), position > 0 {
      // "the end.The next": a missing space, not a name.
      let (before, after) = (bytes[position - 1], bytes[position + 1])
      if before &- 0x61 < 26, after &- 0x41 < 26 { return nil }
    }
    return (byte, length)
  }

  private mutating func scanCompound(_ body: (Word) -> Void) {
    let first = scanPiece(joint: 0)
    guard let next = joint() else {
      emit(first, body)
      emitSymbolName(after: first, body)
      return
    }
    pieces.removeAll(keepingCapacity: true)
    pieces.append(first)
    var following: (byte: UInt8, length: Int)? = next
    while let joint = following, pieces.count < 4 * Words.mostPieces {
      position += joint.length
      pieces.append(scanPiece(joint: joint.byte))
      following = self.joint()
    }
    Compound.settleApostrophes(&pieces)
    Compound.settleNumbers(&pieces)
    if Compound.isDottedAcronym(pieces), let first = pieces.first, let last = pieces.last {
      let text = pieces.map(\.text).joined()
      body(Word(range: first.range.lowerBound..<last.range.upperBound, text: text, kind: .word))
      return
    }
    for piece in pieces { emit(piece, body) }
    if let joined = Compound.joined(pieces) { body(joined) }
  }

  private func emit(_ piece: WordPiece, _ body: (Word) -> Void) {
    if piece.text.isEmpty { return }
    body(Word(range: piece.range, text: piece.text, kind: piece.isNumber ? .number : .word))
    if piece.isNumber || piece.range.count < 4 { return }
    for part in Compound.camelParts(of: bytes, in: piece.range) {
      body(Word(range: part, text: lowered(part), kind: .part))
    }
  }

  /// Emits names that end in symbols: "C++" and "C#".
  private func emitSymbolName(after piece: WordPiece, _ body: (Word) -> Void) {
    guard piece.range.count == 1, position < bytes.count else { return }
    let range = piece.range.lowerBound..<position + 1
    if bytes[position] == UInt8(ascii: "#") {
      body(Word(range: range, text: piece.text + "sharp", kind: .joined))
    } else if bytes[position] == UInt8(ascii: "+"), position + 1 < bytes.count,
      bytes[position + 1] == UInt8(ascii: "+")
    {
      body(Word(range: piece.range.lowerBound..<position + 2, text: piece.text + "pp", kind: .joined))
    }
  }

  // MARK: Words without spaces

  private mutating func scanGrams(of kind: CharacterClass, count: Int, _ body: (Word) -> Void) {
    // One element per character; a mark joins the letter before it.
    var characters: [(start: Int, end: Int, text: String)] = []
    while position < bytes.count, bytes[position] >= 0x80 {
      let (scalar, length) = decode(at: position)
      let found = CharacterClass.of(scalar)
      guard found == kind || found == .ignorable || CharacterClass.isMark(scalar.properties.generalCategory) else {
        break
      }
      let isMark = CharacterClass.isMark(scalar.properties.generalCategory) || found == .ignorable
      if isMark, let last = characters.indices.last {
        Folding.append(scalar, to: &characters[last].text)
        characters[last].end = position + length
      } else {
        var text = ""
        Folding.append(scalar, to: &text)
        characters.append((position, position + length, text))
      }
      position += length
    }
    func word(_ first: Int, _ count: Int, _ kind: WordKind) -> Word {
      let group = characters[first..<first + count]
      let text = group.map(\.text).joined()
      return Word(range: characters[first].start..<characters[first + count - 1].end, text: text, kind: kind)
    }
    if characters.count < count {
      if !characters.isEmpty { body(word(0, characters.count, .gram)) }
      if characters.count > 1, count == 3 { body(word(0, 1, .shortGram)) }
      return
    }
    for first in 0...characters.count - count { body(word(first, count, .gram)) }
    for first in 0...characters.count - (count - 1) { body(word(first, count - 1, .shortGram)) }
  }
}
