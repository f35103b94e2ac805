/// Python's `format % values`.
struct PercentFormat {
  private let renderer: Renderer
  private let values: [Value]
  private let mapping: Dict?
  /// Indicates whether the argument is a container and may be left unused.
  private let mayBeUnused: Bool
  private var used = 0
  private var result = Text()

  static func format(_ format: Text, _ argument: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
    var formatter = PercentFormat(argument, renderer)
    try formatter.run(format)
    return formatter.result
  }

  private init(_ argument: Value, _ renderer: Renderer) {
    self.renderer = renderer
    mayBeUnused =
      switch argument {
      case .dict, .list, .range, .undefined: true
      default: false
      }
    switch argument {
    case .tuple(let list): (values, mapping) = (list.elements, nil)
    case .dict(let dict): (values, mapping) = ([argument], dict)
    default: (values, mapping) = ([argument], nil)
    }
  }

  private struct Field {
    var key: Text?
    var flags: Set<UInt32> = []
    var width = 0
    var precision: Int?
  }

  private mutating func next() throws(TemplateError) -> Value {
    guard used < values.count else { throw TemplateError(.type, "not enough arguments for format string") }
    used += 1
    return values[used - 1]
  }

  private mutating func run(_ format: Text) throws(TemplateError) {
    try renderer.make(format.count)
    var position = 0
    var usesKeys = false
    while position < format.count {
      guard format.value(at: position) == 0x25 else {
        result.units.append(format.units[position])
        position += 1
        continue
      }
      position += 1
      var field = Field()
      if position < format.count, format.value(at: position) == 0x28 {
        guard let mapping else { throw TemplateError(.type, "format requires a mapping") }
        var (depth, end) = (1, position + 1)
        while end < format.count {
          if format.value(at: end) == 0x28 { depth += 1 }
          if format.value(at: end) == 0x29 { depth -= 1 }
          if depth == 0 { break }
          end += 1
        }
        guard end < format.count else { throw TemplateError(.value, "incomplete format key") }
        _ = mapping
        field.key = format[position + 1..<end]
        usesKeys = true
        position = end + 1
      }
      while position < format.count, [0x23, 0x30, 0x2D, 0x20, 0x2B].contains(format.value(at: position)) {
        field.flags.insert(format.value(at: position))
        position += 1
      }
      field.width = try number(format, &position) ?? 0
      if field.width < 0 {
        field.flags.insert(0x2D)
        field.width = -field.width
      }
      if position < format.count, format.value(at: position) == 0x2E {
        position += 1
        field.precision = max(0, try number(format, &position) ?? 0)
      }
      while position < format.count, [0x68, 0x6C, 0x4C].contains(format.value(at: position)) { position += 1 }
      guard position < format.count else { throw TemplateError(.value, "incomplete format") }
      try convert(format, position, field)
      position += 1
    }
    if used < values.count, !usesKeys, !mayBeUnused {
      throw TemplateError(.type, "not all arguments converted during string formatting")
    }
  }

  private mutating func number(_ format: Text, _ position: inout Int) throws(TemplateError) -> Int? {
    guard position < format.count else { return nil }
    if format.value(at: position) == 0x2A {
      position += 1
      guard case .int(let number) = try next() else { throw TemplateError(.type, "* wants int") }
      guard abs(number) < 1_000_000 else { throw TemplateError(.overflow, "width too big") }
      return number
    }
    var number: Int?
    while position < format.count, (0x30...0x39).contains(format.value(at: position)) {
      number = (number ?? 0) * 10 + Int(format.value(at: position) - 0x30)
      guard number ?? 0 < 1_000_000 else { throw TemplateError(.value, "width too big") }
      position += 1
    }
    return number
  }

  private mutating func convert(_ format: Text, _ position: Int, _ field: Field) throws(TemplateError) {
    let conversion = format.value(at: position)
    if conversion == 0x25 {
      result += "%"
      return
    }
    let value: Value
    if let key = field.key {
      guard let found = try mapping?.get(.string(key)) else {
        throw TemplateError(.key, Representation.quoted(key).string)
      }
      value = found
    } else {
      value = try next()
    }
    let letter = Character(Text.scalar(conversion))
    switch letter {
    case "s", "r", "a":
      var text =
        letter == "s" ? try Representation.text(value, renderer) : try Representation.full(value, renderer)
      if let precision = field.precision, precision < text.count { text = text[0..<precision] }
      try pad(text, field, isNumber: false)
    case "d", "i", "u": try pad(try integer(value, letter, field, radix: 10), field, isNumber: true)
    case "x", "X", "o":
      try pad(try integer(value, letter, field, radix: letter == "o" ? 8 : 16), field, isNumber: true)
    case "e", "E", "f", "F", "g", "G":
      guard let number = Arithmetic.number(value)?.float else {
        throw TemplateError(.type, "must be real number, not \(value.typeName)")
      }
      var text = Numbers.text(abs(number), precision: field.precision ?? 6, conversion: letter)
      text = sign(number < 0, field) + text
      try pad(Text(text), field, isNumber: true)
    case "c":
      switch value {
      case .int(let number):
        guard let scalar = UInt32(exactly: number).flatMap({ Unicode.Scalar($0) }) else {
          throw TemplateError(.overflow, "%c arg not in range(0x110000)")
        }
        try pad(Text(units: [scalar.value]), field, isNumber: false)
      case .string(let text) where text.count == 1: try pad(text, field, isNumber: false)
      default: throw TemplateError(.type, "%c requires int or char")
      }
    default:
      throw TemplateError(
        .value,
        "unsupported format character '\(letter)' (0x\(String(conversion, radix: 16))) at index \(position)")
    }
  }

  private func sign(_ isNegative: Bool, _ field: Field) -> String {
    isNegative ? "-" : field.flags.contains(0x2B) ? "+" : field.flags.contains(0x20) ? " " : ""
  }

  private func integer(
    _ value: Value, _ letter: Character, _ field: Field, radix: Int
  ) throws(TemplateError) -> Text {
    let number: Int
    switch Arithmetic.number(value) {
    case .int(let value): number = value
    case .float(let value) where radix == 10:
      guard let whole = Int(exactly: value.rounded(.towardZero)) else {
        throw TemplateError(.overflow, "integers are limited to 64 bits")
      }
      number = whole
    default:
      let need = radix == 10 ? "a real number is required" : "an integer is required"
      throw TemplateError(.type, "%\(letter) format: \(need), not \(value.typeName)")
    }
    var digits = String(number.magnitude, radix: radix, uppercase: letter == "X")
    if let precision = field.precision, digits.count < precision {
      digits = String(repeating: "0", count: precision - digits.count) + digits
    }
    if field.flags.contains(0x23), radix != 10 { digits = "0\(letter)" + digits }
    return Text(sign(number < 0, field) + digits)
  }

  private mutating func pad(_ text: Text, _ field: Field, isNumber: Bool) throws(TemplateError) {
    let missing = max(0, field.width - text.count)
    try renderer.make(missing + text.count)
    if field.flags.contains(0x2D) {
      result += text
      result.units += [UInt32](repeating: 0x20, count: missing)
    } else if isNumber, field.flags.contains(0x30) {
      let signed = text.units.first.map { [0x2B, 0x2D, 0x20].contains($0) } ?? false
      result.units += text.units.prefix(signed ? 1 : 0)
      result.units += [UInt32](repeating: 0x30, count: missing)
      result.units += text.units.dropFirst(signed ? 1 : 0)
    } else {
      result.units += [UInt32](repeating: 0x20, count: missing)
      result += text
    }
  }
}
