/// A JSON value as it was written: properties keep their order and numbers their digits.
indirect enum JSONText: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case array([JSONText])
  case object([Member])

  struct Member: Hashable, Sendable {
    var name: String
    var value: JSONText
  }

  /// The deepest nesting that is read.
  static let depthLimit = 200

  /// Reads a text.
  init(parsing text: String) throws(SchemaError) {
    var reader = JSONTextReader(Array(text.utf8))
    self = try reader.readAll()
  }

  /// The value of a property; the last where a name comes twice.
  subscript(name: String) -> JSONText? {
    guard case .object(let members) = self else { return nil }
    return members.last { $0.name == name }?.value
  }

  /// The value in the fewest bytes.
  var compact: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let digits): digits
    case .string(let text): Self.quoted(text)
    case .array(let items): "[" + items.map(\.compact).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\(Self.quoted($0.name)):\($0.value.compact)" }.joined(separator: ",") + "}"
    }
  }

  /// A text as a JSON string.
  static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map(escaped).joined() + "\""
  }

  /// A character as it stands in a JSON string, escaped only where it must be.
  static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\t": return "\\t"
    case "\u{8}": return "\\b"
    case "\u{C}": return "\\f"
    case "\u{0}"..."\u{1F}", "\u{7F}":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(Character(scalar))
    }
  }
}

private struct JSONTextReader {
  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var error: SchemaError { .notJSON(atByte: place) }

  mutating func readAll() throws(SchemaError) -> JSONText {
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

  private mutating func read() throws(SchemaError) -> JSONText {
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONText.depthLimit else { throw .tooDeep(limit: JSONText.depthLimit, at: "") }
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
      return .number(try readNumber())
    }
  }

  private mutating func readObject() throws(SchemaError) -> JSONText {
    place += 1
    var members: [JSONText.Member] = []
    skipSpace()
    if take("}") { return .object([]) }
    while true {
      skipSpace()
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { throw error }
      let name = try readString()
      skipSpace()
      guard take(":") else { throw error }
      members.append(.init(name: name, value: try read()))
      skipSpace()
      if take("}") { return .object(members) }
      guard take(",") else { throw error }
    }
  }

  private mutating func readArray() throws(SchemaError) -> JSONText {
    place += 1
    var items: [JSONText] = []
    skipSpace()
    if take("]") { return .array([]) }
    while true {
      items.append(try read())
      skipSpace()
      if take("]") { return .array(items) }
      guard take(",") else { throw error }
    }
  }

  private mutating func readNumber() throws(SchemaError) -> String {
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

  private mutating func readString() throws(SchemaError) -> String {
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

  private mutating func readEscape() throws(SchemaError) -> Unicode.Scalar {
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

  private mutating func readHex() throws(SchemaError) -> UInt32 {
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
