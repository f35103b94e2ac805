extension JSON {
  /// The choice among the spellings that JSON allows for the characters of a string.
  ///
  /// Quotes, backslashes and the control characters below U+0020 are escaped in every case, newlines, returns and tabs
  /// by letter.
  package struct Escapes: Sendable {
    private let hasShortForms: Bool
    private let isEscaped: @Sendable (Unicode.Scalar) -> Bool

    /// Creates a choice of escapes.
    /// - Parameters:
    ///   - hasShortForms: writes backspace and form feed as `\b` and `\f` instead of `\u0008` and `\u000c`.
    ///   - isEscaped: whether a character is escaped that JSON would leave as it is.
    package init(hasShortForms: Bool, isEscaped: @escaping @Sendable (Unicode.Scalar) -> Bool) {
      (self.hasShortForms, self.isEscaped) = (hasShortForms, isEscaped)
    }

    /// Escapes in the shortest form; besides what JSON demands, the delete character.
    package static let short = Escapes(hasShortForms: true) { $0 == "\u{7F}" }
    /// Escapes only what JSON demands.
    package static let demanded = Escapes(hasShortForms: false) { _ in false }

    fileprivate func append(_ scalar: Unicode.Scalar, to result: inout String) {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{8}" where hasShortForms: result += "\\b"
      case "\u{C}" where hasShortForms: result += "\\f"
      case _ where scalar.value < 0x20 || isEscaped(scalar):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns the value on one line, without spaces.
  package func written(_ escapes: Escapes = .short) -> String {
    var result = ""
    write(escapes, to: &result)
    return result
  }

  private func write(_ escapes: Escapes, to result: inout String) {
    switch self {
    case .null: result += "null"
    case .bool(let value): result += value ? "true" : "false"
    case .number(let digits): result += digits
    case .string(let text): Self.quote(text, escapes, to: &result)
    case .array(let items):
      result += "["
      for (index, item) in items.enumerated() {
        if index > 0 { result += "," }
        item.write(escapes, to: &result)
      }
      result += "]"
    case .object(let members):
      result += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { result += "," }
        Self.quote(member.name, escapes, to: &result)
        result += ":"
        member.value.write(escapes, to: &result)
      }
      result += "}"
    }
  }

  private static func quote(_ text: String, _ escapes: Escapes, to result: inout String) {
    result += "\""
    for scalar in text.unicodeScalars { escapes.append(scalar, to: &result) }
    result += "\""
  }

  /// Returns a text as a JSON string, in quotes.
  package static func quoted(_ text: String, _ escapes: Escapes = .short) -> String {
    var result = ""
    quote(text, escapes, to: &result)
    return result
  }

  /// Returns a character as it stands within a JSON string.
  package static func escaped(_ scalar: Unicode.Scalar, _ escapes: Escapes = .short) -> String {
    var result = ""
    escapes.append(scalar, to: &result)
    return result
  }
}
