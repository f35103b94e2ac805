import Documents

/// JSON value with the line where it begins; numbers keep their spelling.
struct JSONValue {
  enum Content {
    case leaf(String)
    case array([JSONValue])
    case object([(key: String, value: JSONValue)])
  }

  var content: Content
  var line: Int

  /// Text of a value that holds no other values; nil for others.
  var leaf: String? {
    guard case .leaf(let text) = content else { return nil }
    return text
  }
}

/// Strict JSON parser with a limit on nesting.
struct JSONParser {
  /// Reason that a text is not JSON, or too deeply nested.
  enum Fault: Error {
    case malformed
    case tooDeep
  }

  static let maximumDepth = 200

  private let bytes: [UInt8]
  private var index = 0
  private var line: Int

  init(_ bytes: [UInt8], line: Int = 1) {
    (self.bytes, self.line) = (bytes, line)
  }

  /// Parses the one value of the text.
  mutating func parse() throws(Fault) -> JSONValue {
    let value = try value(depth: 0)
    skipSpace()
    if index < bytes.count { throw .malformed }
    return value
  }

  private var byte: UInt8 { index < bytes.count ? bytes[index] : 0 }

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 10:
        line += 1
        index += 1
      case 13:
        if !(index + 1 < bytes.count && bytes[index + 1] == 10) { line += 1 }
        index += 1
      case 0x20, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func value(depth: Int) throws(Fault) -> JSONValue {
    if depth > Self.maximumDepth { throw .tooDeep }
    skipSpace()
    let start = line
    switch byte {
    case UInt8(ascii: "{"): return JSONValue(content: .object(try members(depth: depth)), line: start)
    case UInt8(ascii: "["): return JSONValue(content: .array(try elements(depth: depth)), line: start)
    case UInt8(ascii: "\""): return JSONValue(content: .leaf(try string()), line: start)
    default:
      let first = index
      while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
      let word = String(decoding: bytes[first..<index], as: UTF8.self)
      guard ["true", "false", "null"].contains(word) || Self.isNumber(word) else { throw .malformed }
      return JSONValue(content: .leaf(word), line: start)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2B, 0x2D, 0x2E: true
    default: false
    }
  }

  private static func isNumber(_ word: String) -> Bool {
    guard let first = word.utf8.first, first == 0x2D || (0x30...0x39).contains(first) else { return false }
    return Double(word) != nil
  }

  private mutating func members(depth: Int) throws(Fault) -> [(key: String, value: JSONValue)] {
    var members: [(key: String, value: JSONValue)] = []
    index += 1
    skipSpace()
    if byte == UInt8(ascii: "}") {
      index += 1
      return members
    }
    while true {
      skipSpace()
      let key = try string()
      skipSpace()
      guard byte == UInt8(ascii: ":") else { throw .malformed }
      index += 1
      members.append((key, try value(depth: depth + 1)))
      if try !goesOn(until: UInt8(ascii: "}")) { return members }
    }
  }

  private mutating func elements(depth: Int) throws(Fault) -> [JSONValue] {
    var elements: [JSONValue] = []
    index += 1
    skipSpace()
    if byte == UInt8(ascii: "]") {
      index += 1
      return elements
    }
    while true {
      elements.append(try value(depth: depth + 1))
      if try !goesOn(until: UInt8(ascii: "]")) { return elements }
    }
  }

  private mutating func goesOn(until end: UInt8) throws(Fault) -> Bool {
    skipSpace()
    defer { index += 1 }
    if byte == UInt8(ascii: ",") { return true }
    if byte == end { return false }
    throw .malformed
  }

  private mutating func string() throws(Fault) -> String {
    guard byte == UInt8(ascii: "\"") else { throw .malformed }
    index += 1
    var text: [UInt8] = []
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try escaped()).utf8)
      case 10: throw .malformed
      default: text.append(byte)
      }
    }
    throw .malformed
  }

  private mutating func escaped() throws(Fault) -> Unicode.Scalar {
    let kind = byte
    index += 1
    switch kind {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(kind)
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) ?? "\u{FFFD}" }
      guard index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
      else {
        return "\u{FFFD}"
      }
      let before = index
      index += 2
      let low = try hexadecimal()
      if (0xDC00..<0xE000).contains(low) {
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
      }
      index = before
      return "\u{FFFD}"
    default: throw .malformed
    }
  }

  private mutating func hexadecimal() throws(Fault) -> UInt32 {
    guard index + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[index..<index + 4], as: UTF8.self), radix: 16)
    else { throw .malformed }
    index += 4
    return value
  }
}
