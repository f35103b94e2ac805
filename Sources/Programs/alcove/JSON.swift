import Terminal

/// A JSON value for `--json`, with members in the order given.
enum JSON {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([(String, JSON)])

  static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
  static func strings(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }

  /// A whole answer: its kind and the version of its form come first.
  static func document(_ kind: String, version: Int = 1, _ members: [(String, JSON)]) -> JSON {
    .object([("schema", .string("alcove.\(kind)/\(version)"))] + members)
  }

  /// Text of the value on one line. Characters that a terminal might obey are
  /// escaped, so that it is exact and harmless at once.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .int(let value): "\(value)"
    case .number(let value): value.isFinite ? "\(value)" : "null"
    case .string(let value): Self.quoted(value)
    case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Self.quoted($0.0) + ":" + $0.1.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if TextSanitizer.isUnsafe(scalar) {
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        } else {
          result.unicodeScalars.append(scalar)
        }
      }
    }
    return result + "\""
  }
}
