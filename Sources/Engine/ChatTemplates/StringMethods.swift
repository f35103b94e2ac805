/// The methods of strings.
enum StringMethods {
  typealias Method = @Sendable (Renderer, Text, Arguments) throws(TemplateError) -> Value

  static let named: [String: Method] = changes.merging(searches) { $1 }.merging(questions) { $1 }

  /// An argument that is a string.
  static func text(_ value: Value?, _ function: String) throws(TemplateError) -> Text {
    guard case .string(let text) = value else {
      throw TemplateError(.type, "\(function)() argument must be str, not \(value?.typeName ?? "nothing")")
    }
    return text
  }

  /// An argument that is a whole number.
  static func integer(_ value: Value?, default fallback: Int? = nil) throws(TemplateError) -> Int {
    switch value {
    case .int(let number): return number
    case .bool(let flag): return flag ? 1 : 0
    case nil:
      if let fallback { return fallback }
      throw TemplateError(.type, "a required argument is missing")
    case let value?:
      throw TemplateError(.type, "'\(value.typeName)' object cannot be interpreted as an integer")
    }
  }

  private static func isNone(_ value: Value?) -> Bool {
    switch value {
    case nil, .some(.none): true
    default: false
    }
  }

  private static let changes: [String: Method] = [
    "upper": { renderer, text, _ throws(TemplateError) in .string(try made(text.uppercased, renderer)) },
    "lower": { renderer, text, _ throws(TemplateError) in .string(try made(text.lowercased, renderer)) },
    "casefold": { renderer, text, _ throws(TemplateError) in
      .string(try made(text.mapped { _, scalar in folded(scalar) }, renderer))
    },
    "capitalize": { renderer, text, _ throws(TemplateError) in .string(try made(capitalized(text), renderer)) },
    "title": { renderer, text, _ throws(TemplateError) in .string(try made(titled(text), renderer)) },
    "swapcase": { renderer, text, _ throws(TemplateError) in
      .string(
        try made(
          text.mapped { index, scalar in
            scalar.properties.isUppercase ? text.lowercaseMapping(at: index) : scalar.properties.uppercaseMapping
          }, renderer))
    },
    "strip": { renderer, text, arguments throws(TemplateError) in
      try stripped(renderer, text, arguments, "strip", left: true, right: true)
    },
    "lstrip": { renderer, text, arguments throws(TemplateError) in
      try stripped(renderer, text, arguments, "lstrip", left: true, right: false)
    },
    "rstrip": { renderer, text, arguments throws(TemplateError) in
      try stripped(renderer, text, arguments, "rstrip", left: false, right: true)
    },
    "removeprefix": { _, text, arguments throws(TemplateError) in
      let prefix = try StringMethods.text(arguments.get(0, "prefix"), "removeprefix")
      return .string(text.hasPrefix(prefix) ? text[prefix.count..<text.count] : text)
    },
    "removesuffix": { _, text, arguments throws(TemplateError) in
      let suffix = try StringMethods.text(arguments.get(0, "suffix"), "removesuffix")
      return .string(text.hasSuffix(suffix) && !suffix.isEmpty ? text[0..<text.count - suffix.count] : text)
    },
    "replace": { renderer, text, arguments throws(TemplateError) in
      guard arguments.positional.count >= 2 else {
        throw TemplateError(.type, "replace expected at least 2 arguments, got \(arguments.positional.count)")
      }
      for (index, value) in arguments.positional.prefix(2).enumerated() {
        guard case .string = value else {
          throw TemplateError(.type, "replace() argument \(index + 1) must be str, not \(value.typeName)")
        }
      }
      let limit = try integer(arguments.get(2, "count"), default: -1)
      return .string(
        try replaced(
          text, try StringMethods.text(arguments.positional[0], "replace"),
          try StringMethods.text(arguments.positional[1], "replace"),
          limit: limit, renderer))
    },
    "center": { renderer, text, arguments throws(TemplateError) in
      let missing = max(0, try integer(arguments.get(0, "width")) - text.count)
      let left = missing / 2 + (missing & (missing + text.count) & 1)
      return try padded(renderer, text, arguments, left: left, right: missing - left)
    },
    "ljust": { renderer, text, arguments throws(TemplateError) in
      try padded(
        renderer, text, arguments, left: 0, right: max(0, try integer(arguments.get(0, "width")) - text.count))
    },
    "rjust": { renderer, text, arguments throws(TemplateError) in
      try padded(
        renderer, text, arguments, left: max(0, try integer(arguments.get(0, "width")) - text.count), right: 0)
    },
    "zfill": { renderer, text, arguments throws(TemplateError) in
      let missing = max(0, try integer(arguments.get(0, "width")) - text.count)
      try renderer.make(missing + text.count)
      let hasSign = !text.isEmpty && (text.value(at: 0) == 0x2B || text.value(at: 0) == 0x2D)
      let sign = text[0..<(hasSign ? 1 : 0)]
      return .string(
        sign + Text(units: [UInt32](repeating: 0x30, count: missing)) + text[sign.count..<text.count])
    },
    "expandtabs": { renderer, text, arguments throws(TemplateError) in
      let size = try integer(arguments.get(0, "tabsize"), default: 8)
      var result = Text()
      var column = 0
      for unit in text.units {
        switch unit & Text.scalarBits {
        case 0x09:
          let width = size > 0 ? size - column % size : 0
          try renderer.make(width)
          result.units += [UInt32](repeating: 0x20, count: width)
          column += width
        case 0x0A, 0x0D:
          result.units.append(unit)
          column = 0
        default:
          result.units.append(unit)
          column += 1
        }
      }
      return .string(result)
    },
    "join": { renderer, text, arguments throws(TemplateError) in
      guard let sequence = arguments.positional.first else {
        throw TemplateError(.type, "str.join() takes exactly one argument (0 given)")
      }
      switch sequence {
      case .none, .bool, .int, .float, .namespace, .macro, .function:
        throw TemplateError(.type, "can only join an iterable")
      default: break
      }
      var parts: [Text] = []
      for (index, value) in try renderer.elements(of: sequence).enumerated() {
        guard case .string(let part) = value else {
          throw TemplateError(.type, "sequence item \(index): expected str instance, \(value.typeName) found")
        }
        parts.append(part)
      }
      return .string(try joined(parts, by: text, renderer))
    },
    "format": { renderer, text, arguments throws(TemplateError) in
      .string(try BraceFormat.format(text, arguments, renderer))
    },
    "format_map": { renderer, text, arguments throws(TemplateError) in
      guard case .dict(let dict)? = arguments.positional.first else {
        throw TemplateError(.type, "format_map() takes exactly one argument (\(arguments.positional.count) given)")
      }
      var keywords = Arguments()
      for (key, value) in zip(dict.keys, dict.values) {
        if case .string(let name) = key { keywords.keywords.append((name.string, value)) }
      }
      return .string(try BraceFormat.format(text, keywords, renderer))
    },
    "encode": { _, _, _ throws(TemplateError) in throw TemplateError(.security, "bytes are not available") },
    "translate": { _, text, _ in .string(text) },
    "maketrans": { _, _, _ in .dict(Dict()) },
  ]

  /// The full case folding of a scalar, but for rare forms.
  private static func folded(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "ß", "ẞ": "ss"
    case "ς": "σ"
    case "ſ": "s"
    default: scalar.properties.lowercaseMapping
    }
  }

  /// Methods that take nothing.
  private static let bare: Set<String> = [
    "upper", "lower", "casefold", "capitalize", "title", "swapcase", "isspace", "isalpha", "isalnum", "isdigit",
    "isdecimal", "isnumeric", "isascii", "isprintable", "isidentifier", "islower", "isupper", "istitle",
  ]

  /// Calls a method, or nil where strings have none of that name.
  static func function(_ name: String, of text: Text) -> Function? {
    guard let method = named[name] else { return nil }
    return Function(name) { renderer, arguments throws(TemplateError) in
      if bare.contains(name), !arguments.positional.isEmpty || !arguments.keywords.isEmpty {
        throw TemplateError(.type, "str.\(name)() takes no arguments (\(arguments.positional.count) given)")
      }
      return try method(renderer, text, arguments)
    }
  }

  private static func made(_ text: Text, _ renderer: Renderer) throws(TemplateError) -> Text {
    try renderer.make(text.count)
    return text
  }

  static func capitalized(_ text: Text) -> Text {
    let lower = text.lowercased
    guard !text.isEmpty else { return lower }
    return text[0..<1].mapped { _, scalar in scalar.properties.titlecaseMapping } + text[1..<text.count].lowercased
  }

  private static func titled(_ text: Text) -> Text {
    var followsCased = false
    return text.mapped { index, scalar in
      defer { followsCased = scalar.properties.isCased }
      return followsCased ? text.lowercaseMapping(at: index) : scalar.properties.titlecaseMapping
    }
  }

  private static func stripped(
    _ renderer: Renderer, _ text: Text, _ arguments: Arguments, _ name: String, left: Bool, right: Bool
  ) throws(TemplateError) -> Value {
    let characters = arguments.get(0, "chars")
    try renderer.make(text.count)
    if isNone(characters) { return .string(text.trimmed(left: left, right: right)) }
    guard case .string(let set) = characters else {
      throw TemplateError(.type, "\(name) arg must be None or str")
    }
    try renderer.step(set.count)
    let members = Set(set.units.map { $0 & Text.scalarBits })
    return .string(text.trimmed(left: left, right: right) { members.contains($0 & Text.scalarBits) })
  }

  private static func padded(
    _ renderer: Renderer, _ text: Text, _ arguments: Arguments, left: Int, right: Int
  ) throws(TemplateError) -> Value {
    var fill = Text(" ")
    if let value = arguments.get(1, "fillchar") { fill = try StringMethods.text(value, "center") }
    guard fill.count == 1 else {
      throw TemplateError(.type, "The fill character must be exactly one character long")
    }
    try renderer.make(left)
    try renderer.make(right + text.count)
    let pad = { (count: Int) in Text(units: [UInt32](repeating: fill.units[0], count: count)) }
    var result = pad(left) + text + pad(right)
    result.isMarkup = text.isMarkup
    return .string(result)
  }

  static func joined(_ parts: [Text], by separator: Text, _ renderer: Renderer) throws(TemplateError) -> Text {
    var total = 0
    for part in parts { total += part.count + separator.count }
    try renderer.make(total)
    var result = Text()
    result.units.reserveCapacity(total)
    for (index, part) in parts.enumerated() {
      if index > 0 { result += separator }
      result += part
    }
    return result
  }

  static func replaced(
    _ text: Text, _ old: Text, _ new: Text, limit: Int, _ renderer: Renderer
  ) throws(TemplateError) -> Text {
    try renderer.make(text.count)
    var result = Text(isMarkup: text.isMarkup)
    var position = 0
    var left = limit < 0 ? Int.max : limit
    if old.isEmpty {
      while left > 0, position <= text.count {
        try renderer.make(new.count)
        result += new
        if position < text.count { result.units.append(text.units[position]) }
        position += 1
        left -= 1
      }
      if position < text.count { result.units += text.units[position...] }
      return result
    }
    while left > 0, let found = text.firstIndex(of: old, from: position) {
      try renderer.make(new.count)
      result.units += text.units[position..<found]
      result += new
      position = found + old.count
      left -= 1
    }
    result.units += text.units[position...]
    return result
  }

  /// `islower` and `isupper`.
  static func isCased(_ text: Text, upper: Bool) -> Bool {
    var isAny = false
    for unit in text.units {
      let properties = Text.scalar(unit).properties
      if upper ? properties.isLowercase : properties.isUppercase { return false }
      if properties.generalCategory == .titlecaseLetter { return false }
      if upper ? properties.isUppercase : properties.isLowercase { isAny = true }
    }
    return isAny
  }
}
