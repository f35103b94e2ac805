import Documents

/// Pull parser for well-formed XML. It knows the five predefined entities and no document types: a document that
/// needs more is refused.
struct XMLScanner {
  enum Token {
    case start(Element)
    /// End tag with its local name.
    case end(String)
    case text(String)
  }

  /// Start tag; names are local, without their prefix.
  struct Element {
    var name: String
    var attributes: [(prefix: String, name: String, value: String)]

    /// Returns the value of the first attribute of that local name.
    subscript(name: String) -> String? { attributes.first { $0.name == name }?.value }

    /// Returns the value of the attribute of that local name that has a prefix, such as `r:id` next to `id`.
    func qualified(_ name: String) -> String? { attributes.first { $0.name == name && !$0.prefix.isEmpty }?.value }
  }

  static let maximumDepth = 1_000

  private let bytes: [UInt8]
  private var index = 0
  private var open: [String] = []
  private var pendingEnd: String?

  /// - Parameter part: the name of the part, for failures.
  init(_ content: [UInt8], part: String) throws(ReadingFailure) {
    self.part = part
    if content.starts(with: [0xFF, 0xFE]) || content.starts(with: [0xFE, 0xFF]) {
      let decoded = content.withUnsafeBytes { bytes -> Result<DecodedText, ReadingFailure> in
        Result { () throws(ReadingFailure) in try DecodedText(bytes, limit: bytes.count) }
      }
      bytes = try decoded.get().utf8
    } else {
      bytes = content
    }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private let part: String

  private var fault: ReadingFailure { .damaged(detail: "XML in \(part)") }

  /// Returns the next token; nil behind the end of the document.
  mutating func next() throws(ReadingFailure) -> Token? {
    if let name = pendingEnd {
      pendingEnd = nil
      open.removeLast()
      return .end(name)
    }
    while index < bytes.count {
      guard bytes[index] == 0x3C else { return .text(try text()) }
      guard index + 1 < bytes.count else { throw fault }
      switch bytes[index + 1] {
      case UInt8(ascii: "?"): try pass(until: "?>")
      case UInt8(ascii: "!"):
        if starts(with: "<!--") {
          try pass(until: "-->")
        } else if starts(with: "<![CDATA[") {
          let start = index + 9
          try pass(until: "]]>")
          return .text(String(decoding: bytes[start..<max(start, index - 3)], as: UTF8.self))
        } else {
          throw .damaged(detail: "document type in \(part)")
        }
      case UInt8(ascii: "/"): return try end()
      default: return try start()
      }
    }
    guard open.isEmpty else { throw fault }
    return nil
  }

  /// Skips the rest of the element that has just begun.
  mutating func skip() throws(ReadingFailure) {
    let depth = open.count
    while open.count >= depth, try next() != nil {}
  }

  private func starts(with mark: String) -> Bool { bytes[index...].starts(with: mark.utf8) }

  private mutating func pass(until mark: String) throws(ReadingFailure) {
    let mark = Array(mark.utf8)
    while index + mark.count <= bytes.count {
      if bytes[index] == mark[0], bytes[index..<index + mark.count].elementsEqual(mark) {
        index += mark.count
        return
      }
      index += 1
    }
    throw fault
  }

  private mutating func text() throws(ReadingFailure) -> String {
    let start = index
    while index < bytes.count, bytes[index] != 0x3C { index += 1 }
    guard let text = CharacterReferences.decode(bytes[start..<index], isXML: true) else { throw fault }
    return text
  }

  private mutating func end() throws(ReadingFailure) -> Token {
    index += 2
    let name = try self.name()
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x3E, open.last == name.local else { throw fault }
    index += 1
    open.removeLast()
    return .end(name.local)
  }

  private mutating func start() throws(ReadingFailure) -> Token {
    index += 1
    var element = Element(name: try name().local, attributes: [])
    while true {
      skipSpace()
      guard index < bytes.count else { throw fault }
      if bytes[index] == 0x3E {
        index += 1
        break
      }
      if bytes[index] == 0x2F {
        guard index + 1 < bytes.count, bytes[index + 1] == 0x3E else { throw fault }
        index += 2
        pendingEnd = element.name
        break
      }
      element.attributes.append(try attribute())
      if element.attributes.count > 1_000 { throw fault }
    }
    open.append(element.name)
    if open.count > Self.maximumDepth { throw .limit(.nesting, Self.maximumDepth) }
    return .start(element)
  }

  private mutating func attribute() throws(ReadingFailure) -> (prefix: String, name: String, value: String) {
    let name = try name()
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x3D else { throw fault }
    index += 1
    skipSpace()
    guard index < bytes.count, bytes[index] == 0x22 || bytes[index] == 0x27 else { throw fault }
    let quote = bytes[index]
    let start = index + 1
    index = start
    while index < bytes.count, bytes[index] != quote { index += 1 }
    guard index < bytes.count, let value = CharacterReferences.decode(bytes[start..<index], isXML: true) else {
      throw fault
    }
    index += 1
    return (name.prefix, name.local, value)
  }

  private mutating func name() throws(ReadingFailure) -> (prefix: String, local: String) {
    let start = index
    var colon: Int?
    while index < bytes.count, !isDelimiter(bytes[index]) {
      if bytes[index] == 0x3A { colon = index }
      index += 1
    }
    guard index > start, index - start < 1_000 else { throw fault }
    guard let colon else { return ("", String(decoding: bytes[start..<index], as: UTF8.self)) }
    return (
      String(decoding: bytes[start..<colon], as: UTF8.self),
      String(decoding: bytes[(colon + 1)..<index], as: UTF8.self)
    )
  }

  private func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D, 0x2F, 0x3D, 0x3E, 0x3C, 0x22, 0x27: true
    default: false
    }
  }

  private mutating func skipSpace() {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
  }
}
