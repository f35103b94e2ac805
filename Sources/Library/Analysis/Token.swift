import Linguistics

/// Word or number of a text, with its spelling and the punctuation around it.
struct Token: Sendable {
  /// Range of bytes in the text.
  let range: Range<Int>
  /// Text as written.
  let text: String
  /// Text as compared: lower case, no diacritics.
  let folded: String
  let stem: String
  let isStopWord: Bool
  let isNumber: Bool
  let hasDigit: Bool
  /// Indicates whether it begins with a capital letter.
  let isCapitalised: Bool
  /// Indicates whether punctuation that separates phrases stands between it and the word before.
  let followsBreak: Bool
  /// Indicates whether nothing or only a hyphen stands between it and the word before.
  let isJoined: Bool
  /// Characters other than spaces, four at most, between it and the word before (a currency sign, `+`).
  let leading: [UInt32]
  /// Characters other than spaces, four at most, between it and the next word (`%`, `°`, a currency sign).
  fileprivate(set) var trailing: [UInt32] = []
}

extension Token {
  /// Splits a text into words, in linear time.
  /// - Parameter language: decides stems and stop words.
  static func scan(_ text: String, in language: Language = .english) -> [Token] {
    var text = text
    text.makeContiguousUTF8()
    let words = Words.split(text).filter { !$0.kind.isAdditional }
    return text.utf8.withContiguousStorageIfAvailable { bytes in
      var previousEnd = 0
      var tokens: [Token] = []
      tokens.reserveCapacity(words.count)
      for word in words {
        let token = Token(word: word, bytes: bytes, previousEnd: previousEnd, language: language)
        if !tokens.isEmpty { tokens[tokens.count - 1].trailing = token.leading }
        tokens.append(token)
        previousEnd = word.range.upperBound
      }
      if !tokens.isEmpty {
        let tail = UnsafeBufferPointer(rebasing: bytes[previousEnd..<min(bytes.count, previousEnd + 12)])
        tokens[tokens.count - 1].trailing = Self.symbols(tail)
      }
      return tokens
    } ?? []
  }

  private init(word: Word, bytes: UnsafeBufferPointer<UInt8>, previousEnd: Int, language: Language) {
    range = word.range
    text = String(decoding: UnsafeBufferPointer(rebasing: bytes[word.range]), as: UTF8.self)
    folded = word.text
    isNumber = word.kind == .number
    hasDigit = isNumber || text.utf8.contains { $0 &- 0x30 < 10 }
    isCapitalised = text.unicodeScalars.first?.properties.isUppercase ?? false
    // "US" is a country, "us" a pronoun.
    let isAcronym = isCapitalised && text.utf8.count > 1 && text == text.uppercased()
    stem =
      isNumber
      ? word.text
      : language == .english ? Stemmer.stem(word.text) : LightStemmer.stem(word.text, in: language)
    isStopWord =
      !isAcronym
      && (StopWords.contains(word.text) || language != .english && StopWords.contains(word.text, in: language))
    let gapStart = min(previousEnd, word.range.lowerBound)
    let gap = UnsafeBufferPointer(rebasing: bytes[gapStart..<word.range.lowerBound])
    followsBreak = previousEnd > 0 && Self.hasBreak(gap)
    isJoined = previousEnd > 0 && (gap.isEmpty || gap.count == 1 && gap[0] == UInt8(ascii: "-"))
    leading = Self.symbols(gap)
  }

  /// Indicates whether a gap holds `,` `;` `:` a bracket, a bar, a line end, a tab, a full stop or a dash.
  private static func hasBreak(_ gap: UnsafeBufferPointer<UInt8>) -> Bool {
    if gap.count == 1 { return gap[0] != 0x20 && gap[0] != 0x2D && gap[0] != 0x26 && gap[0] != 0x27 }
    return gap.contains { byte in
      switch byte {
      case 0x2C, 0x2E, 0x3B, 0x3A, 0x28, 0x29, 0x5B, 0x5D, 0x7C, 0x09, 0x0A, 0x21, 0x3F, 0xE2: true
      default: false
      }
    }
  }

  private static func symbols(_ gap: UnsafeBufferPointer<UInt8>) -> [UInt32] {
    if gap.isEmpty || gap.count == 1 && gap[0] == 0x20 { return [] }
    let scalars = String(decoding: gap, as: UTF8.self).unicodeScalars
    return scalars.lazy.filter { !$0.properties.isWhitespace }.suffix(4).map(\.value)
  }
}
