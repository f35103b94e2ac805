/// Beginning and end of a line, which decide how it is joined to its neighbours.
struct LineEdge {
  /// Indicates whether nothing in it is visible.
  let isBlank: Bool
  /// Place of a hyphen at its end, in UTF-8 offsets; nil where it ends in none.
  private(set) var hyphen: Range<Int>?
  private var first: Unicode.Scalar = " "
  private var last: Unicode.Scalar = " "
  /// First word, at most ``longestWord`` bytes of it, in lower case.
  private var firstWord = ""
  /// Text before the hyphen, back to white space, at most ``longestWord`` bytes of it.
  private var fragment = ""

  private static let longestWord = 24

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while let (scalar, length) = bytes.scalar(at: start), CharacterForm(scalar).isUnseen { start += length }
    var end = bytes.count
    var softHyphen: Range<Int>?
    while let (scalar, length) = bytes.scalar(before: end), end > start, CharacterForm(scalar).isUnseen {
      if scalar.value == 0xad { softHyphen = end - length..<end }
      end -= length
    }
    isBlank = start >= end
    guard !isBlank, let head = bytes.scalar(at: start), let tail = bytes.scalar(before: end) else { return }
    (first, last) = (head.scalar, tail.scalar)
    if let softHyphen {
      hyphen = softHyphen
    } else if last == "-" || last == "\u{2010}" {
      hyphen = end - tail.length..<end
      fragment = Self.word(bytes, before: end - tail.length)
    }
    if first.properties.isAlphabetic { firstWord = Self.word(bytes, from: start) }
  }

  // MARK: Joining

  /// Join between a line and the next of its block.
  enum Joint {
    case space
    /// Nothing; the hyphen at the end, if any, belongs to the word.
    case none
    /// Nothing, and the hyphen at the end is removed.
    case mended
  }

  /// Returns the join of this line with the next of the same block.
  func joint(to next: LineEdge) -> Joint {
    guard let hyphen else { return isSpaceless(last) && isSpaceless(next.first) ? .none : .space }
    guard next.first.properties.isAlphabetic || next.first.properties.numericType != nil else { return .space }
    if hyphen.count == 2 { return .mended }
    guard let before = fragment.unicodeScalars.last,
      before.properties.isAlphabetic || before.properties.numericType != nil
    else { return .space }
    // "Vor- und Nachteile": the hyphen stands for an omitted part.
    if CompoundTable.conjunctions.contains(next.firstWord) { return .space }
    return next.first.properties.isLowercase && isBrokenWord(before: next.firstWord) ? .mended : .none
  }

  /// Indicates whether the fragment is part of one word rather than of a compound.
  private func isBrokenWord(before rest: String) -> Bool {
    let scalars = fragment.unicodeScalars
    guard scalars.count > 1, !scalars.dropFirst().contains(where: { $0.properties.isUppercase }),
      scalars.allSatisfy({
        $0.properties.isAlphabetic || $0.properties.isDefaultIgnorableCodePoint || isOpening($0)
      })
    else { return false }
    if CompoundTable.endings.contains(rest) { return true }
    let bare = String(String.UnicodeScalarView(scalars.drop(while: isOpening))).lowercased()
    return !CompoundTable.firstParts.contains(bare) && !CompoundTable.lastParts.contains(rest)
  }

  private func isOpening(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "(", "[", "\"", "'", "\u{201c}", "\u{2018}", "\u{201e}", "\u{ab}": true
    default: false
    }
  }

  /// Indicates whether the character belongs to a script without spaces between words, or to its punctuation.
  private func isSpaceless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0e00...0x0eff, 0x1000...0x109f, 0x1780...0x17ff, 0x2e80...0x312f, 0x31a0...0x9fff, 0xa000...0xa4cf,
      0xf900...0xfaff, 0xfe30...0xfe4f, 0xff01...0xff9f, 0x20000...0x3ffff:
      true
    default: false
    }
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> String {
    var end = start
    while end - start < longestWord, let (scalar, length) = bytes.scalar(at: end), scalar.properties.isAlphabetic {
      end += length
    }
    return String(decoding: bytes[start..<end], as: UTF8.self).lowercased()
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> String {
    var start = end
    while end - start < longestWord, let (scalar, length) = bytes.scalar(before: start),
      !scalar.properties.isWhitespace
    {
      start -= length
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns the character at an offset of well-formed UTF-8; nil at the end.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard offset < count else { return nil }
    let lead = self[offset]
    if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
    let length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2
    guard offset + length <= count else { return ("\u{fffd}", count - offset) }
    var value = UInt32(lead) & (0x7f >> UInt32(length))
    for place in offset + 1..<offset + length { value = value << 6 | UInt32(self[place] & 0x3f) }
    return (Unicode.Scalar(value) ?? "\u{fffd}", length)
  }

  /// Widens a range of well-formed UTF-8 to whole characters.
  func wholeCharacters(_ range: Range<Int>) -> Range<Int> {
    func isInside(_ offset: Int) -> Bool { offset > 0 && offset < count && self[offset] & 0xc0 == 0x80 }
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while isInside(lower) { lower -= 1 }
    while isInside(upper) { upper += 1 }
    return lower..<upper
  }

  /// Returns the character that ends at an offset of well-formed UTF-8; nil at the beginning.
  func scalar(before offset: Int) -> (scalar: Unicode.Scalar, length: Int)? {
    guard offset > 0 else { return nil }
    var start = offset - 1
    while start > 0, self[start] & 0xc0 == 0x80 { start -= 1 }
    return scalar(at: start)
  }
}
