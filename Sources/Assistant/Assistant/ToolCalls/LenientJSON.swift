import ChatTemplates

/// Reads JSON as models write it: with single quotes, bare or Python words, comments, stray and missing commas, line
/// breaks in strings, and missing ends.
struct LenientJSON {
  /// A value read, and whether it was complete.
  struct Reading: Equatable {
    var value: TemplateValue
    /// The byte behind it.
    var end: Int
    var isRepaired: Bool
    /// Indicates whether every brace and quote was closed.
    var isWhole: Bool
  }

  private let bytes: [UInt8]
  private var place: Int
  private var isRepaired = false
  private var isWhole = true
  private static let deepest = 64

  private init(_ bytes: [UInt8], _ place: Int) { (self.bytes, self.place) = (bytes, place) }

  /// Reads the value at a place, or nil where nothing like one stands there.
  static func read(_ bytes: [UInt8], at place: Int = 0) -> Reading? {
    var reader = LenientJSON(bytes, place)
    guard let value = reader.value(depth: 0) else { return nil }
    return Reading(value: value, end: reader.place, isRepaired: reader.isRepaired, isWhole: reader.isWhole)
  }

  /// Reads the whole of a text.
  static func read(_ text: some StringProtocol) -> Reading? { read(Array(text.utf8)) }

  /// End of the object or list that begins at a place, counting braces outside double quotes; nil where it is not
  /// closed yet.
  static func end(of bytes: [UInt8], from place: Int) -> Int? {
    var (depth, isQuoted, isEscaped) = (0, false, false)
    for index in bytes[place...].indices {
      let byte = bytes[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if byte == UInt8(ascii: "\\") { isEscaped = true } else if byte == UInt8(ascii: "\"") { isQuoted = false }
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
        depth += 1
      } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
        depth -= 1
        if depth <= 0 { return index + 1 }
      }
    }
    return nil
  }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func at(_ text: String) -> Bool { bytes[place...].starts(with: text.utf8) }

  private mutating func skipSpace() {
    while let byte = current {
      if byte == 0x20 || (0x09...0x0D).contains(byte) {
        place += 1
      } else if at("//") || at("#") && place > 0 && bytes[place - 1] <= 0x20 {
        while let byte = current, byte != 0x0A { place += 1 }
        isRepaired = true
      } else if at("/*") {
        place += 2
        while place < bytes.count, !at("*/") { place += 1 }
        place = min(bytes.count, place + 2)
        isRepaired = true
      } else {
        return
      }
    }
  }

  private mutating func value(depth: Int) -> TemplateValue? {
    guard depth < Self.deepest else { return nil }
    skipSpace()
    guard let byte = current else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return object(depth: depth)
    case UInt8(ascii: "["), UInt8(ascii: "("): return array(depth: depth)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return .string(string())
    case _ where at("“") || at("‘"): return .string(string())
    default: return word()
    }
  }

  private mutating func object(depth: Int) -> TemplateValue? {
    place += 1
    var members: [TemplateValue.Member] = []
    while true {
      skipSpace()
      guard let byte = current else { return ended(.object(members)) }
      if byte == UInt8(ascii: "}") {
        place += 1
        return .object(members)
      }
      if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") {
        isRepaired = true
        place += 1
        continue
      }
      // Another kind of closer: the brace was forgotten.
      if byte == UInt8(ascii: "]") || byte == UInt8(ascii: ")") { return ended(.object(members)) }
      let before = place
      let key = isQuote ? string() : bareKey()
      skipSpace()
      if at("=>") { place += 2 } else if current == UInt8(ascii: ":") || at("=") { place += 1 }
      skipSpace()
      if current == nil || current == UInt8(ascii: ",") || current == UInt8(ascii: "}") {
        isRepaired = true
        if !key.isEmpty { members.append(.init(key, .null)) }
        if place == before { place += 1 }
        continue
      }
      guard let value = value(depth: depth + 1) else { return nil }
      if let known = members.firstIndex(where: { $0.key == key }) { members.remove(at: known) }
      members.append(.init(key, value))
      skipSpace()
      if current == UInt8(ascii: ",") {
        place += 1
        skipSpace()
        if current == UInt8(ascii: "}") { isRepaired = true }
      } else if current != nil, current != UInt8(ascii: "}") {
        isRepaired = true
      }
      if place == before { return nil }
    }
  }

  private mutating func array(depth: Int) -> TemplateValue? {
    let closer = current == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "]")
    place += 1
    var elements: [TemplateValue] = []
    while true {
      skipSpace()
      guard let byte = current else { return ended(.array(elements)) }
      if byte == closer {
        place += 1
        return .array(elements)
      }
      if byte == UInt8(ascii: "}") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") {
        return ended(.array(elements))
      }
      if byte == UInt8(ascii: ",") {
        place += 1
        continue
      }
      let before = place
      guard let element = value(depth: depth + 1), place > before else { return nil }
      elements.append(element)
    }
  }

  private mutating func ended(_ value: TemplateValue) -> TemplateValue {
    (isWhole, isRepaired) = (false, true)
    return value
  }

  private var isQuote: Bool { at("\"") || at("'") || at("“") || at("‘") }

  private mutating func bareKey() -> String {
    isRepaired = true
    let start = place
    while let byte = current, !":=,{}[]\n".utf8.contains(byte) { place += 1 }
    return String(decoding: bytes[start..<place], as: UTF8.self).trimmingSpace
  }

  /// A number, a literal, or text without its quotes.
  private mutating func word() -> TemplateValue? {
    let start = place
    while let byte = current, !",}])\n:\"".utf8.contains(byte) { place += 1 }
    let text = String(decoding: bytes[start..<place], as: UTF8.self).trimmingSpace
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "null": return .null
    case "": return nil
    default: break
    }
    if let number = Int(text) { return .int(number) }
    if let number = Double(text), number.isFinite, text.first.map({ $0.isNumber || "+-.".contains($0) }) ?? false {
      return .double(number)
    }
    isRepaired = true
    switch text.lowercased() {
    case "true", "yes": return .bool(true)
    case "false", "no": return .bool(false)
    case "none", "nil", "undefined", "nan", "null": return .null
    default: return .string(text)
    }
  }

  // MARK: Strings

  /// A quoted text. A quote within it is part of it where the text behind does not look like the end of a string.
  private mutating func string() -> String {
    let closers: [[UInt8]]
    switch current {
    case UInt8(ascii: "\""): (closers, place) = ([Array("\"".utf8)], place + 1)
    case UInt8(ascii: "'"):
      (closers, place) = ([Array("'".utf8)], place + 1)
      isRepaired = true
    default:
      (closers, place) = ([Array("”".utf8), Array("’".utf8)], place + 3)
      isRepaired = true
    }
    var text: [UInt8] = []
    while let byte = current {
      if let closer = closers.first(where: { bytes[place...].starts(with: $0) }) {
        if closes(behind: place + closer.count) {
          place += closer.count
          return String(decoding: text, as: UTF8.self)
        }
        isRepaired = true
        text += closer
        place += closer.count
      } else if byte == UInt8(ascii: "\\") {
        place += 1
        escape(into: &text)
      } else {
        if byte < 0x20 { isRepaired = true }
        text.append(byte)
        place += 1
      }
    }
    (isWhole, isRepaired) = (false, true)
    // The closers of the values around it were taken for text.
    while let last = text.last, "}] \n\t\r".utf8.contains(last) { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  private func closes(behind place: Int) -> Bool {
    var next = place
    while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
    if next == bytes.count || ",:}])\r\n;=".utf8.contains(bytes[next]) { return true }
    // The comma before the next text was forgotten.
    return next > place && bytes[next] == UInt8(ascii: "\"")
  }

  private mutating func escape(into text: inout [UInt8]) {
    guard let byte = current else { return }
    place += 1
    switch byte {
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "u"):
      guard var unit = hexadecimal() else {
        isRepaired = true
        text.append(byte)
        return
      }
      if unit & 0xFC00 == 0xD800, at("\\u") {
        let mark = place
        place += 2
        if let low = hexadecimal(), low & 0xFC00 == 0xDC00 {
          unit = 0x1_0000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
        } else {
          place = mark
        }
      }
      text += String(Character(UnicodeScalar(unit) ?? "\u{FFFD}")).utf8
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    default:
      isRepaired = true
      text.append(byte)
    }
  }

  private mutating func hexadecimal() -> UInt32? {
    guard place + 4 <= bytes.count,
      let value = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    else { return nil }
    place += 4
    return value
  }
}

extension StringProtocol {
  /// The text without the white space around it.
  var trimmingSpace: String {
    var text = Substring(self)
    while text.first?.isWhitespace ?? false { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}
