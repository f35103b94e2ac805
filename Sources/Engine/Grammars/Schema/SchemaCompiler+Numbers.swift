import JSON

extension SchemaCompiler {
  /// Largest whole number that every reader of JSON keeps exactly (IEEE 754 doubles).
  static let largest = 999_999_999_999_999
  /// Largest number of digits after the point in bounded numbers.
  static let fractionLimit = 8

  /// Compiles a number, within its bounds if it has any.
  mutating func number(
    _ schema: JSON, isWhole: Bool, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    let step = try multiple(schema, at: pointer)
    let bounds = try bounds(schema, at: pointer)
    if schema[SchemaMerging.fractional] == .bool(true) {
      guard !isWhole else { throw .matchesNothing(at: pointer) }
      guard step == nil else { throw .unsupported(keyword: "multipleOf", at: pointer) }
      return try fractions(bounds, at: pointer)
    }
    let refused = try refusedMultiples(schema, at: pointer)
    if !refused.isEmpty {
      // Only whole numbers are told from multiples.
      guard step?.digits ?? 0 == 0 else { throw .unsupported(keyword: "multipleOf", at: pointer) }
      return try multiples(of: step?.units ?? 1, refusing: refused, digits: 0, bounds, at: pointer)
    }
    guard bounds.isBounded || step != nil else { return isWhole ? Self.anyInteger : Self.anyNumber }
    if let step {
      // Whole multiples of a half are those of one.
      let scale = (0..<step.digits).reduce(1) { power, _ in power * 10 }
      if isWhole {
        return try multiples(of: step.units / Self.divisor(step.units, scale), digits: 0, bounds, at: pointer)
      }
      if step.units > 1 || step.digits == 0 {
        return try multiples(of: step.units, digits: step.digits, bounds, at: pointer)
      }
    }
    let mostDigits = isWhole ? 0 : step?.digits ?? min(Self.fractionLimit, max(bounds.digits + 1, 4))
    var choices: [GrammarExpression] = []
    for digits in 0...mostDigits {
      guard let range = bounds.range(digits: digits, largest: Self.largest) else { continue }
      choices.append(contentsOf: Self.numbers(range, digits: digits))
    }
    guard !choices.isEmpty else { throw .matchesNothing(at: pointer) }
    return addRule("number", .oneOf(choices))
  }

  /// Returns the whole numbers within a schema's bounds; nil where it lacks one of them.
  func wholeRange(_ schema: JSON, at pointer: String) throws(SchemaError) -> ClosedRange<Int>? {
    let bounds = try bounds(schema, at: pointer)
    guard bounds.least != nil, bounds.most != nil else { return nil }
    return bounds.range(digits: 0, largest: Self.largest)
  }

  // MARK: Bounds

  struct Bounds {
    var least: Decimal?
    var most: Decimal?
    var excludesLeast = false
    var excludesMost = false

    var isBounded: Bool { least != nil || most != nil }
    var digits: Int { max(least?.digits ?? 0, most?.digits ?? 0) }

    /// The numbers with `digits` digits after the point, in units of the last one; nil where there are none.
    func range(digits: Int, largest: Int) -> ClosedRange<Int>? {
      let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
      let furthest = digits == 0 ? largest : largest / 10
      let low = least?.scaled(scale, roundsUp: true, isExcluded: excludesLeast, limit: furthest) ?? -furthest
      let high = most?.scaled(scale, roundsUp: false, isExcluded: excludesMost, limit: furthest) ?? furthest
      return low <= high ? low...high : nil
    }
  }

  /// A decimal number: `units / 10^digits`.
  struct Decimal {
    var units: Int
    var digits: Int

    /// Reads a number of at most 15 significant digits; nil for others.
    init?(_ text: String) {
      let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
      guard let mantissa = parts.first, let exponent = parts.count > 1 ? Int(parts[1]) : 0 else { return nil }
      let pieces = mantissa.split(separator: ".", omittingEmptySubsequences: false)
      var fraction = pieces.count > 1 ? Array(pieces[1]) : []
      while fraction.last == "0" { fraction.removeLast() }
      guard var value = Int(String(pieces[0]) + String(fraction)), (-30...30).contains(exponent) else {
        return nil
      }
      if mantissa.hasPrefix("-"), value > 0 { value = -value }
      var places = fraction.count - exponent
      while places < 0 {
        let (product, isOver) = value.multipliedReportingOverflow(by: 10)
        guard !isOver else { return nil }
        (value, places) = (product, places + 1)
      }
      while places > 0, value % 10 == 0 { (value, places) = (value / 10, places - 1) }
      guard places <= 12, abs(value) < 1 << 60 else { return nil }
      (units, digits) = (value, places)
    }

    /// Returns the nearest whole number of units of `1 / scale` on the inner side, within a limit.
    func scaled(_ scale: Int, roundsUp: Bool, isExcluded: Bool, limit: Int) -> Int {
      let (product, isOver) = units.multipliedReportingOverflow(by: scale)
      guard !isOver else { return units < 0 ? -limit : limit }
      let divisor = (0..<digits).reduce(1) { power, _ in power * 10 }
      var quotient = product / divisor
      let isExact = product % divisor == 0
      if !isExact {
        if roundsUp, product > 0 { quotient += 1 }
        if !roundsUp, product < 0 { quotient -= 1 }
      } else if isExcluded {
        quotient += roundsUp ? 1 : -1
      }
      // Beyond the limit nothing is left on one side.
      if roundsUp { return quotient > limit ? limit + 1 : max(quotient, -limit) }
      return quotient < -limit ? -limit - 1 : min(quotient, limit)
    }
  }

  private func bounds(_ schema: JSON, at pointer: String) throws(SchemaError) -> Bounds {
    func decimal(_ keyword: String) throws(SchemaError) -> Decimal? {
      guard let value = schema[keyword] else { return nil }
      if case .bool = value { return nil }
      guard case .number(let digits) = value, let decimal = Decimal(digits) else {
        throw .badValue(keyword: keyword, at: pointer, expected: "a number of at most 15 digits")
      }
      return decimal
    }
    var bounds = Bounds(least: try decimal("minimum"), most: try decimal("maximum"))
    // Draft 4 has booleans here, later drafts numbers.
    bounds.excludesLeast = schema["exclusiveMinimum"] == .bool(true)
    bounds.excludesMost = schema["exclusiveMaximum"] == .bool(true)
    if let other = try decimal("exclusiveMinimum"),
      bounds.least.map({ Self.isLess($0, other, orEqual: true) }) ?? true
    {
      (bounds.least, bounds.excludesLeast) = (other, true)
    }
    if let other = try decimal("exclusiveMaximum"),
      bounds.most.map({ Self.isLess(other, $0, orEqual: true) }) ?? true
    {
      (bounds.most, bounds.excludesMost) = (other, true)
    }
    return bounds
  }

  private static func isLess(_ one: Decimal, _ other: Decimal, orEqual: Bool) -> Bool {
    func value(_ decimal: Decimal) -> Double {
      Double(decimal.units) / (0..<decimal.digits).reduce(1.0) { power, _ in power * 10 }
    }
    return orEqual ? value(one) <= value(other) : value(one) < value(other)
  }

  // MARK: Digits

  /// The numbers of a range of units as JSON writes them, with `digits` digits after the point.
  static func numbers(_ range: ClosedRange<Int>, digits: Int) -> [GrammarExpression] {
    var choices: [GrammarExpression] = []
    if range.lowerBound < 0 {
      let magnitudes = max(1, -min(range.upperBound, -1))...(-range.lowerBound)
      choices.append(.sequence([.text("-"), magnitude(magnitudes, digits: digits)]))
    }
    if range.upperBound >= 0 {
      choices.append(magnitude(max(0, range.lowerBound)...range.upperBound, digits: digits))
    }
    return choices
  }

  /// Returns the numbers of a range not below zero.
  static func magnitude(_ range: ClosedRange<Int>, digits: Int) -> GrammarExpression {
    guard digits > 0 else { return wholes(range) }
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let (low, high) = (range.lowerBound / scale, range.upperBound / scale)
    func with(_ whole: GrammarExpression, _ fraction: ClosedRange<Int>) -> GrammarExpression {
      .sequence([whole, .text("."), fixed(fraction, width: digits)])
    }
    let (first, last) = (range.lowerBound % scale, range.upperBound % scale)
    if low == high { return with(.text("\(low)"), first...last) }
    var choices = [with(.text("\(low)"), first...(scale - 1)), with(.text("\(high)"), 0...last)]
    if low + 1 < high { choices.append(with(wholes((low + 1)...(high - 1)), 0...(scale - 1))) }
    return .choice(choices)
  }

  /// Returns whole numbers without leading zeros.
  static func wholes(_ range: ClosedRange<Int>) -> GrammarExpression {
    var choices: [GrammarExpression] = []
    var (power, width) = (1, 1)
    while power <= range.upperBound || width == 1 {
      let (low, high) = (max(range.lowerBound, width == 1 ? 0 : power), min(range.upperBound, power * 10 - 1))
      if low <= high { choices.append(fixed(low...high, width: width)) }
      (power, width) = (power * 10, width + 1)
    }
    return .oneOf(choices)
  }

  /// Numbers of exactly `width` digits.
  static func fixed(_ range: ClosedRange<Int>, width: Int) -> GrammarExpression {
    func digit(_ low: Int, _ high: Int) -> GrammarExpression {
      .characters(CharacterSet([0x30 + UInt32(low)...0x30 + UInt32(high)]))
    }
    guard width > 1 else { return digit(range.lowerBound, range.upperBound) }
    let power = (1..<width).reduce(1) { power, _ in power * 10 }
    let (first, last) = (range.lowerBound / power, range.upperBound / power)
    let (low, high) = (range.lowerBound % power, range.upperBound % power)
    if low == 0, high == power - 1 {
      return .sequence([digit(first, last), .repeated(digit(0, 9), min: width - 1, max: width - 1)])
    }
    if first == last { return .sequence([digit(first, last), fixed(low...high, width: width - 1)]) }
    var choices = [
      GrammarExpression.sequence([digit(first, first), fixed(low...(power - 1), width: width - 1)]),
      .sequence([digit(last, last), fixed(0...high, width: width - 1)]),
    ]
    if first + 1 < last {
      choices.append(.sequence([digit(first + 1, last - 1), fixed(0...(power - 1), width: width - 1)]))
    }
    return .choice(choices)
  }
}
