/// Splits running text into sentences, in one pass over its UTF-8.
package enum Sentences {
  /// Returns the sentences in order, without the white space around them, in UTF-8 offsets.
  ///
  /// A line feed always ends a sentence. Abbreviations, initials, decimals and list numbers do not.
  package static func split(_ text: String) -> [Range<Int>] {
    var text = text
    return text.withUTF8 { bytes in
      var splitter = SentenceSplitter(bytes: bytes)
      return splitter.split()
    }
  }

  /// Returns the text of each sentence in order.
  package static func texts(of text: String) -> [String] {
    split(text).map { range in
      let bytes = text.utf8
      let start = bytes.index(bytes.startIndex, offsetBy: range.lowerBound)
      return String(text[start..<bytes.index(start, offsetBy: range.count)])
    }
  }
}

private struct SentenceSplitter {
  let bytes: UnsafeBufferPointer<UInt8>
  private var sentences: [Range<Int>] = []
  private var start = 0
  /// Indicates whether the text has no capitals ("what is lift . it is"), so that lower case tells nothing.
  private let isCaseless: Bool

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    var (upper, lower) = (0, 0)
    for byte in bytes {
      if byte &- 0x41 < 26 { upper += 1 } else if byte &- 0x61 < 26 { lower += 1 }
    }
    isCaseless = upper * 200 < lower
  }

  mutating func split() -> [Range<Int>] {
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte == 0x0a {
        close(at: place)
        place += 1
      } else if byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?")
        || byte >= 0xd8,
        let mark = terminator(at: place)
      {
        place = consider(mark, at: place)
      } else {
        place += 1
      }
    }
    close(at: bytes.count)
    return sentences
  }

  private mutating func close(at end: Int) {
    var (from, to) = (start, end)
    while from < to, isSpace(from) { from += 1 }
    while to > from, isSpace(to - 1) { to -= 1 }
    if from < to { sentences.append(from..<to) }
    start = end
  }

  // MARK: Characters

  private enum Terminator { case point, mark, ellipsis, wide }

  private func isSpace(_ place: Int) -> Bool {
    let byte = bytes[place]
    return byte == 0x20 || (byte >= 0x09 && byte <= 0x0d)
  }

  private func character(at place: Int) -> (value: UInt32, length: Int) {
    let (scalar, length) = WordScanner(bytes: bytes).decode(at: place)
    return (scalar.value, length)
  }

  private func terminator(at place: Int) -> (kind: Terminator, length: Int)? {
    let (value, length) = character(at: place)
    switch value {
    case 0x2e: return (.point, 1)
    case 0x21, 0x3f: return (.mark, 1)
    case 0x2026: return (.ellipsis, length)
    case 0x3002, 0xff01, 0xff1f, 0xff61: return (.wide, length)
    case 0x61f, 0x6d4, 0x964, 0x965, 0x17d4, 0x104b, 0x203c, 0x2047...0x2049, 0x1362: return (.mark, length)
    default: return nil
    }
  }

  private func closerLength(at place: Int) -> Int? {
    let (value, length) = character(at: place)
    switch value {
    case 0x22, 0x27, 0x29, 0x5d, 0x7d, 0xbb, 0x2019, 0x201d, 0x203a, 0x300d, 0x300f, 0xff09, 0x3011: return length
    default: return nil
    }
  }

  // MARK: Decisions

  /// Reads the terminators and closing quotes at a place, ends the sentence if they do, and returns the place to go
  /// on.
  private mutating func consider(_ first: (kind: Terminator, length: Int), at place: Int) -> Int {
    var end = place + first.length
    var kind = first.kind
    var count = 1
    while end < bytes.count, let next = terminator(at: end) {
      if next.kind != kind { kind = next.kind == .wide || kind == .wide ? .wide : .mark }
      end += next.length
      count += 1
    }
    if kind == .point, count > 1 { kind = .ellipsis }
    while end < bytes.count, let length = closerLength(at: end) { end += length }
    if kind == .wide {
      close(at: end)
      return end
    }
    if end < bytes.count, !isSpace(end) {
      // Reference marks may stand between: "so it was.[3] Later".
      guard let behind = behindReferenceMarks(end) else { return end }
      end = behind
    }
    var next = end
    while next < bytes.count, isSpace(next), bytes[next] != 0x0a { next += 1 }
    if next >= bytes.count || bytes[next] == 0x0a || ends(kind, pointAt: place, next: next) { close(at: end) }
    return end
  }

  private func behindReferenceMarks(_ place: Int) -> Int? {
    var place = place
    while place < bytes.count, bytes[place] == UInt8(ascii: "[") {
      var close = place + 1
      while close < bytes.count, close - place < 6, bytes[close] &- 0x30 < 10 { close += 1 }
      guard close > place + 1, close < bytes.count, bytes[close] == UInt8(ascii: "]") else { return nil }
      place = close + 1
    }
    return place == bytes.count || isSpace(place) ? place : nil
  }

  private func ends(_ kind: Terminator, pointAt point: Int, next: Int) -> Bool {
    var first = next
    while first < bytes.count,
      bytes[first] == 0x22 || bytes[first] == 0x27 || bytes[first] == 0x28 || bytes[first] == 0x5b
    {
      first += 1
    }
    guard first < bytes.count else { return true }
    let startsLower = bytes[first] &- 0x61 < 26
    if kind != .point { return !startsLower || isCaseless }
    if startsLower, !isCaseless { return false }
    let word = word(before: point)
    let nextWord = self.word(from: first)
    let startsNumber = bytes[first] &- 0x30 < 10
    if isListNumber(word, before: point) || !startsNumber && isClauseTitle(before: point) { return false }
    if SentencesTable.behindOrdinals.contains(nextWord), word.utf8.count <= 2,
      word.utf8.allSatisfy({ $0 &- 0x30 < 10 })
    {
      return false
    }
    if SentencesTable.titles.contains(word) { return false }
    if SentencesTable.numbered.contains(word) { return !startsNumber && nextWord.utf8.count != 1 }
    let startsSentence = SentencesTable.starters.contains(nextWord)
    if SentencesTable.final.contains(word) { return startsSentence }
    let isInitial = word.utf8.count == 1 && (point < 2 || bytes[point - 1] &- 0x41 < 26)
    let isDotted = word.utf8.contains(UInt8(ascii: "."))
    if isInitial || isDotted { return startsSentence || (isCaseless && !isInitial && !isDotted) }
    return true
  }

  /// Returns the word that ends at a place, in lower case, inner points included, at most 12 bytes.
  private func word(before end: Int) -> String {
    var from = end
    while from > start, end - from < 12, isWordByte(bytes[from - 1]) { from -= 1 }
    return lowered(from, end)
  }

  private func word(from begin: Int) -> String {
    var end = begin
    while end < bytes.count, end - begin < 12, isWordByte(bytes[end]), bytes[end] != UInt8(ascii: ".") { end += 1 }
    return lowered(begin, end)
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte >= 0x80 || byte == UInt8(ascii: ".")
  }

  private func lowered(_ from: Int, _ to: Int) -> String {
    String(decoding: bytes[from..<to].map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }

  /// Indicates whether the sentence until a place is only the title of a numbered clause: "4. DEPOSIT. The Tenant has
  /// paid".
  private func isClauseTitle(before point: Int) -> Bool {
    guard point - start <= 60 else { return false }
    var words = bytes[start..<point].split { $0 == 0x20 || (0x09...0x0d).contains($0) }[...]
    guard let number = words.popFirst(), number.count <= 8, number.first.map({ $0 &- 0x30 < 10 }) == true,
      number.contains(UInt8(ascii: ".")),
      number.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }), let first = words.first?.first
    else { return false }
    // In "7. Limitation of Liability" only short words begin in lower case.
    return first &- 0x41 < 26 && words.count <= 6
      && words.allSatisfy {
        $0.count <= 3 && $0.first! &- 0x30 >= 10 || $0.first! &- 0x41 < 26 || $0.first! >= 0x80
      }
  }

  /// Indicates whether the word is the number of a list item or heading, at the beginning of the sentence: "3.", "b.",
  /// "iv.".
  private func isListNumber(_ word: String, before point: Int) -> Bool {
    var from = start
    while from < point, isSpace(from) { from += 1 }
    guard from + word.utf8.count == point, word.utf8.count <= 5 else { return false }
    if word.utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }) { return word.utf8.count <= 4 }
    return word.utf8.count == 1 || word.utf8.allSatisfy { "ivx".utf8.contains($0) }
  }
}
