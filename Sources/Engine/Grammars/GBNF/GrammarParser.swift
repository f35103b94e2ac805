/// Reads GBNF.
struct GrammarParser {
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  private var rules: [Grammar.Rule] = []
  private var numbers: [String: Int] = [:]
  private var isDefined: [Bool] = []

  /// Deepest nesting of groups.
  static let depthLimit = 200
  /// Largest number of repetitions; larger grammars fail on their size anyway.
  static let repetitionLimit = 1_000_000

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  mutating func parse() throws(GrammarError) -> [Grammar.Rule] {
    skipSpace(acrossLines: true)
    while place < scalars.count { try parseRule() }
    if let missing = isDefined.firstIndex(of: false) { throw .undefinedRule(rules[missing].name) }
    return rules
  }

  private mutating func parseRule() throws(GrammarError) {
    let name = try parseName()
    skipSpace(acrossLines: false)
    guard take("::=") else { throw expected("::=") }
    skipSpace(acrossLines: true)
    let expression = try parseAlternatives(isNested: false)
    let rule = number(of: name)
    guard !isDefined[rule] else { throw .duplicateRule(name) }
    rules[rule].expression = expression
    isDefined[rule] = true
    guard place >= scalars.count || isLineEnd(scalars[place]) else { throw expected("a line's end") }
    skipSpace(acrossLines: true)
  }

  private mutating func parseAlternatives(isNested: Bool) throws(GrammarError) -> GrammarExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw .tooDeep(limit: Self.depthLimit) }
    var alternatives = [try parseSequence(isNested: isNested)]
    while take("|") {
      skipSpace(acrossLines: true)
      alternatives.append(try parseSequence(isNested: isNested))
    }
    return .oneOf(alternatives)
  }

  private mutating func parseSequence(isNested: Bool) throws(GrammarError) -> GrammarExpression {
    var parts: [GrammarExpression] = []
    while place < scalars.count {
      switch scalars[place] {
      case "\"": parts.append(try parseLiteral())
      case "[": parts.append(try parseClass())
      case "(":
        place += 1
        skipSpace(acrossLines: true)
        let group = try parseAlternatives(isNested: true)
        guard take(")") else { throw expected(")") }
        parts.append(group)
      case ".":
        place += 1
        parts.append(.characters(.all))
      case "<", "!": parts.append(try parseToken())
      case "*", "+", "?", "{":
        guard let last = parts.popLast() else { throw expected("something to repeat") }
        parts.append(try parseRepetition(of: last))
      case let scalar where Self.isNameCharacter(scalar):
        parts.append(.rule(number(of: try parseName())))
      default: return parts.count == 1 ? parts[0] : .sequence(parts)
      }
      skipSpace(acrossLines: isNested)
    }
    return parts.count == 1 ? parts[0] : .sequence(parts)
  }

  private mutating func parseLiteral() throws(GrammarError) -> GrammarExpression {
    place += 1
    var bytes: [UInt8] = []
    while true {
      guard place < scalars.count else { throw expected("\"") }
      if take("\"") { return .literal(bytes) }
      guard let scalar = Unicode.Scalar(try parseCharacter()) else { throw expected("a character") }
      bytes.append(contentsOf: Array(String(Character(scalar)).utf8))
    }
  }

  private mutating func parseClass() throws(GrammarError) -> GrammarExpression {
    place += 1
    let isNegated = take("^")
    var ranges: [ClosedRange<UInt32>] = []
    while !take("]") {
      guard place < scalars.count else { throw expected("]") }
      let low = try parseCharacter()
      if place + 1 < scalars.count, scalars[place] == "-", scalars[place + 1] != "]" {
        place += 1
        let high = try parseCharacter()
        guard low <= high else { throw expected("a range in order") }
        ranges.append(low...high)
      } else {
        ranges.append(low...low)
      }
    }
    let set = CharacterSet(ranges)
    return .characters(isNegated ? set.inverted : set)
  }

  /// Reads one character of a literal or class, escapes included.
  private mutating func parseCharacter() throws(GrammarError) -> UInt32 {
    let scalar = scalars[place]
    place += 1
    guard scalar == "\\" else { return scalar.value }
    guard place < scalars.count else { throw expected("an escape") }
    let kind = scalars[place]
    place += 1
    switch kind {
    case "x": return try parseHex(2)
    case "u": return try parseHex(4)
    case "U": return try parseHex(8)
    case "t": return 0x09
    case "r": return 0x0D
    case "n": return 0x0A
    case "\\", "\"", "[", "]", "-", "^": return kind.value
    default:
      place -= 1
      throw expected("one of x u U t r n \\ \" [ ]")
    }
  }

  private mutating func parseHex(_ count: Int) throws(GrammarError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard place < scalars.count, let digit = Character(scalars[place]).hexDigitValue, scalars[place].isASCII
      else {
        throw expected("\(count) hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    guard value <= CharacterSet.last else { throw expected("a code point up to 10FFFF") }
    return value
  }

  private mutating func parseToken() throws(GrammarError) -> GrammarExpression {
    let isNegated = take("!")
    guard take("<") else { throw expected("<") }
    if take("[") {
      guard let number = parseNumber() else { throw expected("a token's number") }
      guard take("]>") else { throw expected("]>") }
      return .token(.number(number), isNegated: isNegated)
    }
    var text = "<"
    while place < scalars.count, !isLineEnd(scalars[place]) {
      text.unicodeScalars.append(scalars[place])
      place += 1
      if text.hasSuffix(">") { return .token(.text(text), isNegated: isNegated) }
    }
    throw expected(">")
  }

  private mutating func parseRepetition(of expression: GrammarExpression) throws(GrammarError) -> GrammarExpression
  {
    if take("*") { return .any(expression) }
    if take("+") { return .repeated(expression, min: 1, max: nil) }
    if take("?") { return .optional(expression) }
    place += 1
    skipSpace(acrossLines: false)
    guard let least = parseNumber() else { throw expected("a number") }
    skipSpace(acrossLines: false)
    var most: Int? = least
    if take(",") {
      skipSpace(acrossLines: false)
      most = parseNumber()
      skipSpace(acrossLines: false)
    }
    guard take("}") else { throw expected("}") }
    guard most.map({ $0 >= least }) ?? true else { throw expected("numbers in order") }
    return .repeated(expression, min: least, max: most)
  }

  private mutating func parseNumber() -> Int? {
    var value: Int?
    while place < scalars.count, let digit = Character(scalars[place]).wholeNumberValue, scalars[place].isASCII {
      value = min(Self.repetitionLimit, (value ?? 0) * 10 + digit)
      place += 1
    }
    return value
  }

  private mutating func parseName() throws(GrammarError) -> String {
    var name = ""
    while place < scalars.count, Self.isNameCharacter(scalars[place]) {
      name.unicodeScalars.append(scalars[place])
      place += 1
    }
    guard !name.isEmpty else { throw expected("a rule's name") }
    return name
  }

  private mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    numbers[name] = rules.count
    rules.append(Grammar.Rule(name: name, expression: .nothing))
    isDefined.append(false)
    return rules.count - 1
  }

  private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  private func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

  /// Skips blanks and comments.
  private mutating func skipSpace(acrossLines: Bool) {
    while place < scalars.count {
      let scalar = scalars[place]
      if scalar == "#" {
        while place < scalars.count, !isLineEnd(scalars[place]) { place += 1 }
      } else if scalar == " " || scalar == "\t" || acrossLines && isLineEnd(scalar) {
        place += 1
      } else {
        return
      }
    }
  }

  private mutating func take(_ text: String) -> Bool {
    let wanted = text.unicodeScalars
    guard scalars[place...].starts(with: wanted) else { return false }
    place += wanted.count
    return true
  }

  private func expected(_ what: String) -> GrammarError {
    let before = scalars[..<min(place, scalars.count)]
    let line = before.count { $0 == "\n" } + 1
    let column = before.reversed().prefix { $0 != "\n" }.count + 1
    return .syntax(line: line, column: column, expected: what)
  }
}
