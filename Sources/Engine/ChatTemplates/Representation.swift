/// Values written as in Python: `str` and `repr`.
struct Representation {
  private let renderer: Renderer
  private var result = Text()

  private init(_ renderer: Renderer) { self.renderer = renderer }

  /// `str(value)`.
  static func text(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
    switch value {
    case .string(let text): return text
    case .undefined: return Text()
    default:
      var representation = Representation(renderer)
      try representation.write(value)
      return representation.result
    }
  }

  /// `repr(value)`.
  static func full(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
    var representation = Representation(renderer)
    try representation.write(value)
    return representation.result
  }

  private mutating func write(_ value: Value) throws(TemplateError) {
    try renderer.step()
    switch value {
    case .undefined: result += "Undefined"
    case .none: result += "None"
    case .bool(let value): result += value ? "True" : "False"
    case .int(let value): result += String(value)
    case .float(let value): result += Numbers.text(value)
    case .string(let text):
      let quoted = Self.quoted(text)
      try renderer.make(quoted.count)
      result += text.isMarkup ? Text("Markup(") + quoted + Text(")") : quoted
    case .list(let list): try write(list.elements, open: "[", close: "]")
    case .tuple(let list): try write(list.elements, open: "(", close: list.elements.count == 1 ? ",)" : ")")
    case .dict(let dict): try write(dict)
    case .view(let view):
      result += view.part.rawValue
      try write(try view.elements(), open: "([", close: "])")
    case .range(let range):
      result += "range(\(range.start), \(range.stop)" + (range.step == 1 ? ")" : ", \(range.step))")
    case .generator: result += "<generator object>"
    case .namespace(let namespace):
      result += "<Namespace "
      try renderer.nested { () throws(TemplateError) in try write(namespace.attributes) }
      result += ">"
    case .loop(let loop): result += "<LoopContext \(loop.index)/\(try loop.length())>"
    case .macro(let macro): result += "<Macro '\(macro.definition.name)'>"
    case .function(let function): result += "<function \(function.name)>"
    }
  }

  private mutating func write(_ elements: [Value], open: String, close: String) throws(TemplateError) {
    result += open
    for (index, element) in elements.enumerated() {
      if index > 0 { result += ", " }
      try write(element)
    }
    result += close
    try renderer.make(elements.count * 2)
  }

  private mutating func write(_ dict: Dict) throws(TemplateError) {
    result += "{"
    for (index, (key, value)) in zip(dict.keys, dict.values).enumerated() {
      if index > 0 { result += ", " }
      try write(key)
      result += ": "
      try write(value)
    }
    result += "}"
  }

  /// `repr` of a string.
  static func quoted(_ text: Text) -> Text {
    let hasSingle = text.units.contains { $0 & Text.scalarBits == 0x27 }
    let hasDouble = text.units.contains { $0 & Text.scalarBits == 0x22 }
    let quote: UInt32 = hasSingle && !hasDouble ? 0x22 : 0x27
    var result = Text(units: [quote])
    for unit in text.units {
      let mark = unit & Text.outside
      func append(_ text: String) { result.units.append(contentsOf: text.unicodeScalars.map { $0.value | mark }) }
      switch unit & Text.scalarBits {
      case quote: append("\\" + String(Text.scalar(quote)))
      case 0x5C: append("\\\\")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case let value where isPrintable(value): result.units.append(unit)
      case let value where value < 0x100: append("\\x" + hexadecimal(value, 2))
      case let value where value < 0x1_0000: append("\\u" + hexadecimal(value, 4))
      case let value: append("\\U" + hexadecimal(value, 8))
      }
    }
    result.units.append(quote)
    return result
  }

  static func hexadecimal(_ value: UInt32, _ width: Int) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// `str.isprintable` of one scalar.
  static func isPrintable(_ value: UInt32) -> Bool {
    if value < 0x7F { return value >= 0x20 }
    switch Text.scalar(value).properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
      .spaceSeparator:
      return false
    default: return true
    }
  }
}

extension Value {
  /// The name of the type in Python.
  var typeName: String {
    switch self {
    case .undefined: "Undefined"
    case .none: "NoneType"
    case .bool: "bool"
    case .int: "int"
    case .float: "float"
    case .string(let text): text.isMarkup ? "Markup" : "str"
    case .list: "list"
    case .tuple: "tuple"
    case .dict: "dict"
    case .view(let view): view.part.rawValue
    case .range: "range"
    case .generator: "generator"
    case .namespace: "Namespace"
    case .loop: "LoopContext"
    case .macro: "Macro"
    case .function: "function"
    }
  }

  /// Name of the value in messages about missing attributes.
  var objectName: String {
    switch self {
    case .none: "None"
    case .namespace: "jinja2.utils.Namespace object"
    case .loop: "jinja2.runtime.LoopContext object"
    case .macro: "jinja2.runtime.Macro object"
    case .string(let text) where text.isMarkup: "markupsafe.Markup object"
    default: "\(typeName) object"
    }
  }

  /// Indicates whether the value counts as true.
  var isTrue: Bool {
    switch self {
    case .undefined, .none: false
    case .bool(let value): value
    case .int(let value): value != 0
    case .float(let value): value != 0
    case .string(let text): !text.isEmpty
    case .list(let list), .tuple(let list): !list.elements.isEmpty
    case .dict(let dict): dict.count > 0
    case .view(let view): view.dict.count > 0
    case .range(let range): range.count > 0
    case .loop(let loop): ((try? loop.length()) ?? 1) > 0  // What fails here fails again where it is used.
    case .generator, .namespace, .macro, .function: true
    }
  }
}
