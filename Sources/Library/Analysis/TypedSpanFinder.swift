/// Scans the tokens of a sentence for typed spans.
struct TypedSpanFinder {
  let tokens: [Token]
  let stretch: Range<Int>
  private(set) var spans: [TypedSpan] = []

  init(tokens: [Token], stretch: Range<Int>) {
    self.tokens = tokens
    self.stretch = stretch.clamped(to: tokens.indices)
  }

  private mutating func add(_ type: AnswerType, _ range: Range<Int>) {
    guard !range.isEmpty else { return }
    let bytes = tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
    spans.append(TypedSpan(type: type, tokens: range, range: bytes))
  }

  private func folded(_ index: Int) -> String { stretch.contains(index) ? tokens[index].folded : "" }

  // MARK: Numbers and what they measure

  mutating func findNumbers() {
    var index = stretch.lowerBound
    while index < stretch.upperBound {
      let token = tokens[index]
      if let end = phoneEnd(index) {
        add(.phone, index..<end)
        index = end
      } else if let end = dateEnd(index) {
        add(.date, index..<end)
        index = end
      } else if isNumeric(index) {
        var end = index + 1
        while end < stretch.upperBound, isNumeric(end) || folded(end) == "and" && isNumeric(end + 1),
          !tokens[end].followsBreak, UnitTable.magnitudes.contains(folded(end)) || !tokens[index].isNumber
        {
          end += 1
        }
        index = addAmount(index..<end)
      } else if isOrdinal(token) {
        add(.ordinal, index..<index + 1)
        index += 1
      } else if token.leading.contains(0x40), token.isJoinedAddress, index > stretch.lowerBound {
        var end = index + 1
        while end < stretch.upperBound, tokens[end].range.lowerBound == tokens[end - 1].range.upperBound + 1,
          tokens[end].leading == [0x2E] || tokens[end].leading == [0x2D]
        {
          end += 1
        }
        add(.email, index - 1..<end)
        index = end
      } else if ["http", "https", "www"].contains(token.folded) {
        var end = index + 1
        while end < stretch.upperBound, tokens[end].range.lowerBound <= tokens[end - 1].range.upperBound + 3,
          !tokens[end].leading.isEmpty || tokens[end].isJoined, tokens[end].leading != [0x2C]
        {
          end += 1
        }
        add(.link, index..<end)
        index = end
      } else {
        index += 1
      }
    }
  }

  private func isNumeric(_ index: Int) -> Bool {
    guard stretch.contains(index) else { return false }
    return tokens[index].isNumber || UnitTable.numberWords.contains(tokens[index].folded)
  }

  private func isOrdinal(_ token: Token) -> Bool {
    if UnitTable.ordinals.contains(token.folded) { return true }
    guard token.hasDigit, token.folded.utf8.count <= 6 else { return false }
    return ["st", "nd", "rd", "th"].contains { token.folded.hasSuffix($0) }
      && token.folded.dropLast(2).allSatisfy(\.isNumber)
  }

  /// Adds a number with its sign or unit; returns the index behind it.
  private mutating func addAmount(_ number: Range<Int>) -> Int {
    let (first, last) = (tokens[number.lowerBound], tokens[number.upperBound - 1])
    let unit = folded(number.upperBound)
    let isUnitNear = number.upperBound < stretch.upperBound && !tokens[number.upperBound].followsBreak
    if last.trailing.contains(0x25) || isUnitNear && ["percent", "percentage"].contains(unit) {
      add(.percent, number)
    } else if isUnitNear && unit == "per" && folded(number.upperBound + 1) == "cent" {
      add(.percent, number.lowerBound..<number.upperBound + 2)
    } else if first.leading.contains(where: Self.isCurrency) || last.trailing.contains(where: Self.isCurrency) {
      add(.money, number)
    } else if isUnitNear && UnitTable.currencies.contains(unit)
      || isUnitNear && UnitTable.currencies.contains(folded(number.upperBound + 1)) && unit.count < 9
    {
      let end = UnitTable.currencies.contains(unit) ? number.upperBound + 1 : number.upperBound + 2
      add(.money, number.lowerBound..<end)
      return end
    } else if UnitTable.currencies.contains(folded(number.lowerBound - 1)) {
      add(.money, number)
    } else if last.trailing.contains(0xB0) || isUnitNear && UnitTable.temperatures.contains(unit) && unit.count > 1
    {
      add(.temperature, number)
    } else if isUnitNear && UnitTable.times.contains(unit) {
      add(.duration, number.lowerBound..<number.upperBound + 1)
      return number.upperBound + 1
    } else if isUnitNear && UnitTable.units.contains(unit) {
      add(.quantity, number.lowerBound..<number.upperBound + 1)
      return number.upperBound + 1
    } else if isClock(number.lowerBound) {
      add(.time, number.lowerBound..<min(number.upperBound + 1, stretch.upperBound))
      return min(number.upperBound + 1, stretch.upperBound)
    } else {
      add(.number, number)
    }
    return number.upperBound
  }

  private func isClock(_ index: Int) -> Bool {
    guard tokens[index].isNumber, index + 1 < stretch.upperBound else { return false }
    let next = tokens[index + 1]
    if ["am", "pm", "o'clock", "oclock"].contains(next.folded) { return true }
    return next.isNumber && next.leading == [0x3A] && next.folded.utf8.count == 2
      && tokens[index].folded.utf8.count <= 2
  }

  private static func isCurrency(_ scalar: UInt32) -> Bool {
    Unicode.Scalar(scalar)?.properties.generalCategory == .currencySymbol
  }

  /// Returns the end of a telephone number that begins here: groups of digits, seven to fifteen in all.
  private func phoneEnd(_ start: Int) -> Int? {
    guard tokens[start].isNumber else { return nil }
    let joints: Set<UInt32> = [0x2D, 0x2E, 0x28, 0x29, 0x2F]
    var end = start
    var digits = 0
    while end < stretch.upperBound, digits <= 15, tokens[end].isNumber,
      end == start || tokens[end].leading.allSatisfy(joints.contains)
    {
      digits += tokens[end].folded.utf8.count
      end += 1
    }
    let hasPlus = tokens[start].leading.last == 0x2B
    guard (7...15).contains(digits), hasPlus || end - start >= 3 || end - start == 2 && digits <= 11 else {
      return nil
    }
    if !hasPlus && dateEnd(start) != nil { return nil }
    return end
  }

  // MARK: Dates

  private func isYear(_ index: Int) -> Bool {
    guard stretch.contains(index) else { return false }
    let token = tokens[index]
    let text = token.folded
    if text.utf8.count == 5, text.hasSuffix("s"), text.dropLast().allSatisfy(\.isNumber) { return true }
    guard token.isNumber, token.text.utf8.count == text.utf8.count, let value = Int(text) else { return false }
    if text.utf8.count == 4, (1000...2199).contains(value) {
      return !token.leading.contains(where: Self.isCurrency) && !token.trailing.contains(0x25)
    }
    let datePrepositions: Set<String> = [
      "in", "since", "until", "by", "year", "around", "about", "circa", "c", "from",
    ]
    return text.utf8.count == 3 && ["in", "year", "ad"].contains(folded(index - 1))
      && !UnitTable.units.contains(folded(index + 1)) && datePrepositions.contains(folded(index - 1))
  }

  private func isDayNumber(_ index: Int) -> Bool {
    guard stretch.contains(index) else { return false }
    let digits = tokens[index].folded.prefix { $0.isNumber }
    guard digits.count <= 2, let value = Int(digits), (1...31).contains(value) else { return false }
    return tokens[index].isNumber || isOrdinal(tokens[index])
  }

  /// Returns the end of a date that begins here: a year, a month with day or year, a weekday, a century, digits with
  /// slashes.
  private func dateEnd(_ start: Int) -> Int? {
    let token = tokens[start]
    if isOrdinal(token) || token.isNumber {
      // "10th and 11th centuries", "5th century BC"
      var end = start + 1
      while end < min(stretch.upperBound, start + 8),
        ["and", "or", "to", "early", "late"].contains(folded(end)) || isOrdinal(tokens[end])
      {
        end += 1
      }
      if UnitTable.eras.contains(folded(end)), isOrdinal(token) || end == start + 1, !folded(end).hasPrefix("era")
      {
        return ["bc", "ad", "bce", "ce"].contains(folded(end + 1)) ? end + 2 : end + 1
      }
    }
    if isDayNumber(start) {
      let monthPlace = folded(start + 1) == "of" ? start + 2 : start + 1
      if UnitTable.months.contains(folded(monthPlace)) {
        return isYear(monthPlace + 1) ? monthPlace + 2 : monthPlace + 1
      }
    }
    if UnitTable.months.contains(token.folded), token.isCapitalised {
      if isDayNumber(start + 1) { return isYear(start + 2) ? start + 3 : start + 2 }
      return isYear(start + 1) ? start + 2 : start + 1
    }
    if UnitTable.days.contains(token.folded), token.isCapitalised { return start + 1 }
    if UnitTable.seasons.contains(token.folded) { return isYear(start + 1) ? start + 2 : start + 1 }
    if token.isNumber, start + 2 < stretch.upperBound {
      // 2026-05-01, 1/5/2026, 1.5.2026
      let (second, third) = (tokens[start + 1], tokens[start + 2])
      let joints: [[UInt32]] = [[0x2D], [0x2F], [0x2E]]
      if second.isNumber, third.isNumber, second.leading == third.leading, joints.contains(second.leading),
        token.folded.utf8.count == 4 || third.folded.utf8.count == 4
          || third.folded.utf8.count == 2
            && token.folded.utf8.count <= 2,
        second.folded.utf8.count <= 2
      {
        return start + 3
      }
    }
    if isYear(start) {
      if isYear(start + 1), [[0x2D], [0x2013]].contains(tokens[start + 1].leading) { return start + 2 }
      return ["bc", "ad", "bce", "ce"].contains(folded(start + 1)) ? start + 2 : start + 1
    }
    return nil
  }

  // MARK: Names

  mutating func findNames() {
    var index = stretch.lowerBound
    while index < stretch.upperBound {
      guard isNamePart(index) else {
        index += 1
        continue
      }
      var end = index + 1
      while end < stretch.upperBound, !tokens[end].followsBreak || isInitial(end - 1) {
        if isNamePart(end) || tokens[end].isNumber && tokens[end].isJoined {
          end += 1
          continue
        }
        // "William of Volpiano", "Court of Justice of the European Union"
        var next = end
        while next < stretch.upperBound, next < end + 2, NameTable.connectors.contains(folded(next)),
          folded(next) != "and",
          folded(next) != "in", folded(next) != "on"
        {
          next += 1
        }
        guard next > end, next < stretch.upperBound, isNamePart(next), !tokens[next].followsBreak else { break }
        end = next + 1
      }
      add(nameType(index..<end), index..<end)
      index = end
    }
  }

  private func isInitial(_ index: Int) -> Bool {
    tokens[index].text.utf8.count <= 2 && tokens[index].isCapitalised
  }

  private func isNamePart(_ index: Int) -> Bool {
    let token = tokens[index]
    guard token.isCapitalised, !token.isNumber else { return false }
    if UnitTable.months.contains(token.folded) && token.folded != "may" || UnitTable.days.contains(token.folded) {
      return false
    }
    if token.isStopWord { return false }
    if index == stretch.lowerBound {
      // A capital at the start of a sentence is weak evidence: a second one or a known name is required.
      let next = index + 1
      if next < stretch.upperBound, tokens[next].isCapitalised, !tokens[next].followsBreak { return true }
      return NameTable.firstNames.contains(token.folded) || NameTable.places.contains(token.folded)
        || NameTable.nationalities.contains(token.folded) || token.text == token.text.uppercased()
        || next < stretch.upperBound && ["is", "was", "has", "had", "of", "s"].contains(tokens[next].folded)
    }
    return true
  }

  private func nameType(_ range: Range<Int>) -> AnswerType {
    let words = range.map { tokens[$0].folded }
    let (first, last) = (words[0], words[words.count - 1])
    if words.contains(where: NameTable.organisationWords.contains) { return .organisation }
    if NameTable.titles.contains(first) && words.count > 1 || NameTable.firstNames.contains(first) {
      return .person
    }
    if NameTable.titles.contains(folded(range.lowerBound - 1)) { return .person }
    if NameTable.places.contains(last) || NameTable.placeWords.contains(last)
      || NameTable.placeWords.contains(first)
    {
      return .place
    }
    if words.count == 1,
      NameTable.nationalities.contains(last) || NameTable.nationalities.contains(String(last.dropLast()))
    {
      return .nationality
    }
    if words.count == 1, NameTable.languagesOnly.contains(last) { return .language }
    let before = folded(range.lowerBound - 1)
    if NameTable.placePrepositions.contains(before) { return .place }
    if words.count == 1, tokens[range.lowerBound].text == tokens[range.lowerBound].text.uppercased(),
      last.count > 1
    {
      return .organisation
    }
    if ["by", "said"].contains(before) { return .person }
    return .name
  }
}

extension Token {
  /// Indicates whether it directly follows an at sign.
  fileprivate var isJoinedAddress: Bool { leading == [0x40] }
}
