import ChatTemplates

/// Reads calls written as Python: `search(query="x", top=3)`, `[a(), b(1)]`, `print(search(…))`.
struct PythonCall {
  private let bytes: [UInt8]
  private var place = 0
  private let names: CallNames

  private init(_ text: some StringProtocol, _ names: CallNames) {
    bytes = Array(text.utf8)
    self.names = names
  }

  /// The calls of a text, or nil where it is something else.
  static func read(_ text: some StringProtocol, names: CallNames) -> [ToolCall]? {
    var reader = PythonCall(text, names)
    return reader.calls()
  }

  private var current: UInt8? { place < bytes.count ? bytes[place] : nil }

  private mutating func skip(_ characters: String) {
    while let byte = current, characters.utf8.contains(byte) { place += 1 }
  }

  private mutating func calls() -> [ToolCall]? {
    skip(" \n\r\t[")
    var calls: [ToolCall] = []
    while current != nil {
      guard let call = call(depth: 0) else { return calls.isEmpty ? nil : calls }
      calls += call
      skip(" \n\r\t,;]")
    }
    return calls.isEmpty ? nil : calls
  }

  private mutating func identifier() -> String {
    let start = place
    while let byte = current,
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
    {
      place += 1
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func call(depth: Int) -> [ToolCall]? {
    guard depth < 4 else { return nil }
    let start = place
    var name = identifier()
    skip(" ")
    // `result = search(…)`
    if current == UInt8(ascii: "="), !name.isEmpty {
      place += 1
      skip(" ")
      name = identifier()
      skip(" ")
    }
    guard !name.isEmpty, current == UInt8(ascii: "(") else {
      place = start
      return nil
    }
    place += 1
    if name == "print" || name == "await" {
      skip(" \n")
      let inner = call(depth: depth + 1)
      skip(" \n)")
      return inner
    }
    if name.hasSuffix(".call") { name.removeLast(5) }
    return [names.call(name, arguments())]
  }

  private mutating func arguments() -> TemplateValue {
    var named: [TemplateValue.Member] = []
    var byPlace: [TemplateValue] = []
    while true {
      skip(" \n\r\t,")
      guard let byte = current else { break }
      if byte == UInt8(ascii: ")") {
        place += 1
        break
      }
      let start = place
      let key = identifier()
      skip(" ")
      if !key.isEmpty, current == UInt8(ascii: "="), place + 1 < bytes.count, bytes[place + 1] != UInt8(ascii: "=")
      {
        place += 1
        skip(" ")
        guard let value = value() else { break }
        named.append(.init(key, value))
      } else {
        place = start
        guard let value = value() else { break }
        byPlace.append(value)
      }
      if place == start { break }
    }
    if named.isEmpty, byPlace.count == 1, case .object = byPlace[0] { return byPlace[0] }
    return .object(byPlace.enumerated().map { .init("\($0.offset)", $0.element) } + named)
  }

  private mutating func value() -> TemplateValue? {
    guard let reading = LenientJSON.read(bytes, at: place) else { return nil }
    place = reading.end
    return reading.value
  }
}
