/// Splits HTML into tags and text as browsers do: no input is an error.
struct HTMLTokenizer {
  enum Token {
    case start(name: String, attributes: [(name: String, value: String)])
    case end(name: String)
    case text(String)
  }

  private let bytes: [UInt8]
  private var index = 0
  /// Open element whose content is not markup (`script`, `style`, …).
  private var rawElement: String?

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static let rawElements: Set = [
    "script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes",
  ]

  /// Returns the next token, or nil at the end.
  mutating func next() -> Token? {
    while index < bytes.count {
      if let name = rawElement {
        rawElement = nil
        if let text = rawText(until: name) { return text }
        continue
      }
      guard bytes[index] == 0x3C, index + 1 < bytes.count else { return text() }
      switch bytes[index + 1] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"):
        if let text = declaration() { return text }
      case UInt8(ascii: "/"):
        if let token = endTag() { return token }
      case 0x41...0x5A, 0x61...0x7A: return startTag()
      default: return text()
      }
    }
    return nil
  }

  private mutating func text() -> Token {
    let start = index
    index += 1
    while index < bytes.count, bytes[index] != 0x3C { index += 1 }
    return .text(CharacterReferences.decode(bytes[start..<index]) ?? "")
  }

  private mutating func rawText(until name: String) -> Token? {
    let start = index
    let mark = Array(name.utf8)
    while index < bytes.count {
      if bytes[index] == 0x3C, index + 1 < bytes.count, bytes[index + 1] == 0x2F, matches(mark, at: index + 2) {
        break
      }
      index += 1
    }
    guard index > start else { return nil }
    let isText = name == "textarea" || name == "title"
    if !isText { return name == "xmp" ? .text(String(decoding: bytes[start..<index], as: UTF8.self)) : nil }
    return .text(CharacterReferences.decode(bytes[start..<index]) ?? "")
  }

  private func matches(_ mark: [UInt8], at start: Int) -> Bool {
    guard start + mark.count <= bytes.count else { return false }
    return mark.indices.allSatisfy { bytes[start + $0] | 0x20 == mark[$0] }
  }

  /// Skips a comment, a document type or a processing instruction; a CDATA section becomes text.
  private mutating func declaration() -> Token? {
    if starts(with: "<!--") {
      index = find("-->", from: index + 4).map { $0 + 3 } ?? bytes.count
    } else if starts(with: "<![CDATA[") {
      let start = index + 9
      let end = find("]]>", from: start) ?? bytes.count
      index = min(end + 3, bytes.count)
      return .text(String(decoding: bytes[start..<end], as: UTF8.self))
    } else {
      index = find(">", from: index).map { $0 + 1 } ?? bytes.count
    }
    return nil
  }

  private func starts(with mark: StaticString) -> Bool {
    guard index + mark.utf8CodeUnitCount <= bytes.count else { return false }
    return (0..<mark.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == mark.utf8Start[$0] }
  }

  private func find(_ mark: String, from start: Int) -> Int? {
    let mark = Array(mark.utf8)
    var position = start
    while position + mark.count <= bytes.count {
      if bytes[position] == mark[0], bytes[position..<position + mark.count].elementsEqual(mark) {
        return position
      }
      position += 1
    }
    return nil
  }

  private mutating func endTag() -> Token? {
    index += 2
    let name = tagName()
    while index < bytes.count, bytes[index] != 0x3E { index += 1 }
    index = min(index + 1, bytes.count)
    return name.isEmpty ? nil : .end(name: name)
  }

  private mutating func startTag() -> Token {
    index += 1
    let name = tagName()
    var attributes: [(name: String, value: String)] = []
    while index < bytes.count, bytes[index] != 0x3E {
      if isSpace(bytes[index]) || bytes[index] == 0x2F {
        index += 1
      } else {
        let attribute = attribute()
        if attributes.count < 64 { attributes.append(attribute) }
      }
    }
    index = min(index + 1, bytes.count)
    if Self.rawElements.contains(name) { rawElement = name }
    return .start(name: name, attributes: attributes)
  }

  private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Reads a tag name in lower case, without the prefix that XHTML may give it.
  private mutating func tagName() -> String {
    let start = index
    while index < bytes.count, !isSpace(bytes[index]), bytes[index] != 0x3E, bytes[index] != 0x2F { index += 1 }
    let name = String(decoding: bytes[start..<min(index, start + 64)], as: UTF8.self).lowercased()
    return name.split(separator: ":").last.map(String.init) ?? name
  }

  private mutating func attribute() -> (name: String, value: String) {
    let start = index
    repeat {
      index += 1
    } while index < bytes.count && !isSpace(bytes[index]) && ![0x3D, 0x3E, 0x2F].contains(bytes[index])
    let name = String(decoding: bytes[start..<index], as: UTF8.self).lowercased()
    var after = index
    while after < bytes.count, isSpace(bytes[after]) { after += 1 }
    guard after < bytes.count, bytes[after] == 0x3D else { return (name, "") }
    after += 1
    while after < bytes.count, isSpace(bytes[after]) { after += 1 }
    guard after < bytes.count else {
      index = after
      return (name, "")
    }
    let quote = bytes[after]
    if quote == 0x22 || quote == 0x27 {
      let valueStart = after + 1
      var end = valueStart
      while end < bytes.count, bytes[end] != quote { end += 1 }
      index = min(end + 1, bytes.count)
      return (name, CharacterReferences.decode(bytes[valueStart..<end]) ?? "")
    }
    index = after
    while index < bytes.count, !isSpace(bytes[index]), bytes[index] != 0x3E { index += 1 }
    return (name, CharacterReferences.decode(bytes[after..<index]) ?? "")
  }
}
