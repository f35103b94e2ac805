/// A token of a template.
struct Token {
  enum Kind: Equatable {
    case data, variableBegin, variableEnd, blockBegin, blockEnd, name, string, integer, float, end
    case symbol(String)
  }

  var kind: Kind
  /// A name, or the value of data and strings.
  var text = ""
  var integer = 0
  var float = 0.0
  let line: Int

  /// Name of the token in error messages.
  var description: String {
    switch kind {
    case .data: "template data / text"
    case .variableBegin: "begin of print statement"
    case .variableEnd: "end of print statement"
    case .blockBegin: "begin of statement block"
    case .blockEnd: "end of statement block"
    case .name: text
    case .string: "string"
    case .integer: "integer"
    case .float: "float"
    case .end: "end of template"
    case .symbol(let symbol): symbol
    }
  }
}

/// Cuts a template into tokens, with `trim_blocks` and `lstrip_blocks` on.
struct Lexer {
  private let source: [UInt32]
  private var position = 0
  private var line = 1
  private var tokens: [Token] = []

  static func tokens(of template: String) throws(TemplateError) -> [Token] {
    var lexer = Lexer(template)
    try lexer.run()
    return lexer.tokens
  }

  private init(_ template: String) {
    // One kind of line end, and none at the very end.
    var source: [UInt32] = []
    var followsReturn = false
    for scalar in template.unicodeScalars {
      if scalar == "\n", followsReturn {
        followsReturn = false
        continue
      }
      followsReturn = scalar == "\r"
      source.append(followsReturn ? 0x0A : scalar.value)
    }
    if source.last == 0x0A { source.removeLast() }
    self.source = source
  }

  private func hasPrefix(_ text: String, at position: Int) -> Bool {
    var position = position
    for scalar in text.unicodeScalars {
      guard position < source.count, source[position] == scalar.value else { return false }
      position += 1
    }
    return true
  }

  private func text(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    for value in source[range] { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    return String(view)
  }

  private func skippingSpace(from position: Int) -> Int {
    var position = position
    while position < source.count, Text.isSpace(source[position]) { position += 1 }
    return position
  }

  private mutating func advance(to end: Int) {
    for value in source[position..<end] where value == 0x0A { line += 1 }
    position = end
  }

  private mutating func run() throws(TemplateError) {
    // Whether what was read last ended a line, so that spaces before a tag may go.
    var startsLine = true
    while position < source.count {
      var start = position
      while start < source.count,
        !(hasPrefix("{{", at: start) || hasPrefix("{%", at: start) || hasPrefix("{#", at: start))
      { start += 1 }
      guard start < source.count else {
        append(data: position..<start)
        advance(to: start)
        break
      }
      let opening = source[start + 1]
      let sign = start + 2 < source.count ? source[start + 2] : 0
      var dataEnd = start
      if sign == 0x2D {  // -
        while dataEnd > position, Text.isSpace(source[dataEnd - 1]) { dataEnd -= 1 }
      } else if sign != 0x2B, opening != 0x7B {  // + {
        var lineStart = start
        while lineStart > position, source[lineStart - 1] != 0x0A { lineStart -= 1 }
        if lineStart > position || startsLine, source[lineStart..<start].allSatisfy(Text.isSpace) {
          dataEnd = lineStart
        }
      }
      append(data: position..<dataEnd)
      let hasSign = sign == 0x2D || sign == 0x2B
      advance(to: start + (hasSign ? 3 : 2))
      switch opening {
      case 0x23: try comment()
      case 0x25:
        if try !raw() {
          tokens.append(Token(kind: .blockBegin, line: line))
          try tag(isBlock: true)
        }
      default:
        tokens.append(Token(kind: .variableBegin, line: line))
        try tag(isBlock: false)
      }
      startsLine = position > 0 && source[position - 1] == 0x0A
    }
    tokens.append(Token(kind: .end, line: line))
  }

  private mutating func append(data range: Range<Int>) {
    if !range.isEmpty { tokens.append(Token(kind: .data, text: text(range), line: line)) }
  }

  /// Ends a tag at `position`, with the spaces or the line end that go with it; nil where it does not end.
  private func end(of close: String, at position: Int, allowsPlus: Bool, trims: Bool) -> Int? {
    if hasPrefix("-" + close, at: position) { return skippingSpace(from: position + 3) }
    if allowsPlus, hasPrefix("+" + close, at: position) { return position + 3 }
    guard hasPrefix(close, at: position) else { return nil }
    let end = position + 2
    return trims && end < source.count && source[end] == 0x0A ? end + 1 : end
  }

  private mutating func comment() throws(TemplateError) {
    guard position < source.count else { return }
    var position = position
    while position < source.count {
      if let end = end(of: "#}", at: position, allowsPlus: true, trims: true) {
        advance(to: end)
        return
      }
      position += 1
    }
    throw TemplateError(.syntax, "Missing end of comment tag", line: line)
  }

  /// Takes a raw block whole.
  private mutating func raw() throws(TemplateError) -> Bool {
    let name = skippingSpace(from: position)
    guard hasPrefix("raw", at: name),
      let begin = end(of: "%}", at: skippingSpace(from: name + 3), allowsPlus: false, trims: false)
    else { return false }
    advance(to: begin)
    guard position < source.count else { return true }
    var start = position
    while start < source.count {
      if hasPrefix("{%", at: start) {
        let sign = start + 2 < source.count ? source[start + 2] : 0
        let hasSign = sign == 0x2D || sign == 0x2B
        let word = skippingSpace(from: start + (hasSign ? 3 : 2))
        if hasPrefix("endraw", at: word),
          let end = end(of: "%}", at: skippingSpace(from: word + 6), allowsPlus: true, trims: true)
        {
          var dataEnd = start
          if sign == 0x2D {
            while dataEnd > position, Text.isSpace(source[dataEnd - 1]) { dataEnd -= 1 }
          } else if sign != 0x2B {
            var lineStart = start
            while lineStart > position, source[lineStart - 1] != 0x0A { lineStart -= 1 }
            if lineStart > position || source[position - 1] == 0x0A,
              source[lineStart..<start].allSatisfy(Text.isSpace)
            {
              dataEnd = lineStart
            }
          }
          append(data: position..<dataEnd)
          advance(to: end)
          return true
        }
      }
      start += 1
    }
    throw TemplateError(.syntax, "Missing end of raw directive", line: line)
  }

  private static let symbols = [
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(", ")", "{", "}", ">", "<", "=",
    ".", ":", "|", ",", ";",
  ]

  private mutating func tag(isBlock: Bool) throws(TemplateError) {
    let close = isBlock ? "%}" : "}}"
    var open: [String] = []
    while position < source.count {
      if open.isEmpty, let end = end(of: close, at: position, allowsPlus: isBlock, trims: isBlock) {
        tokens.append(Token(kind: isBlock ? .blockEnd : .variableEnd, line: line))
        advance(to: end)
        return
      }
      let value = source[position]
      if Text.isSpace(value) {
        advance(to: position + 1)
      } else if try number() || word() {
        continue
      } else if value == 0x27 || value == 0x22 {
        try string(quote: value)
      } else if let symbol = Self.symbols.first(where: { hasPrefix($0, at: position) }) {
        switch symbol {
        case "(": open.append(")")
        case "[": open.append("]")
        case "{": open.append("}")
        case ")", "]", "}":
          guard let expected = open.popLast() else {
            throw TemplateError(.syntax, "unexpected '\(symbol)'", line: line)
          }
          guard expected == symbol else {
            throw TemplateError(.syntax, "unexpected '\(symbol)', expected '\(expected)'", line: line)
          }
        default: break
        }
        tokens.append(Token(kind: .symbol(symbol), line: line))
        position += symbol.utf8.count
      } else {
        throw unexpectedCharacter()
      }
    }
  }

  private func unexpectedCharacter() -> TemplateError {
    let character = Representation.quoted(Text(units: [source[position]])).string
    return TemplateError(.syntax, "unexpected char \(character) at \(position)", line: line)
  }

  private mutating func word() -> Bool {
    var end = position
    while end < source.count, Self.isWord(source[end]) { end += 1 }
    guard end > position else { return false }
    tokens.append(Token(kind: .name, text: text(position..<end), line: line))
    position = end
    return true
  }

  private static func isWord(_ value: UInt32) -> Bool {
    if value < 0x80 { return value == 0x5F || isDigit(value) || (value | 0x20 >= 0x61 && value | 0x20 <= 0x7A) }
    return Unicode.Scalar(value)?.properties.isXIDContinue ?? false
  }

  private static func isDigit(_ value: UInt32) -> Bool { value >= 0x30 && value <= 0x39 }

  /// The end of digits that single underscores may part, or nil where there are none.
  private func digits(from start: Int, where isDigit: (UInt32) -> Bool = Self.isDigit) -> Int? {
    guard start < source.count, isDigit(source[start]) else { return nil }
    var end = start + 1
    while end < source.count {
      if isDigit(source[end]) {
        end += 1
      } else if source[end] == 0x5F, end + 1 < source.count, isDigit(source[end + 1]) {
        end += 2
      } else {
        break
      }
    }
    return end
  }

  private mutating func number() throws(TemplateError) -> Bool {
    guard Self.isDigit(source[position]), let whole = digits(from: position) else { return false }
    if position == 0 || source[position - 1] != 0x2E {
      var end = whole
      if end < source.count, source[end] == 0x2E, let fraction = digits(from: end + 1) { end = fraction }
      if end < source.count, source[end] | 0x20 == 0x65 {
        let sign = end + 1 < source.count && (source[end + 1] == 0x2B || source[end + 1] == 0x2D) ? 1 : 0
        if let exponent = digits(from: end + 1 + sign) { end = exponent }
      }
      if end > whole {
        let digits = text(position..<end).filter { $0 != "_" }
        tokens.append(Token(kind: .float, float: Double(digits) ?? .infinity, line: line))
        position = end
        return true
      }
    }
    let (end, radix, skipped) = integer(whole)
    let digits = text(position + skipped..<end).filter { $0 != "_" }
    guard let value = Int(digits, radix: radix) else {
      throw TemplateError(.overflow, "the number \(digits) is too large", line: line)
    }
    tokens.append(Token(kind: .integer, integer: value, line: line))
    position = end
    return true
  }

  private func integer(_ decimalEnd: Int) -> (end: Int, radix: Int, skipped: Int) {
    guard source[position] == 0x30 else { return (decimalEnd, 10, 0) }
    if position + 1 < source.count {
      let start = position + 2 < source.count && source[position + 2] == 0x5F ? position + 3 : position + 2
      switch source[position + 1] | 0x20 {
      case 0x62:
        if let end = digits(from: start, where: { $0 == 0x30 || $0 == 0x31 }) { return (end, 2, 2) }
      case 0x6F:
        if let end = digits(from: start, where: { $0 >= 0x30 && $0 <= 0x37 }) { return (end, 8, 2) }
      case 0x78:
        let isHexadecimal = { (value: UInt32) in
          Self.isDigit(value) || (value | 0x20 >= 0x61 && value | 0x20 <= 0x66)
        }
        if let end = digits(from: start, where: isHexadecimal) { return (end, 16, 2) }
      default: break
      }
    }
    // A decimal number does not begin with zero, but zeros may follow zeros.
    return (digits(from: position, where: { $0 == 0x30 }) ?? position + 1, 10, 0)
  }

  private mutating func string(quote: UInt32) throws(TemplateError) {
    var end = position + 1
    while end < source.count, source[end] != quote { end += source[end] == 0x5C ? 2 : 1 }
    guard end < source.count else { throw unexpectedCharacter() }
    let value = try StringEscapes.decode(source[position + 1..<end], line: line)
    tokens.append(Token(kind: .string, text: value, line: line))
    advance(to: end + 1)
  }
}

/// The escapes of Python's string literals.
private enum StringEscapes {
  static func decode(_ source: ArraySlice<UInt32>, line: Int) throws(TemplateError) -> String {
    var view = String.UnicodeScalarView()
    var rest = source
    func append(_ value: UInt32) { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
    while let value = rest.popFirst() {
      guard value == 0x5C, let escape = rest.popFirst() else {
        append(value)
        continue
      }
      switch Unicode.Scalar(escape) {
      case "\n": break
      case "\\", "'", "\"": append(escape)
      case "n": append(0x0A)
      case "t": append(0x09)
      case "r": append(0x0D)
      case "a": append(0x07)
      case "b": append(0x08)
      case "f": append(0x0C)
      case "v": append(0x0B)
      case "x": append(try hexadecimal(&rest, 2, "\\xXX", line))
      case "u": append(try hexadecimal(&rest, 4, "\\uXXXX", line))
      case "U": append(try hexadecimal(&rest, 8, "\\UXXXXXXXX", line))
      case "0", "1", "2", "3", "4", "5", "6", "7":
        var octal = escape - 0x30
        for _ in 0..<2 {
          guard let next = rest.first, next >= 0x30, next <= 0x37 else { break }
          octal = octal * 8 + next - 0x30
          rest = rest.dropFirst()
        }
        append(octal)
      default:
        append(value)
        append(escape)
      }
    }
    return String(view)
  }

  private static func hexadecimal(
    _ rest: inout ArraySlice<UInt32>, _ count: Int, _ form: String, _ line: Int
  ) throws(TemplateError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = rest.popFirst().flatMap({ Unicode.Scalar($0) }).flatMap({ Character($0).hexDigitValue })
      else {
        throw TemplateError(.syntax, "truncated \(form) escape", line: line)
      }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
