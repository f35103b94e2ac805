/// Python's `json.dumps`.
struct JSONWriter {
  var isASCII = false
  /// Indentation of a level; nil keeps everything on one line.
  var indent: Text?
  var itemSeparator: Text
  var keySeparator: Text = ": "
  var sortsKeys = false
  private let renderer: Renderer
  private var result = Text()

  static func text(
    _ value: Value, _ renderer: Renderer, isASCII: Bool, indent: Text?, separators: (item: Text, key: Text)?,
    sortsKeys: Bool
  ) throws(TemplateError) -> Text {
    var writer = JSONWriter(itemSeparator: indent == nil ? ", " : ",", renderer: renderer)
    writer.isASCII = isASCII
    writer.indent = indent
    if let separators { (writer.itemSeparator, writer.keySeparator) = separators }
    writer.sortsKeys = sortsKeys
    try writer.write(value, level: 0)
    return writer.result
  }

  private init(itemSeparator: Text, renderer: Renderer) {
    self.itemSeparator = itemSeparator
    self.renderer = renderer
  }

  private mutating func write(_ value: Value, level: Int) throws(TemplateError) {
    try renderer.step()
    switch value {
    case .none: result += "null"
    case .bool(let flag): result += flag ? "true" : "false"
    case .int(let number): result += String(number)
    case .float(let number): result += Self.text(number)
    case .string(let text): try write(text)
    case .list(let list), .tuple(let list):
      guard !list.elements.isEmpty else {
        result += "[]"
        return
      }
      result += "["
      for (index, element) in list.elements.enumerated() {
        if index > 0 { result += itemSeparator }
        try newline(level + 1)
        try write(element, level: level + 1)
      }
      try newline(level)
      result += "]"
    case .dict(let dict): try write(dict, level: level)
    default: throw TemplateError(.type, "Object of type \(value.typeName) is not JSON serializable")
    }
  }

  private mutating func write(_ dict: Dict, level: Int) throws(TemplateError) {
    guard dict.count > 0 else {
      result += "{}"
      return
    }
    var members = Array(zip(dict.keys, dict.values))
    if sortsKeys {
      var keyed: [(key: Value, value: Value)] = []
      for (index, member) in members.enumerated() { keyed.append((member.0, .int(index))) }
      let order = try renderer.sorted(keyed, reverse: false)
      members = order.compactMap { if case .int(let index) = $0 { members[index] } else { nil } }
    }
    result += "{"
    for (index, (key, value)) in members.enumerated() {
      if index > 0 { result += itemSeparator }
      try newline(level + 1)
      switch key {
      case .string(let text): try write(text)
      case .none: result += "\"null\""
      case .bool(let flag): result += flag ? "\"true\"" : "\"false\""
      case .int(let number): result += "\"\(number)\""
      case .float(let number): result += "\"\(Self.text(number))\""
      default:
        throw TemplateError(
          .type, "keys must be str, int, float, bool or None, not \(key.typeName)")
      }
      result += keySeparator
      try write(value, level: level + 1)
    }
    try newline(level)
    result += "}"
  }

  private mutating func newline(_ level: Int) throws(TemplateError) {
    try renderer.make(4)
    guard let indent else { return }
    try renderer.make(indent.count * level + 1)
    result += "\n"
    for _ in 0..<level { result += indent }
  }

  private static func text(_ number: Double) -> String {
    if number.isNaN { return "NaN" }
    if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
    return Numbers.text(number)
  }

  private mutating func write(_ text: Text) throws(TemplateError) {
    try renderer.make(text.count + 2)
    result += "\""
    for unit in text.units {
      let mark = unit & Text.outside
      func escape(_ text: String) -> [UInt32] { text.unicodeScalars.map { $0.value | mark } }
      switch unit & Text.scalarBits {
      case 0x22: result.units += escape("\\\"")
      case 0x5C: result.units += escape("\\\\")
      case 0x0A: result.units += escape("\\n")
      case 0x0D: result.units += escape("\\r")
      case 0x09: result.units += escape("\\t")
      case 0x0C: result.units += escape("\\f")
      case 0x08: result.units += escape("\\b")
      case let value where value < 0x20:
        result.units += escape("\\u" + Representation.hexadecimal(value, 4))
      case let value where isASCII && value > 0x7E:
        for unit in String(Text.scalar(value)).utf16 {
          result.units += escape("\\u" + Representation.hexadecimal(UInt32(unit), 4))
        }
      default: result.units.append(unit)
      }
    }
    result += "\""
  }
}
