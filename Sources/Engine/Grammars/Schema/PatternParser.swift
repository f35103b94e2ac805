/// Reads a regular expression of JSON Schema (ECMA-262) into what it matches, each character as `character` has it
/// written.
///
/// Groups, classes, alternation and repetition are read; what no automaton can match (looking around, back references,
/// word borders) is an error.
struct PatternParser {
  private let pattern: String
  private let scalars: [Unicode.Scalar]
  private var place = 0
  private var depth = 0
  private let at: String
  private let character: (CharacterSet) -> GrammarExpression

  /// - Parameters:
  ///   - at: the JSON pointer for errors.
  ///   - character: spelling of one character of a set.
  init(_ pattern: String, at: String, character: @escaping (CharacterSet) -> GrammarExpression) {
    self.pattern = pattern
    self.at = at
    self.character = character
    scalars = Array(pattern.unicodeScalars)
  }

  /// Reads the pattern into an expression of the whole string that it is found in: without `^` or `$` anything may come
  /// before or after.
  mutating func parse() throws(SchemaError) -> GrammarExpression {
    let result = try alternatives(isTop: true)
    guard place == scalars.count else { throw error("a bracket too many") }
    return result
  }

  private func error(_ reason: String) -> SchemaError { .badPattern(pattern, at: at, reason: reason) }

  private var anything: GrammarExpression { .any(character(.all)) }

  private mutating func alternatives(isTop: Bool) throws(SchemaError) -> GrammarExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= 100 else { throw .tooDeep(limit: 100, at: at) }
    var parts: [GrammarExpression] = []
    repeat { parts.append(try sequence(isTop: isTop)) } while take("|")
    return .oneOf(parts)
  }

  private mutating func sequence(isTop: Bool) throws(SchemaError) -> GrammarExpression {
    var parts: [GrammarExpression] = []
    if isTop, !take("^") { parts.append(anything) }
    while place < scalars.count, scalars[place] != "|", scalars[place] != ")" {
      if isTop, scalars[place] == "$", place + 1 == scalars.count || scalars[place + 1] == "|" {
        place += 1
        return .sequence(parts)
      }
      parts.append(try repeated(try atom(isTop: isTop)))
    }
    if isTop { parts.append(anything) }
    return .sequence(parts)
  }

  private mutating func atom(isTop: Bool) throws(SchemaError) -> GrammarExpression {
    let scalar = scalars[place]
    place += 1
    switch scalar {
    case ".": return character(Self.lineEnds.inverted)
    case "[": return character(try characterClass())
    case "(":
      if take("?") {
        guard take(":") || takeName() else { throw error("looking around cannot be enforced") }
      }
      // A pattern that is one group with its own anchors means the same without the group.
      let wasAnchored = isTop && place < scalars.count && scalars[place] == "^"
      if wasAnchored { throw error("anchors within groups cannot be enforced") }
      let group = try alternatives(isTop: false)
      guard take(")") else { throw error("a bracket is missing") }
      return group
    case "\\": return character(try escape(inClass: false))
    case "^", "$": throw error("anchors are only possible at the ends")
    case "*", "+", "?": throw error("there is nothing to repeat")
    default: return character(CharacterSet([scalar.value...scalar.value]))
    }
  }

  private mutating func takeName() -> Bool {
    guard take("<"), place < scalars.count, scalars[place] != "=", scalars[place] != "!" else { return false }
    while place < scalars.count, scalars[place] != ">" { place += 1 }
    return take(">")
  }

  private mutating func repeated(_ expression: GrammarExpression) throws(SchemaError) -> GrammarExpression {
    var (least, most): (Int, Int?) = (1, 1)
    if take("*") {
      (least, most) = (0, nil)
    } else if take("+") {
      (least, most) = (1, nil)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if place < scalars.count, scalars[place] == "{", let counts = takeCounts() {
      (least, most) = counts
    } else {
      return expression
    }
    _ = take("?")  // Which match is taken does not matter.
    guard most.map({ $0 >= least }) ?? true else { throw error("numbers out of order") }
    if place < scalars.count, "*+".unicodeScalars.contains(scalars[place]) {
      throw error("there is nothing to repeat")
    }
    return .repeated(expression, min: least, max: most)
  }

  private mutating func takeCounts() -> (Int, Int?)? {
    let start = place
    place += 1
    func number() -> Int? {
      var value: Int?
      while place < scalars.count, let digit = Character(scalars[place]).wholeNumberValue, scalars[place].isASCII {
        value = min(GrammarParser.repetitionLimit, (value ?? 0) * 10 + digit)
        place += 1
      }
      return value
    }
    if let least = number() {
      var most: Int? = least
      if take(",") { most = number() }
      if take("}") { return (least, most) }
    }
    place = start
    return nil
  }

  private mutating func characterClass() throws(SchemaError) -> CharacterSet {
    let isNegated = take("^")
    var set = CharacterSet([])
    while !take("]") {
      guard place < scalars.count else { throw error("a bracket is missing") }
      let low = try classAtom()
      guard place + 1 < scalars.count, scalars[place] == "-", scalars[place + 1] != "]",
        let first = low.ranges.first, low.ranges.count == 1, first.count == 1
      else {
        set = set.union(low)
        continue
      }
      place += 1
      let high = try classAtom()
      guard let last = high.ranges.first, high.ranges.count == 1, last.count == 1,
        first.lowerBound <= last.lowerBound
      else { throw error("a range out of order") }
      set = set.union(CharacterSet([first.lowerBound...last.lowerBound]))
    }
    return isNegated ? set.inverted : set
  }

  private mutating func classAtom() throws(SchemaError) -> CharacterSet {
    let scalar = scalars[place]
    place += 1
    return scalar == "\\" ? try escape(inClass: true) : CharacterSet([scalar.value...scalar.value])
  }

  private static let lineEnds = CharacterSet("\n\r\u{2028}\u{2029}")
  private static let digits = CharacterSet([0x30...0x39])
  private static let words = CharacterSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  private static let spaces = CharacterSet([
    0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
    0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
  ])

  private mutating func escape(inClass: Bool) throws(SchemaError) -> CharacterSet {
    guard place < scalars.count else { throw error("an escape is missing") }
    let kind = scalars[place]
    place += 1
    func one(_ value: UInt32) -> CharacterSet { CharacterSet([value...value]) }
    switch kind {
    case "d": return Self.digits
    case "D": return Self.digits.inverted
    case "w": return Self.words
    case "W": return Self.words.inverted
    case "s": return Self.spaces
    case "S": return Self.spaces.inverted
    case "t": return one(0x09)
    case "n": return one(0x0A)
    case "v": return one(0x0B)
    case "f": return one(0x0C)
    case "r": return one(0x0D)
    case "0": return one(0)
    case "b" where inClass: return one(0x08)
    case "x": return one(try hex(2))
    case "u":
      if take("{") {
        let digits = scalars[place...].prefix { $0 != "}" }.count
        guard (1...6).contains(digits) else { throw error("a code point is missing") }
        let value = try hex(digits)
        guard take("}"), value <= CharacterSet.last else { throw error("a code point is missing") }
        return one(value)
      }
      return one(try hex(4))
    case "b", "B": throw error("word borders cannot be enforced")
    case "p", "P": throw error("Unicode properties cannot be enforced")
    case "1"..."9", "k": throw error("back references cannot be enforced")
    case "a"..."z", "A"..."Z": throw error("the escape \\\(kind) is not known")
    default: return one(kind.value)
    }
  }

  private mutating func hex(_ count: Int) throws(SchemaError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard place < scalars.count, scalars[place].isASCII, let digit = Character(scalars[place]).hexDigitValue
      else {
        throw error("\(count) hexadecimal digits are missing")
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }

  private mutating func take(_ text: Unicode.Scalar) -> Bool {
    guard place < scalars.count, scalars[place] == text else { return false }
    place += 1
    return true
  }
}
