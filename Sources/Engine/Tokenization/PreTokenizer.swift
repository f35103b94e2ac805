/// Pre-tokenizer of a byte-pair vocabulary: cuts a text into words before merges happen inside them.
struct PreTokenizer: Sendable {
  /// One way over the text; each cuts what the one before left.
  enum Pass: Sendable {
    case rules(SplitRules)
    /// Digits in threes from the right; text before a number stays with its first group, as in the reference.
    case digitGroups
    /// ASCII digits in threes from the right, inside pieces of nothing but numbers.
    case digitGroupsAhead
    /// The spaces at a piece's end.
    case trailingSpace
  }

  let passes: [Pass]

  /// Returns the end of each word of a text, in bytes, ascending; the last is the text's end.
  func wordEnds(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
    guard !bytes.isEmpty else { return [] }
    let text = ScalarText(bytes)
    var ends = [text.scalars.count]
    for pass in passes {
      switch pass {
      case .rules(let rules): ends = rules.split(text, ends: ends)
      case .digitGroups: ends = Self.splitDigitGroups(text.scalars, ends: ends)
      case .digitGroupsAhead: ends = Self.splitDigitGroupsAhead(text.scalars, ends: ends)
      case .trailingSpace: ends = Self.splitTrailingSpace(text.scalars, ends: ends)
      }
    }
    return ends.map { text.offsets[$0] }
  }

  private static func splitDigitGroups(_ scalars: [UInt32], ends: [Int]) -> [Int] {
    func isNumber(_ position: Int) -> Bool { UnicodeClasses.scalarClass(of: scalars[position]) == .number }
    var finer: [Int] = []
    var start = 0
    for end in ends {
      var position = start
      while position < end {
        guard isNumber(position) else {
          position += 1
          continue
        }
        var stop = position + 1
        while stop < end, isNumber(stop) { stop += 1 }
        let rest = (stop - position) % 3
        finer.append(contentsOf: stride(from: position + (rest == 0 ? 3 : rest), through: stop, by: 3))
        position = stop
      }
      if finer.last ?? 0 < end { finer.append(end) }
      start = end
    }
    return finer
  }

  private static func splitDigitGroupsAhead(_ scalars: [UInt32], ends: [Int]) -> [Int] {
    var finer: [Int] = []
    var start = 0
    for end in ends {
      var digitsAhead = 0
      var cuts: [Int] = []
      for position in (start..<end).reversed() {
        digitsAhead = scalars[position] >= 0x30 && scalars[position] <= 0x39 ? digitsAhead + 1 : 0
        if digitsAhead > 0, digitsAhead % 3 == 0, position > start { cuts.append(position) }
      }
      finer.append(contentsOf: cuts.reversed())
      finer.append(end)
      start = end
    }
    return finer
  }

  private static func splitTrailingSpace(_ scalars: [UInt32], ends: [Int]) -> [Int] {
    var finer: [Int] = []
    var start = 0
    for end in ends {
      var position = end
      while position > start, UnicodeClasses.scalarClass(of: scalars[position - 1]) == .whitespace {
        position -= 1
      }
      if position > start, position < end { finer.append(position) }
      finer.append(end)
      start = end
    }
    return finer
  }
}
