import Foundation

/// Evaluates arithmetic in decimal numbers, so that 0.1 + 0.2 is 0.3.
///
/// It understands + - * / ^ % ! and brackets, percentages (`15% of 80`, `80 + 15%`), constants and the usual
/// functions; numbers may have group separators. Sums and products are exact to 38 digits, functions to 15.
package struct Calculator {
  /// Reasons for which an expression has no value.
  package enum Fault: Error, Equatable {
    case unexpected(String)
    case divisionByZero
    case tooLong, tooDeep, tooLarge
    /// A function is applied outside its domain.
    case undefined(String)
  }

  private enum Token: Equatable {
    case number(Decimal), name(String), sign(Character)
  }

  private static let longest = 500
  private static let deepest = 40
  private static let largest = Decimal(sign: .plus, exponent: 100, significand: 1)

  private var tokens: [Token]
  private var place = 0
  private var depth = 0

  /// The value of an expression.
  package static func value(of expression: String) throws(Fault) -> Decimal {
    guard expression.utf8.count <= longest else { throw .tooLong }
    var calculator = Calculator(tokens: try tokens(of: expression))
    let value = try calculator.sum()
    if let rest = calculator.current { throw .unexpected(text(of: rest)) }
    return value
  }

  /// The value in decimal notation, to 15 digits where it does not terminate.
  package static func text(of value: Decimal) -> String {
    var (value, rounded) = (value, Decimal())
    // Digits beyond the 30th of a quotient are noise.
    NSDecimalRound(&rounded, &value, max(0, 28 - digits(of: value)), .plain)
    var short = Decimal()
    NSDecimalRound(&short, &rounded, max(0, 15 - digits(of: value)), .plain)
    let difference = rounded - short
    let isClose = abs(difference) < Decimal(sign: .plus, exponent: -20, significand: 1) * max(1, abs(value))
    return "\(isClose || "\(rounded)".count > 24 ? short : rounded)"
  }

  private static func digits(of value: Decimal) -> Int {
    value == 0 ? 0 : Int(floor(log10(abs(NSDecimalNumber(decimal: value).doubleValue)))) + 1
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  // MARK: Reading

  private static func tokens(of expression: String) throws(Fault) -> [Token] {
    var tokens: [Token] = []
    let text = Array(expression)
    var place = 0
    while place < text.count {
      let character = text[place]
      if character.isWhitespace || "$€£¥".contains(character)
        || character == "=" && text[(place + 1)...].allSatisfy(\.isWhitespace)
      {
        place += 1
      } else if character.isASCII && character.isNumber || character == "." {
        tokens.append(try number(text, &place))
      } else if character.isLetter || character == "√" || character == "π" {
        var name = ""
        while place < text.count, text[place].isLetter || text[place].isNumber || "√π".contains(text[place]) {
          name.append(text[place])
          place += 1
          if name == "√" || name == "π" { break }
        }
        tokens.append(
          ["of": Token.sign("*"), "mod": .sign("m"), "x": .sign("*")][name.lowercased()]
            ?? .name(name.lowercased()))
      } else {
        let known: [Character: Character] = [
          "×": "*", "·": "*", "∙": "*", "÷": "/", "−": "-", "–": "-", ":": "/", "[": "(", "]": ")", "²": "²",
          "³": "³",
        ]
        var sign = known[character] ?? character
        if character == "*", place + 1 < text.count, text[place + 1] == "*" {
          place += 1
          sign = "^"
        }
        guard "+-*/^%!(),²³".contains(sign) else { throw .unexpected(String(character)) }
        tokens.append(.sign(sign))
        place += 1
      }
    }
    return tokens
  }

  private static func number(_ text: [Character], _ place: inout Int) throws(Fault) -> Token {
    var digits = ""
    func digitsFollow(_ count: Int) -> Bool {
      let next = text[(place + 1)...].prefix(count + 1)
      return next.prefix(count).count == count && next.prefix(count).allSatisfy(\.isNumber)
        && !(next.dropFirst(count).first?.isNumber ?? false)
    }
    while place < text.count {
      let character = text[place]
      if character.isASCII && character.isNumber || character == "." {
        digits.append(character)
      } else if ",'_".contains(character), !digits.isEmpty, !digits.contains("."), digitsFollow(3) {
        // 1,234 is one number; so is 1'234.
      } else if "eE".contains(character), place + 1 < text.count,
        text[place + 1].isNumber
          || "+-".contains(text[place + 1]) && place + 2 < text.count && text[place + 2].isNumber
      {
        digits.append("e")
        digits.append(text[place + 1])
        place += 1
      } else {
        break
      }
      place += 1
    }
    guard digits.count(where: { $0 == "." }) <= 1, digits != ".", digits.utf8.count <= 60,
      let value = Decimal(string: digits, locale: Locale(identifier: "en_US_POSIX")), value.isFinite,
      abs(value) < largest
    else { throw .unexpected(digits) }
    return .number(value)
  }

  private static func text(of token: Token) -> String {
    switch token {
    case .number(let value): "\(value)"
    case .name(let name): name
    case .sign(let sign): String(sign)
    }
  }

  // MARK: Evaluating

  private var current: Token? { place < tokens.count ? tokens[place] : nil }

  private mutating func take(_ sign: Character) -> Bool {
    guard current == .sign(sign) else { return false }
    place += 1
    return true
  }

  private func checked(_ value: Decimal) throws(Fault) -> Decimal {
    guard value.isFinite, abs(value) < Self.largest else { throw .tooLarge }
    return value
  }

  private mutating func sum() throws(Fault) -> Decimal {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { throw .tooDeep }
    var value = try product().value
    while let sign = current, sign == .sign("+") || sign == .sign("-") {
      place += 1
      let (term, isShare) = try product()
      // 80 + 15% is 15 % of the 80 more.
      let amount = isShare ? try checked(value * term) : term
      value = try checked(sign == .sign("+") ? value + amount : value - amount)
    }
    return value
  }

  /// A product, and whether it is a lone percentage.
  private mutating func product() throws(Fault) -> (value: Decimal, isShare: Bool) {
    var (value, isShare) = try signed()
    while true {
      if take("*") {
        value = try checked(value * (try signed().value))
      } else if take("/") {
        let divisor = try signed().value
        guard divisor != 0 else { throw .divisionByZero }
        value = try checked(value / divisor)
      } else if current == .sign("m") || current == .sign("%") {
        place += 1
        let divisor = try signed().value
        guard divisor != 0 else { throw .divisionByZero }
        var (quotient, whole) = (value / divisor, Decimal())
        NSDecimalRound(&whole, &quotient, 0, .down)
        value = try checked(value - whole * divisor)
      } else if beginsFactor {
        value = try checked(value * (try signed().value))
      } else {
        return (value, isShare)
      }
      isShare = false
    }
  }

  /// Indicates whether a factor follows without a sign, as in `2(3 + 4)`.
  private var beginsFactor: Bool {
    switch current {
    case .name: true
    case .sign("("): true
    default: false
    }
  }

  private mutating func signed() throws(Fault) -> (value: Decimal, isShare: Bool) {
    depth += 1
    defer { depth -= 1 }
    guard depth < Self.deepest else { throw .tooDeep }
    if take("-") {
      let (value, isShare) = try signed()
      return (-value, isShare)
    }
    if take("+") { return try signed() }
    return try power()
  }

  private mutating func power() throws(Fault) -> (value: Decimal, isShare: Bool) {
    var (value, isShare) = (try atom(), false)
    while true {
      if take("!") {
        value = try factorial(value)
      } else if take("²") {
        value = try checked(value * value)
      } else if take("³") {
        value = try checked(value * value * value)
      } else if current == .sign("%"), !isFactor(at: place + 1) {
        place += 1
        (value, isShare) = (try checked(value / 100), true)
      } else if take("^") {
        return (try raise(value, try signed().value), false)
      } else {
        return (value, isShare)
      }
    }
  }

  private func isFactor(at place: Int) -> Bool {
    guard place < tokens.count else { return false }
    switch tokens[place] {
    case .number, .name, .sign("("): return true
    default: return false
    }
  }

  private mutating func atom() throws(Fault) -> Decimal {
    guard let token = current else { throw .unexpected("end") }
    place += 1
    switch token {
    case .number(let value): return value
    case .sign("("):
      let value = try sum()
      guard take(")") else { throw .unexpected(current.map(Self.text) ?? "end") }
      return value
    case .name(let name): return try named(name)
    case .sign(let sign): throw .unexpected(String(sign))
    }
  }

  private mutating func named(_ name: String) throws(Fault) -> Decimal {
    if let constant = ["pi": Double.pi, "π": Double.pi, "e": M_E, "tau": 2 * Double.pi][name] {
      return try Self.decimal(constant, name)
    }
    if name == "√", current != .sign("(") { return try CalculatorFunctions.value(name, [try atom()]) }
    guard take("(") else { throw .unexpected(name) }
    var arguments = [try sum()]
    while take(",") {
      arguments.append(try sum())
      guard arguments.count <= 32 else { throw .tooLong }
    }
    guard take(")") else { throw .unexpected(current.map(Self.text) ?? "end") }
    return try checked(try CalculatorFunctions.value(name, arguments))
  }

  private func factorial(_ value: Decimal) throws(Fault) -> Decimal {
    let number = NSDecimalNumber(decimal: value).intValue
    guard Decimal(number) == value, number >= 0 else { throw .undefined("!") }
    guard number <= 60 else { throw .tooLarge }
    var product = Decimal(1)
    for factor in stride(from: 2, through: number, by: 1) { product *= Decimal(factor) }
    return try checked(product)
  }

  private func raise(_ base: Decimal, _ exponent: Decimal) throws(Fault) -> Decimal {
    let whole = NSDecimalNumber(decimal: exponent).intValue
    if Decimal(whole) == exponent, abs(whole) <= 400 {
      guard base != 0 || whole >= 0 else { throw .divisionByZero }
      var result = Decimal(1)
      for _ in 0..<abs(whole) { result = try checked(result * base) }
      return whole < 0 ? 1 / result : result
    }
    let value = pow(NSDecimalNumber(decimal: base).doubleValue, NSDecimalNumber(decimal: exponent).doubleValue)
    return try checked(try Self.decimal(value, "^"))
  }

  /// A number rounded to its 15 significant digits.
  static func decimal(_ value: Double, _ name: String) throws(Fault) -> Decimal {
    guard value.isFinite else { throw .undefined(name) }
    guard abs(value) < 1e100 else { throw .tooLarge }
    if abs(value) < 1e-100 { return 0 }
    guard let decimal = Decimal(string: String(format: "%.14e", value)) else { throw .undefined(name) }
    return decimal
  }
}
