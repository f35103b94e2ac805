import Tokenization

/// Cuts a text that is longer than a model reads into overlapping windows, between words.
struct TextWindows {
  let tokenizer: Tokenizer
  /// The tokens of one window, without those that every text has.
  let budget: Int

  /// The ranges of bytes, in UTF-8, that together cover all words of a text; each fits the budget, or is one piece that
  /// does not.
  func ranges(of text: String) -> [Range<Int>] {
    let bytes = Array(text.utf8)
    let pieces = pieces(of: text)
    guard !pieces.isEmpty else { return [] }
    var sums = [0]
    for piece in pieces {
      let piece = String(decoding: bytes[piece], as: UTF8.self)
      sums.append(sums[sums.count - 1] + max(1, tokenizer.encode(piece).count))
    }
    let (total, overlap) = (sums[pieces.count], budget / 4)
    var windows: [Range<Int>] = []
    var start = 0
    while true {
      var end = lastIndex(of: sums) { $0 <= sums[start] + budget }
      end = min(max(end, start + 1), pieces.count)
      // Words side by side may make another number of tokens than each by itself.
      while end > start + 1, count(bytes[pieces[start].lowerBound..<pieces[end - 1].upperBound]) > budget {
        end -= max(1, (end - start) / 16)
      }
      windows.append(pieces[start].lowerBound..<pieces[end - 1].upperBound)
      if end == pieces.count { return windows }
      // The last window reaches back as far as it may, so that it is no mere scrap.
      let next = lastIndex(of: sums) { $0 <= sums[end] - overlap }
      let last = sums.firstIndex { total - $0 <= budget } ?? pieces.count
      start = max(start + 1, min(next, last, end))
    }
  }

  private func lastIndex(of sums: [Int], where holds: (Int) -> Bool) -> Int {
    var (low, high) = (0, sums.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(sums[middle]) { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }

  private func count(_ bytes: ArraySlice<UInt8>) -> Int {
    tokenizer.encode(String(decoding: bytes, as: UTF8.self)).count
  }

  /// Words with the marks around them; scripts without spaces and endless words are cut every few letters.
  private func pieces(of text: String) -> [Range<Int>] {
    var pieces: [Range<Int>] = []
    var (start, at, length) = (0, 0, 0)
    for scalar in text.unicodeScalars {
      let width = scalar.utf8.count
      if scalar.properties.isWhitespace {
        if start < at { pieces.append(start..<at) }
        (start, length) = (at + width, 0)
      } else {
        let limit = scalar.value >= 0x2e80 ? 16 : 64
        if length >= limit, scalar.properties.canonicalCombiningClass == .notReordered {
          pieces.append(start..<at)
          (start, length) = (at, 0)
        }
        length += 1
      }
      at += width
    }
    if start < at { pieces.append(start..<at) }
    return pieces
  }
}
