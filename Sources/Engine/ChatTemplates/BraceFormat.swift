/// Python's `str.format`.
struct BraceFormat {
  private let renderer: Renderer
  private let arguments: Arguments
  private var automatic = 0
  private var usesAutomatic: Bool?

  static func format(_ format: Text, _ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Text {
    var formatter = BraceFormat(renderer: renderer, arguments: arguments)
    return try formatter.run(format, depth: 2)
  }

  private init(renderer: Renderer, arguments: Arguments) {
    self.renderer = renderer
    self.arguments = arguments
  }

  private mutating func run(_ format: Text, depth: Int) throws(TemplateError) -> Text {
    guard depth >= 0 else { throw TemplateError(.value, "Max string recursion exceeded") }
    try renderer.make(format.count)
    var result = Text()
    var position = 0
    while position < format.count {
      let value = format.value(at: position)
      let doubles = position + 1 < format.count && format.value(at: position + 1) == value
      switch value {
      case 0x7B where !doubles || depth < 2:
        var (nesting, end) = (1, position + 1)
        while end < format.count {
          if format.value(at: end) == 0x7B { nesting += 1 }
          if format.value(at: end) == 0x7D { nesting -= 1 }
          if nesting == 0 { break }
          end += 1
        }
        guard end < format.count else {
          throw TemplateError(
            .value,
            position + 1 == format.count
              ? "Single '{' encountered in format string" : "expected '}' before end of string")
        }
        result += try field(format[position + 1..<end], depth: depth)
        position = end + 1
      case 0x7D where !doubles: throw TemplateError(.value, "Single '}' encountered in format string")
      case 0x7B, 0x7D:
        result.units.append(format.units[position])
        position += 2
      default:
        result.units.append(format.units[position])
        position += 1
      }
    }
    return result
  }

  private mutating func field(_ field: Text, depth: Int) throws(TemplateError) -> Text {
    var nameEnd = 0
    var brackets = 0
    while nameEnd < field.count {
      let value = field.value(at: nameEnd)
      if value == 0x5B { brackets += 1 }
      if value == 0x5D { brackets -= 1 }
      if brackets <= 0, value == 0x3A || value == 0x21 { break }
      nameEnd += 1
    }
    var conversion: Character?
    var position = nameEnd
    if position < field.count, field.value(at: position) == 0x21 {
      guard position + 1 < field.count else {
        throw TemplateError(.value, "end of string while looking for conversion specifier")
      }
      conversion = Character(Text.scalar(field.units[position + 1]))
      position += 2
      guard position == field.count || field.value(at: position) == 0x3A else {
        throw TemplateError(.value, "expected ':' after conversion specifier")
      }
    }
    let specification =
      position < field.count ? try run(field[position + 1..<field.count], depth: depth - 1) : Text()
    var value = try self.value(of: field[0..<nameEnd].string)
    switch conversion {
    case nil: break
    case "s": value = .string(try Representation.text(value, renderer))
    case "r", "a": value = .string(try Representation.full(value, renderer))
    case let other?: throw TemplateError(.value, "Unknown conversion specifier \(other)")
    }
    return try FormatSpecification(specification).apply(value, renderer)
  }

  private mutating func value(of name: String) throws(TemplateError) -> Value {
    let first = name.prefix { $0 != "." && $0 != "[" }
    var rest = name.dropFirst(first.count)
    var value: Value
    if first.isEmpty || first.allSatisfy({ $0.isASCII && $0.isNumber }) {
      if let usesAutomatic, usesAutomatic != first.isEmpty {
        throw TemplateError(
          .value, "cannot switch from manual field specification to automatic field numbering")
      }
      usesAutomatic = first.isEmpty
      let index = first.isEmpty ? automatic : Int(first) ?? Int.max
      automatic += 1
      guard index < arguments.positional.count else {
        throw TemplateError(.index, "tuple index out of range")
      }
      value = arguments.positional[index]
    } else {
      guard let found = arguments.keywords.last(where: { $0.name == first }) else {
        throw TemplateError(.key, "'\(first)'")
      }
      value = found.value
    }
    while let mark = rest.popFirst() {
      if mark == "." {
        let attribute = rest.prefix { $0 != "." && $0 != "[" }
        rest = rest.dropFirst(attribute.count)
        value = try renderer.attribute(String(attribute), of: value)
      } else {
        let key = rest.prefix { $0 != "]" }
        guard rest.count > key.count else { throw TemplateError(.value, "Missing ']' in format string") }
        rest = rest.dropFirst(key.count + 1)
        value = try renderer.item(Int(key).map { .int($0) } ?? .text(String(key)), of: value)
      }
    }
    return value
  }
}

/// Format specification, after the colon of a replacement field.
private struct FormatSpecification {
  private var fill: UInt32 = 0x20
  private var alignment: Character?
  private var sign: Character = "-"
  private var isAlternate = false
  private var width = 0
  private var grouping: Character?
  private var precision: Int?
  private var type: Character?
  private let isEmpty: Bool

  init(_ text: Text) throws(TemplateError) {
    isEmpty = text.isEmpty
    let characters = text.units.map { Character(Text.scalar($0)) }
    var position = 0
    func character(_ offset: Int = 0) -> Character? {
      position + offset < characters.count ? characters[position + offset] : nil
    }
    let alignments: Set<Character> = ["<", ">", "=", "^"]
    if let next = character(1), alignments.contains(next) {
      fill = text.units[0]
      alignment = next
      position = 2
    } else if let first = character(), alignments.contains(first) {
      alignment = first
      position = 1
    }
    if let value = character(), ["+", "-", " "].contains(value) {
      sign = value
      position += 1
    }
    if character() == "#" {
      isAlternate = true
      position += 1
    }
    if character() == "0" {
      if alignment == nil {
        fill = 0x30
        alignment = "="
      }
      position += 1
    }
    func number() throws(TemplateError) -> Int? {
      var number: Int?
      while let digit = character(), digit.isASCII, let value = digit.wholeNumberValue {
        number = (number ?? 0) * 10 + value
        guard number ?? 0 < 1_000_000 else {
          throw TemplateError(.value, "Too many decimal digits in format string")
        }
        position += 1
      }
      return number
    }
    width = try number() ?? 0
    if let value = character(), value == "," || value == "_" {
      grouping = value
      position += 1
    }
    if character() == "." {
      position += 1
      guard let number = try number() else { throw TemplateError(.value, "Format specifier missing precision") }
      precision = number
    }
    type = character()
    if type != nil { position += 1 }
    guard position == characters.count else { throw TemplateError(.value, "Invalid format specifier") }
  }

  func apply(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
    let text: Text
    var isNumber = true
    switch value {
    case .bool(let flag) where type == nil || isEmpty:
      if isEmpty { return Text(flag ? "True" : "False") }
      text = try integer(flag ? 1 : 0)
    case .int(let number): text = try integer(number)
    case .bool(let flag): text = try integer(flag ? 1 : 0)
    case .float(let number): text = try float(number)
    default:
      if case .string = value {
      } else if !isEmpty {
        throw TemplateError(.type, "unsupported format string passed to \(value.typeName).__format__")
      }
      guard type == nil || type == "s" else { throw unknown(value) }
      guard alignment != "=" else {
        throw TemplateError(.value, "'=' alignment not allowed in string format specifier")
      }
      var string = try Representation.text(value, renderer)
      if let precision, precision < string.count { string = string[0..<precision] }
      text = string
      isNumber = false
    }
    try renderer.make(max(width, text.count))
    return padded(text, isNumber: isNumber)
  }

  private func unknown(_ value: Value) -> TemplateError {
    TemplateError(
      .value, "Unknown format code '\(type ?? "?")' for object of type '\(value.typeName)'")
  }

  private func signed(_ isNegative: Bool, _ digits: String) -> Text {
    Text((isNegative ? "-" : sign == "-" ? "" : String(sign)) + digits)
  }

  private func grouped(_ digits: String) -> String {
    guard let grouping else { return digits }
    let whole = digits.prefix { $0.isNumber }
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result.append(grouping) }
      result.append(digit)
    }
    return result + digits.dropFirst(whole.count)
  }

  private func integer(_ number: Int) throws(TemplateError) -> Text {
    switch type {
    case nil, "d", "n":
      guard precision == nil else {
        throw TemplateError(.value, "Precision not allowed in integer format specifier")
      }
      return signed(number < 0, grouped(String(number.magnitude)))
    case "x", "X", "o", "b":
      let radix = type == "b" ? 2 : type == "o" ? 8 : 16
      let digits = String(number.magnitude, radix: radix, uppercase: type == "X")
      return signed(number < 0, (isAlternate ? "0\(type ?? "x")" : "") + digits)
    case "c":
      guard let scalar = UInt32(exactly: number).flatMap({ Unicode.Scalar($0) }) else {
        throw TemplateError(.overflow, "%c arg not in range(0x110000)")
      }
      return Text(units: [scalar.value])
    case "e", "E", "f", "F", "g", "G", "%": return try float(Double(number))
    default: throw unknown(.int(number))
    }
  }

  private func float(_ number: Double) throws(TemplateError) -> Text {
    let magnitude = abs(number)
    let isNegative = number.sign == .minus && !number.isNaN
    switch type {
    case nil:
      guard let precision else { return signed(isNegative, grouped(Numbers.text(magnitude))) }
      let text = Numbers.text(magnitude, precision: max(1, precision), conversion: "g")
      return signed(isNegative, grouped(text.contains(".") || text.contains("e") ? text : text + ".0"))
    case "e", "E", "f", "F", "g", "G":
      return signed(
        isNegative, grouped(Numbers.text(magnitude, precision: precision ?? 6, conversion: type ?? "f")))
    case "%":
      return signed(
        isNegative, grouped(Numbers.text(magnitude * 100, precision: precision ?? 6, conversion: "f")) + "%")
    default: throw unknown(.float(number))
    }
  }

  private func padded(_ text: Text, isNumber: Bool) -> Text {
    let missing = max(0, width - text.count)
    func pad(_ count: Int) -> Text { Text(units: [UInt32](repeating: fill, count: count)) }
    switch alignment ?? (isNumber ? ">" : "<") {
    case "<": return text + pad(missing)
    case "^": return pad(missing / 2) + text + pad(missing - missing / 2)
    case "=":
      let hasSign = text.units.first.map { [0x2B, 0x2D, 0x20].contains($0) } ?? false
      return text[0..<(hasSign ? 1 : 0)] + pad(missing) + text[(hasSign ? 1 : 0)..<text.count]
    default: return pad(missing) + text
    }
  }
}
