/// One piece of a rule.
enum SplitStep: Sendable {
  /// Scalars of a set, as many as there are within limits; fewer where the rest of the rule needs them.
  case run(ScalarSet, ClosedRange<Int>)
  /// Lookahead that matches where no scalar outside the set follows.
  case notBefore(ScalarSet)
  /// An English contraction such as `'s` or `'ll`.
  case contraction(ignoresCase: Bool, isOptional: Bool)
  /// Letters with their marks, in words joined by single spaces.
  case spacedWords
}

/// One way over a text: rules that are tried in order wherever the last match ended, like the branches of a regular
/// expression. What no rule matches stays together up to the next match.
struct SplitRules: Sendable {
  private enum Operation {
    case run(UInt32, Int, Int)
    case notBefore(UInt32)
    case contraction(ignoresCase: Bool, isOptional: Bool)
    case spacedWords
  }

  private var rules: [[Operation]] = []
  /// Bit k of an entry says whether the k-th set has that ASCII character.
  private var asciiMembership = [UInt32](repeating: 0, count: 128)
  /// The same for the scalars beyond ASCII of a class, as the class's bit number.
  private var classMembership = [UInt32](repeating: 0, count: 8)
  /// The sets for which a class says too little.
  private var rangedSets: [(bit: UInt32, set: ScalarSet)] = []

  private static let letterBit: UInt32 = 1 << 31
  private static let markBit: UInt32 = 1 << 30

  init(_ rules: [[SplitStep]]) {
    var bit: UInt32 = 1
    func add(_ set: ScalarSet, as bit: UInt32, to rules: inout SplitRules) {
      for scalar in UInt32(0)..<128 where set.contains(ascii: scalar) { rules.asciiMembership[Int(scalar)] |= bit }
      if set.dependsOnRanges {
        rules.rangedSets.append((bit, set))
      } else {
        for number in 0..<8 where set.contains(0xFFFF_FFFF, class: 1 << UInt8(number)) {
          rules.classMembership[number] |= bit
        }
      }
    }
    add(ScalarSet(.letter), as: Self.letterBit, to: &self)
    add(ScalarSet(.mark), as: Self.markBit, to: &self)
    for rule in rules {
      var operations: [Operation] = []
      for step in rule {
        switch step {
        case .run(let set, let limits):
          add(set, as: bit, to: &self)
          operations.append(.run(bit, limits.lowerBound, limits.upperBound))
          bit <<= 1
        case .notBefore(let set):
          add(set, as: bit, to: &self)
          operations.append(.notBefore(bit))
          bit <<= 1
        case .contraction(let ignoresCase, let isOptional):
          operations.append(.contraction(ignoresCase: ignoresCase, isOptional: isOptional))
        case .spacedWords: operations.append(.spacedWords)
        }
      }
      self.rules.append(operations)
    }
    precondition(bit <= Self.markBit, "a rule set has at most 30 scalar sets")
  }

  /// Cuts pieces further.
  /// - Parameters:
  ///   - text: the whole text.
  ///   - ends: where each piece ends, ascending.
  /// - Returns: where each finer piece ends.
  func split(_ text: ScalarText, ends: [Int]) -> [Int] {
    let membership = membership(of: text)
    return membership.withUnsafeBufferPointer { membership in
      text.scalars.withUnsafeBufferPointer { scalars in
        var finer: [Int] = []
        finer.reserveCapacity(max(ends.count, text.scalars.count / 4))
        var start = 0
        for end in ends {
          var matcher = Matcher(rules: rules, membership: membership, scalars: scalars, end: end)
          var (position, gap) = (start, start)
          while position < end {
            if let match = matcher.firstMatch(at: position) {
              if gap < position { finer.append(position) }
              finer.append(match)
              (position, gap) = (match, match)
            } else {
              position += 1
            }
          }
          if gap < end { finer.append(end) }
          start = end
        }
        return finer
      }
    }
  }

  private func membership(of text: ScalarText) -> [UInt32] {
    [UInt32](unsafeUninitializedCapacity: text.scalars.count) { buffer, count in
      for (position, scalar) in text.scalars.enumerated() {
        if scalar < 128 {
          buffer[position] = asciiMembership[Int(scalar)]
        } else {
          let scalarClass = UnicodeClasses.classes[Int(scalar)]
          var bits = classMembership[scalarClass.trailingZeroBitCount]
          for (bit, set) in rangedSets where set.contains(scalar, class: scalarClass) { bits |= bit }
          buffer[position] = bits
        }
      }
      count = text.scalars.count
    }
  }

  /// Matches rules inside one piece.
  private struct Matcher {
    let rules: [[Operation]]
    let membership: UnsafeBufferPointer<UInt32>
    let scalars: UnsafeBufferPointer<UInt32>
    let end: Int

    mutating func firstMatch(at position: Int) -> Int? {
      for rule in rules {
        if let match = match(rule, 0, position), match > position { return match }
      }
      return nil
    }

    private func match(_ rule: [Operation], _ step: Int, _ position: Int) -> Int? {
      if step == rule.count { return position }
      switch rule[step] {
      case .run(let bit, let least, let most):
        var stop = position
        let limit = most < end - position ? position + most : end
        while stop < limit, membership[stop] & bit != 0 { stop += 1 }
        while stop >= position + least {
          if let match = match(rule, step + 1, stop) { return match }
          stop -= 1
        }
        return nil
      case .notBefore(let bit):
        return position < end && membership[position] & bit == 0 ? nil : match(rule, step + 1, position)
      case .contraction(let ignoresCase, let isOptional):
        let length = contractionLength(at: position, ignoresCase: ignoresCase)
        if length > 0, let match = match(rule, step + 1, position + length) { return match }
        return isOptional ? match(rule, step + 1, position) : nil
      case .spacedWords:
        guard let stop = spacedWordsEnd(from: position) else { return nil }
        return match(rule, step + 1, stop)
      }
    }

    private func contractionLength(at position: Int, ignoresCase: Bool) -> Int {
      guard position + 1 < end, scalars[position] == 0x27 else { return 0 }
      func letter(_ offset: Int) -> UInt32 {
        let scalar = scalars[position + offset]
        return ignoresCase && scalar >= 0x41 && scalar <= 0x5A ? scalar + 0x20 : scalar
      }
      let first = letter(1)
      if first == 0x73 || first == 0x74 || first == 0x6D || first == 0x64 { return 2 }  // s t m d
      guard position + 2 < end else { return 0 }
      switch (first, letter(2)) {
      case (0x72, 0x65), (0x76, 0x65), (0x6C, 0x6C): return 3  // re ve ll
      default: return 0
      }
    }

    /// The end of `(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+`.
    private func spacedWordsEnd(from position: Int) -> Int? {
      guard position < end, membership[position] & letterBit != 0 else { return nil }
      var stop = position + 1
      while stop < end {
        if membership[stop] & (letterBit | markBit) != 0 {
          stop += 1
        } else if scalars[stop] == 0x20, stop + 1 < end, membership[stop + 1] & letterBit != 0 {
          stop += 2
        } else {
          break
        }
      }
      return stop
    }
  }
}
