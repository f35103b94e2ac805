import JSON

/// Compiles numbers that are multiples of a step, or not whole.
extension SchemaCompiler {
  /// Largest step that is followed digit by digit, and largest number of values that are listed one by one.
  private static let stepLimit = 1000
  private static let listLimit = 5000

  static func divisor(_ one: Int, _ other: Int) -> Int { other == 0 ? one : divisor(other, one % other) }

  /// Returns the steps that a number must not be a multiple of.
  func refusedMultiples(_ schema: JSON, at pointer: String) throws(SchemaError) -> [Int] {
    var steps: [Int] = []
    for value in SchemaMerging.conjunction(schema[SchemaMerging.refusedMultiple]) {
      guard case .number(let text) = value, let step = Decimal(text), step.units > 0 else {
        throw .badValue(keyword: "multipleOf", at: pointer, expected: "a number above zero")
      }
      guard step.digits == 0 else { throw .unsupported(keyword: "multipleOf", at: pointer) }
      steps.append(step.units)
    }
    return steps
  }

  /// Returns the step of `multipleOf`; their least common multiple where several hold.
  func multiple(_ schema: JSON, at pointer: String) throws(SchemaError) -> Decimal? {
    var step: Decimal?
    for value in SchemaMerging.conjunction(schema["multipleOf"]) {
      guard case .number(let text) = value, let decimal = Decimal(text), decimal.units > 0 else {
        throw .badValue(keyword: "multipleOf", at: pointer, expected: "a number above zero")
      }
      guard decimal.digits <= Self.fractionLimit, var joined = step else {
        if step != nil || decimal.digits > Self.fractionLimit {
          throw .unsupported(keyword: "multipleOf", at: pointer)
        }
        step = decimal
        continue
      }
      // The least common multiple, in units of the finer one.
      let digits = max(joined.digits, decimal.digits)
      let (one, other) = (joined.units(at: digits), decimal.units(at: digits))
      let (product, isOver) = (one / Self.divisor(one, other)).multipliedReportingOverflow(by: other)
      guard !isOver, product <= Self.largest else { throw .unsupported(keyword: "multipleOf", at: pointer) }
      (joined.units, joined.digits) = (product, digits)
      step = joined
    }
    return step
  }

  /// Multiples of `step` units of the last digit after the point.
  /// - Parameter refused: steps that the numbers must not be multiples of.
  mutating func multiples(
    of step: Int, refusing refused: [Int] = [], digits: Int, _ bounds: Bounds, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    guard let range = bounds.range(digits: digits, largest: Self.largest) else {
      throw .matchesNothing(at: pointer)
    }
    if step == 1, digits == 0, refused.isEmpty { return addRule("number", .oneOf(Self.numbers(range, digits: 0))) }
    let low = range.lowerBound / step + (range.lowerBound > 0 && range.lowerBound % step != 0 ? 1 : 0)
    let high = range.upperBound / step - (range.upperBound < 0 && range.upperBound % step != 0 ? 1 : 0)
    guard low <= high else { throw .matchesNothing(at: pointer) }
    if high - low < Self.listLimit {
      let listed = (low...high).map { $0 * step }.filter { value in refused.allSatisfy { value % $0 != 0 } }
      if listed.isEmpty { throw .matchesNothing(at: pointer) }
      return .oneOf(listed.map { .text(Self.text(of: $0, digits: digits)) })
    }
    // The zeros of a step stand at the end of each number.
    if digits == 0, step % 10 == 0, refused.isEmpty {
      var inner = Bounds(least: Decimal(units: (low * step) / 10), most: Decimal(units: (high * step) / 10))
      if bounds.least == nil { inner.least = nil }
      if bounds.most == nil { inner.most = nil }
      return try tenfold(of: step / 10, inner, hasZero: low <= 0 && high >= 0, at: pointer)
    }
    // One automaton knows the remainders of all.
    var modulus = step
    for other in refused where modulus <= Self.stepLimit {
      modulus = modulus / Self.divisor(modulus, other) * other
    }
    guard modulus <= Self.stepLimit else { throw .unsupported(keyword: "multipleOf", at: pointer) }
    var digitsMade = DigitRules(step: modulus, digits: digits) { remainder in
      remainder % step == 0 && refused.allSatisfy { remainder % $0 != 0 }
    }
    var choices: [GrammarExpression] = []
    if !bounds.isBounded, modulus > Self.smallStep {
      choices.append(.sequence([.optional(.text("-")), digitsMade.anyLength(&rules)]))
    } else {
      if range.upperBound >= 0 {
        choices += digitsMade.numbers(max(0, range.lowerBound)...range.upperBound, &rules)
      }
      if range.lowerBound < 0 {
        let magnitudes = max(1, -min(range.upperBound, -1))...(-range.lowerBound)
        choices += digitsMade.numbers(magnitudes, &rules).map { .sequence([.text("-"), $0]) }
      }
    }
    guard rules.count <= Self.ruleLimit else { throw .unsupported(keyword: "multipleOf", at: pointer) }
    return choices.isEmpty ? .characters(CharacterSet([])) : .oneOf(choices)
  }

  private static let ruleLimit = 60_000
  /// Largest step of which numbers have no more digits than is useful; that takes a rule for each digit and remainder.
  private static let smallStep = 120

  /// Returns multiples of ten steps: those of the step with a zero behind them; zero itself stands alone.
  private mutating func tenfold(
    of step: Int, _ bounds: Bounds, hasZero: Bool, at pointer: String
  ) throws(SchemaError) -> GrammarExpression {
    var choices: [GrammarExpression] = hasZero ? [.text("0")] : []
    for part in bounds.apartFromZero {
      do {
        choices.append(.sequence([try multiples(of: step, digits: 0, part, at: pointer), .text("0")]))
      } catch .matchesNothing {
        continue
      }
    }
    if choices.isEmpty { throw .matchesNothing(at: pointer) }
    return .oneOf(choices)
  }

  /// A number of units of the last of some digits after the point.
  static func text(of units: Int, digits: Int) -> String {
    let plain = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - plain.count)) + plain
    let sign = units < 0 ? "-" : ""
    return digits == 0 ? sign + padded : sign + padded.dropLast(digits) + "." + padded.suffix(digits)
  }

  /// Returns numbers that are not whole.
  mutating func fractions(_ bounds: Bounds, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let digit = GrammarExpression.characters(CharacterSet([0x30...0x39]))
    let last = GrammarExpression.characters(CharacterSet([0x31...0x39]))
    guard bounds.isBounded else {
      // All digits together are no more than a double keeps.
      let whole = GrammarExpression.choice([.text("0"), .sequence([last, .repeated(digit, min: 0, max: 6)])])
      return .sequence([.optional(.text("-")), whole, .text("."), .repeated(digit, min: 0, max: 6), last])
    }
    var choices: [GrammarExpression] = []
    for digits in 1...min(Self.fractionLimit, max(bounds.digits + 1, 3)) {
      guard let range = bounds.range(digits: digits, largest: Self.largest) else { continue }
      // Tens of units as a number of one digit less, and behind it any digit but zero.
      func add(_ magnitudes: ClosedRange<Int>, sign: String) {
        let (low, high) = (magnitudes.lowerBound, magnitudes.upperBound)
        let (first, end) = ((low + 8) / 10, (high - 9) / 10)
        if high >= 9, first <= end {
          let tens = Self.magnitude(first...end, digits: digits - 1)
          choices.append(.sequence([.text(sign), tens] + (digits == 1 ? [.text(".")] : []) + [last]))
        }
        for tens in Set([low / 10, high / 10]) where high < 9 || tens < first || tens > end {
          for unit in 1...9 where magnitudes.contains(tens * 10 + unit) {
            choices.append(.text(sign + Self.text(of: tens * 10 + unit, digits: digits)))
          }
        }
      }
      if range.upperBound > 0 { add(max(1, range.lowerBound)...range.upperBound, sign: "") }
      if range.lowerBound < 0 { add(max(1, -min(range.upperBound, -1))...(-range.lowerBound), sign: "-") }
    }
    guard !choices.isEmpty else { throw .matchesNothing(at: pointer) }
    return addRule("number", .oneOf(choices))
  }
}

/// Rules that follow a number digit by digit and know its remainder.
private struct DigitRules {
  let step: Int
  /// Number of digits after the point.
  let digits: Int
  /// Rules by the number of digits that are left, and remainder.
  private var free: [[Int]: Int] = [:]

  /// Indicates whether a number may have a remainder, by remainder.
  private let isAccepted: [Bool]

  init(step: Int, digits: Int, accepts: (Int) -> Bool) {
    (self.step, self.digits) = (step, digits)
    isAccepted = (0..<step).map(accepts)
  }

  private func digit(_ digit: Int, _ rest: GrammarExpression, left: Int) -> GrammarExpression {
    // The point stands before the last digits.
    .sequence([.text(digits > 0 && left == digits ? "\(digit)." : "\(digit)"), rest])
  }

  /// Numbers of exactly `left` more digits.
  private mutating func rest(_ left: Int, _ remainder: Int, _ rules: inout [Grammar.Rule]) -> GrammarExpression? {
    if left == 0 { return isAccepted[remainder] ? .nothing : nil }
    if let known = free[[left, remainder]] { return known < 0 ? nil : .rule(known) }
    var choices: [GrammarExpression] = []
    for value in 0...9 {
      if let next = rest(left - 1, (remainder * 10 + value) % step, &rules) {
        choices.append(digit(value, next, left: left - 1))
      }
    }
    guard !choices.isEmpty else {
      free[[left, remainder]] = -1
      return nil
    }
    rules.append(Grammar.Rule(name: "multiple", expression: .oneOf(choices)))
    free[[left, remainder]] = rules.count - 1
    return .rule(rules.count - 1)
  }

  /// Returns numbers of any length.
  mutating func anyLength(_ rules: inout [Grammar.Rule]) -> GrammarExpression {
    let base = rules.count
    for _ in 0..<step { rules.append(Grammar.Rule(name: "multiple", expression: .nothing)) }
    for remainder in 0..<step {
      var choices: [GrammarExpression] = []
      if digits == 0 {
        if isAccepted[remainder] { choices.append(.nothing) }
      } else if let fraction = rest(digits, remainder, &rules) {
        choices.append(.sequence([.text("."), fraction]))
      }
      for value in 0...9 {
        choices.append(.sequence([.text("\(value)"), .rule(base + (remainder * 10 + value) % step)]))
      }
      rules[base + remainder].expression = .oneOf(choices)
    }
    var choices = (1...9).map { GrammarExpression.sequence([.text("\($0)"), .rule(base + $0 % step)]) }
    if digits == 0 {
      if isAccepted[0] { choices.append(.text("0")) }
    } else if let fraction = rest(digits, 0, &rules) {
      choices.append(.sequence([.text("0."), fraction]))
    }
    return .oneOf(choices)
  }

  /// Returns the numbers of a range of magnitudes, length by length.
  mutating func numbers(_ range: ClosedRange<Int>, _ rules: inout [Grammar.Rule]) -> [GrammarExpression] {
    var choices: [GrammarExpression] = []
    var (width, power) = (digits + 1, (0..<digits).reduce(1) { power, _ in power * 10 })
    while width == digits + 1 || power <= range.upperBound {
      let low = max(range.lowerBound, width == digits + 1 ? 0 : power)
      let high = min(range.upperBound, power * 10 - 1)
      if low <= high,
        let made = bounded(width, 0, Self.digits(low, width), Self.digits(high, width), true, true, &rules)
      {
        choices.append(made)
      }
      (width, power) = (width + 1, power * 10)
    }
    return choices
  }

  private static func digits(_ value: Int, _ width: Int) -> [Int] {
    var (digits, rest) = ([Int](), value)
    for _ in 0..<width { (digits, rest) = ([rest % 10] + digits, rest / 10) }
    return digits
  }

  /// Numbers of `left` more digits between two others; a border counts while the digits so far are its own.
  private mutating func bounded(
    _ left: Int, _ remainder: Int, _ low: [Int], _ high: [Int], _ isLow: Bool, _ isHigh: Bool,
    _ rules: inout [Grammar.Rule]
  ) -> GrammarExpression? {
    guard left > 0, isLow || isHigh else { return rest(left, remainder, &rules) }
    let place = low.count - left
    var choices: [GrammarExpression] = []
    let (first, last) = (isLow ? low[place] : 0, isHigh ? high[place] : 9)
    for value in first...max(first, last) where value <= last {
      let next = bounded(
        left - 1, (remainder * 10 + value) % step, low, high, isLow && value == first, isHigh && value == last,
        &rules)
      if let next { choices.append(digit(value, next, left: left - 1)) }
    }
    return choices.isEmpty ? nil : .oneOf(choices)
  }
}

extension SchemaCompiler.Decimal {
  /// A whole number.
  init(units: Int) { (self.units, digits) = (units, 0) }

  /// Returns the number in units of a digit at least as fine.
  func units(at digits: Int) -> Int { (self.digits..<digits).reduce(units) { value, _ in value * 10 } }
}

extension SchemaCompiler.Bounds {
  /// Returns the part below zero and the part above it.
  var apartFromZero: [Self] {
    var (below, above) = (self, self)
    if most.map({ $0.units > -1 }) ?? true { (below.most, below.excludesMost) = (.init(units: -1), false) }
    if least.map({ $0.units < 1 }) ?? true { (above.least, above.excludesLeast) = (.init(units: 1), false) }
    return [below, above]
  }
}
