/// Error of a text that is not JSON.
package struct JSONFault: Error, Sendable, Equatable {
  /// The byte at which reading stopped.
  package let byte: Int
}

extension TemplateValue {
  /// Reads JSON, keeping the order of keys; of equal keys the last counts.
  package init(json: String) throws(JSONFault) {
    var reader = JSONReader(json)
    self = try reader.document()
  }
}

/// Reads JSON (RFC 8259), to a nesting of 200.
private struct JSONReader {
  private let bytes: [UInt8]
  private var position = 0
  private static let deepest = 200

  init(_ text: String) { bytes = Array(text.utf8) }

  mutating func document() throws(JSONFault) -> TemplateValue {
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw fault }
    return value
  }

  private var fault: JSONFault { JSONFault(byte: position) }
  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: Character) -> Bool {
    skipSpace()
    guard current == byte.asciiValue else { return false }
    position += 1
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func value(depth: Int) throws(JSONFault) -> TemplateValue {
    guard depth < Self.deepest else { throw fault }
    skipSpace()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): if take(word: "true") { return .bool(true) }
    case UInt8(ascii: "f"): if take(word: "false") { return .bool(false) }
    case UInt8(ascii: "n"): if take(word: "null") { return .null }
    default: return try number()
    }
    throw fault
  }

  private mutating func object(depth: Int) throws(JSONFault) -> TemplateValue {
    position += 1
    var members: [Member] = []
    var places: [String: Int] = [:]
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      let key = try string()
      guard take(":") else { throw fault }
      let value = try value(depth: depth + 1)
      if let place = places[key] {
        members[place].value = value
      } else {
        places[key] = members.count
        members.append(Member(key, value))
      }
    } while take(",")
    guard take("}") else { throw fault }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(JSONFault) -> TemplateValue {
    position += 1
    var elements: [TemplateValue] = []
    if take("]") { return .array([]) }
    repeat { elements.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw fault }
    return .array(elements)
  }

  private mutating func number() throws(JSONFault) -> TemplateValue {
    let start = position
    var isWhole = true
    while let byte = current {
      switch byte {
      case 0x30...0x39, UInt8(ascii: "-"): break
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"): isWhole = false
      default:
        return try finish(String(decoding: bytes[start..<position], as: UTF8.self), isWhole: isWhole)
      }
      position += 1
    }
    return try finish(String(decoding: bytes[start..<position], as: UTF8.self), isWhole: isWhole)
  }

  private func finish(_ text: String, isWhole: Bool) throws(JSONFault) -> TemplateValue {
    if isWhole, let value = Int(text) { return .int(value) }
    guard let value = Double(text), let first = text.utf8.first, first != UInt8(ascii: "+"),
      first != UInt8(ascii: ".")
    else { throw fault }
    return .double(value)
  }

  private mutating func string() throws(JSONFault) -> String {
    guard current == UInt8(ascii: "\"") else { throw fault }
    position += 1
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw fault
      default: text.append(byte)
      }
    }
    throw fault
  }

  private mutating func escape() throws(JSONFault) -> String {
    guard let byte = current else { throw fault }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return String(UnicodeScalar(byte))
    case UInt8(ascii: "u"):
      var unit = try hexadecimal()
      if unit & 0xFC00 == 0xD800, bytes[position...].starts(with: "\\u".utf8) {
        let mark = position
        position += 2
        let low = try hexadecimal()
        if low & 0xFC00 == 0xDC00 {
          unit = 0x1_0000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
        } else {
          position = mark
        }
      }
      return String(Character(UnicodeScalar(unit) ?? "\u{FFFD}"))
    default: throw fault
    }
  }

  private mutating func hexadecimal() throws(JSONFault) -> UInt32 {
    guard position + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw fault }
    position += 4
    return value
  }
}

private typealias Member = TemplateValue.Member
