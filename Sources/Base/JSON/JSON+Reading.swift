/// An error of a text that cannot be read as JSON.
package enum JSONError: Error, Sendable, Equatable {
  /// The text is not JSON from this byte on, counted from 0.
  case malformed(atByte: Int)
  /// Arrays and objects are nested deeper than ``JSON/depthLimit``.
  case tooDeep(limit: Int)
}

extension JSON {
  /// Deepest nesting of arrays and objects that is read.
  package static let depthLimit = 200

  /// Reads a text, strictly by RFC 8259.
  package init(parsing text: String) throws(JSONError) {
    var reader = JSONReader(Array(text.utf8))
    self = try reader.readAll()
  }
}

private struct JSONReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var error: JSONError { .malformed(atByte: place) }

  mutating func readAll() throws(JSONError) -> JSON {
    let value = try read()
    skipSpace()
    guard place == bytes.count else { throw error }
    return value
  }

  private mutating func skipSpace() {
    while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[place...].starts(with: text.utf8) else { return false }
    place += text.utf8.count
    return true
  }

  private mutating func read() throws(JSONError) -> JSON {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSON.depthLimit else { throw .tooDeep(limit: JSON.depthLimit) }
    skipSpace()
    guard place < bytes.count else { throw error }
    switch bytes[place] {
    case UInt8(ascii: "{"): return try readObject()
    case UInt8(ascii: "["): return try readArray()
    case UInt8(ascii: "\""): return .string(try readString())
    default:
      if take("null") { return .null }
      if take("true") { return .bool(true) }
      if take("false") { return .bool(false) }
      return .number(digits: try readNumber())
    }
  }

  private mutating func readObject() throws(JSONError) -> JSON {
    place += 1
    var members: [JSON.Member] = []
    skipSpace()
    if take("}") { return .object(members: []) }
    while true {
      skipSpace()
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw error }
      let name = try readString()
      skipSpace()
      guard take(":") else { throw error }
      members.append(.init(name: name, value: try read()))
      skipSpace()
      if take("}") { return .object(members: members) }
      guard take(",") else { throw error }
    }
  }

  private mutating func readArray() throws(JSONError) -> JSON {
    place += 1
    var items: [JSON] = []
    skipSpace()
    if take("]") { return .array([]) }
    while true {
      items.append(try read())
      skipSpace()
      if take("]") { return .array(items) }
      guard take(",") else { throw error }
    }
  }

  private mutating func readNumber() throws(JSONError) -> String {
    let start = place
    _ = take("-")
    func digits() -> Int { bytes[place...].prefix { (0x30...0x39).contains($0) }.count }
    let whole = digits()
    guard whole > 0, whole == 1 || bytes[place] != 0x30 else { throw error }
    place += whole
    if take(".") {
      guard digits() > 0 else { throw error }
      place += digits()
    }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digits() > 0 else { throw error }
      place += digits()
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func readString() throws(JSONError) -> String {
    place += 1
    var text: [UInt8] = []
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else { throw error }
        return string
      case UInt8(ascii: "\\"): text.append(contentsOf: Array(String(Character(try readEscape())).utf8))
      case 0..<0x20: throw error
      default: text.append(byte)
      }
    }
    throw error
  }

  private mutating func readEscape() throws(JSONError) -> Unicode.Scalar {
    guard place < bytes.count else { throw error }
    place += 1
    switch bytes[place - 1] {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let first = try readHex()
      if (0xD800..<0xDC00).contains(first), take("\\u") {
        let second = try readHex()
        guard (0xDC00..<0xE000).contains(second) else { throw error }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
      }
      guard let scalar = Unicode.Scalar(first) else { throw error }
      return scalar
    default: throw error
    }
  }

  private mutating func readHex() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard place < bytes.count, let digit = Character(Unicode.Scalar(bytes[place])).hexDigitValue else {
        throw error
      }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}
