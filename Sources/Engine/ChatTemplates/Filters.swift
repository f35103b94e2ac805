/// The filters.
enum Filters {
  typealias Filter = @Sendable (Renderer, Value, Arguments) throws(TemplateError) -> Value

  static let named: [String: Filter] = texts.merging(sequences) { $1 }.merging(values) { $1 }

  static func exists(_ name: String) -> Bool { named[name] != nil }

  /// A filter that is a function of a text.
  private static func onText(
    _ call: @escaping @Sendable (Renderer, Text, Arguments) throws(TemplateError) -> Text
  ) -> Filter {
    { renderer, value, arguments throws(TemplateError) in
      let text = try call(renderer, try Representation.text(value, renderer), arguments)
      try renderer.make(text.count)
      return .string(text)
    }
  }

  /// Markup in which text shows as itself.
  static func escaped(_ text: Text, force: Bool = false) -> Text {
    guard !text.isMarkup || force else { return text }
    let replacements: [UInt32: String] = [0x26: "&amp;", 0x3C: "&lt;", 0x3E: "&gt;", 0x27: "&#39;", 0x22: "&#34;"]
    var result = text.mapped { _, scalar in replacements[scalar.value] ?? String(Character(scalar)) }
    result.isMarkup = true
    return result
  }

  private static let texts: [String: Filter] = [
    "upper": onText { _, text, _ in text.uppercased },
    "lower": onText { _, text, _ in text.lowercased },
    "capitalize": onText { _, text, _ in StringMethods.capitalized(text) },
    "title": onText { _, text, _ in titled(text) },
    "trim": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_trim", ["chars"])
      let text = try Representation.text(value, renderer)
      return try StringMethods.named["strip"]?(
        renderer, text, Arguments(positional: [arguments.get(0, "chars") ?? .none])) ?? value
    },
    "string": onText { _, text, _ in text },
    "safe": onText { _, text, _ in Text(units: text.units, isMarkup: true) },
    "escape": onText { _, text, _ in escaped(text) },
    "e": onText { _, text, _ in escaped(text) },
    "forceescape": onText { _, text, _ in escaped(text, force: true) },
    "replace": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_replace", ["old", "new", "count"], required: 2)
      let count = arguments.get(2, "count")
      var limit = -1
      if let count, case .int(let number) = count { limit = number }
      return .string(
        try StringMethods.replaced(
          try Representation.text(value, renderer),
          try Representation.text(arguments.get(0, "old") ?? .none, renderer),
          try Representation.text(arguments.get(1, "new") ?? .none, renderer), limit: limit, renderer))
    },
    "center": { renderer, value, arguments throws(TemplateError) in
      try StringMethods.named["center"]?(
        renderer, try Representation.text(value, renderer),
        Arguments(positional: [arguments.get(0, "width") ?? .int(80)])) ?? value
    },
    "format": { renderer, value, arguments throws(TemplateError) in
      guard arguments.positional.isEmpty || arguments.keywords.isEmpty else {
        throw TemplateError(
          .filterArgument, "can't handle positional and keyword arguments at the same time")
      }
      var argument = Value.tuple(try List(arguments.positional))
      if !arguments.keywords.isEmpty {
        var dict = Dict()
        for (name, value) in arguments.keywords { try dict.set(name, value) }
        argument = .dict(dict)
      }
      return .string(try PercentFormat.format(try Representation.text(value, renderer), argument, renderer))
    },
    "indent": { renderer, value, arguments throws(TemplateError) in try indented(renderer, value, arguments) },
    "truncate": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_truncate", ["length", "killwords", "end", "leeway"])
      let length = try StringMethods.integer(arguments.get(0, "length"), default: 255)
      let end =
        try arguments.get(2, "end").map { value throws(TemplateError) in
          try StringMethods.text(value, "truncate")
        } ?? "..."
      var leeway = 5
      if let value = arguments.get(3, "leeway"), case .int(let number) = value { leeway = number }
      guard length >= end.count else {
        throw TemplateError(.assert, "expected length >= \(end.count), got \(length)")
      }
      guard leeway >= 0 else { throw TemplateError(.assert, "expected leeway >= 0, got \(leeway)") }
      guard try renderer.count(of: value) > length.addingReportingOverflow(leeway).partialValue else {
        return value
      }
      guard case .string(let text) = value else {
        throw TemplateError(.attribute, "'\(value.typeName)' object has no attribute 'rsplit'")
      }
      let cut = text[0..<length - end.count]
      if arguments.get(1, "killwords")?.isTrue ?? false { return .string(cut + end) }
      let space = cut.units.lastIndex { $0 & Text.scalarBits == 0x20 }
      return .string(cut[0..<(space ?? cut.count)] + end)
    },
    "wordwrap": { renderer, value, arguments throws(TemplateError) in
      try WordWrap.filter(renderer, value, arguments)
    },
    "wordcount": { renderer, value, _ throws(TemplateError) in
      let text = try Representation.text(value, renderer)
      try renderer.step(text.count)
      var (count, isInside) = (0, false)
      for unit in text.units {
        let isWord = Text.scalar(unit) == "_" || Text.scalar(unit).properties.isXIDContinue
        if isWord, !isInside { count += 1 }
        isInside = isWord
      }
      return .int(count)
    },
    "striptags": onText { _, text, _ in strippedTags(text) },
    "urlencode": { renderer, value, _ throws(TemplateError) in try urlEncoded(value, renderer) },
    "tojson": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("tojson", ["ensure_ascii", "indent", "separators", "sort_keys"])
      var indent: Text?
      switch arguments.get(1, "indent") {
      case .int(let width):
        try renderer.make(max(0, width))
        indent = Text(units: [UInt32](repeating: 0x20, count: max(0, width)))
      case .bool(let flag): indent = flag ? " " : ""
      case .string(let text): indent = text
      default: break
      }
      var separators: (item: Text, key: Text)?
      if let value = arguments.get(2, "separators"), value.isTrue {
        let parts = try renderer.elements(of: value)
        guard parts.count == 2, case .string(let item) = parts[0], case .string(let key) = parts[1] else {
          throw TemplateError(.value, "separators must be a pair of strings")
        }
        separators = (item, key)
      }
      return .string(
        try JSONWriter.text(
          value, renderer, isASCII: arguments.get(0, "ensure_ascii")?.isTrue ?? false, indent: indent,
          separators: separators, sortsKeys: arguments.get(3, "sort_keys")?.isTrue ?? false))
    },
    "xmlattr": { renderer, value, arguments throws(TemplateError) in
      let dict = try mapping(value)
      var parts: [Text] = []
      for (key, item) in zip(dict.keys, dict.values) {
        switch item {
        case .none, .undefined: continue
        default:
          let text = escaped(try Representation.text(item, renderer))
          parts.append(escaped(try Representation.text(key, renderer)) + Text("=\"") + text + Text("\""))
        }
      }
      let joined = try StringMethods.joined(parts, by: " ", renderer)
      let needsSpace = arguments.get(0, "autospace")?.isTrue ?? true
      return .string(needsSpace && !joined.isEmpty ? Text(" ") + joined : joined)
    },
    "pprint": { renderer, value, _ throws(TemplateError) in .string(try Representation.full(value, renderer)) },
  ]

  private static func titled(_ text: Text) -> Text {
    let ends = Set("-({[<".unicodeScalars.map(\.value))
    var startsWord = true
    return text.mapped { _, scalar in
      defer { startsWord = ends.contains(scalar.value) || Text.isSpace(scalar.value) }
      if startsWord { return scalar.properties.uppercaseMapping }
      return scalar.properties.lowercaseMapping
    }
  }

  private static func indented(
    _ renderer: Renderer, _ value: Value, _ arguments: Arguments
  ) throws(TemplateError) -> Value {
    try arguments.check("do_indent", ["width", "first", "blank"])
    guard case .string(let text) = value else {
      if case .undefined(let undefined) = value { throw undefined.error }
      throw TemplateError(
        .type, "unsupported operand type(s) for +=: '\(value.typeName)' and 'str'")
    }
    var indentation: Text
    switch arguments.get(0, "width") {
    case .string(let text): indentation = text
    case let width:
      let count = max(0, try StringMethods.integer(width, default: 4))
      try renderer.make(count)
      indentation = Text(units: [UInt32](repeating: 0x20, count: count))
    }
    let first = arguments.get(1, "first")?.isTrue ?? false
    let blank = arguments.get(2, "blank")?.isTrue ?? false
    var lines = StringMethods.lines(text + Text("\n"))
    try renderer.make(text.count + indentation.count * lines.count)
    for index in lines.indices where index == 0 ? first : (blank || !lines[index].isEmpty) {
      lines[index] = indentation + lines[index]
    }
    var result = try StringMethods.joined(lines, by: "\n", renderer)
    result.isMarkup = text.isMarkup
    return .string(result)
  }

  private static func strippedTags(_ text: Text) -> Text {
    var result = Text()
    var position = 0
    while position < text.count {
      if text.hasPrefix("<!--", at: position), let end = text.firstIndex(of: "-->", from: position) {
        position = end + 3
      } else if text.value(at: position) == 0x3C, let end = text.firstIndex(of: ">", from: position) {
        position = end + 1
      } else {
        result.units.append(text.units[position])
        position += 1
      }
    }
    for (entity, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#34;", "\""), ("&#39;", "'"), ("&nbsp;", "\u{A0}"),
      ("&amp;", "&"),
    ] {
      var unescaped = Text()
      var start = 0
      while let found = result.firstIndex(of: Text(entity), from: start) {
        unescaped.units += result.units[start..<found]
        unescaped += character
        start = found + entity.utf8.count
      }
      result = unescaped + result[start..<result.count]
    }
    var words = Text()
    var isFirst = true
    var word = Text()
    for unit in result.units + [0x20] {
      if Text.isSpace(unit) {
        if !word.isEmpty {
          if !isFirst { words += " " }
          words += word
          isFirst = false
          word = Text()
        }
      } else {
        word.units.append(unit)
      }
    }
    return words
  }

  private static func urlEncoded(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> Value {
    func quoted(_ value: Value, keepsSlash: Bool) throws(TemplateError) -> Text {
      let text = try Representation.text(value, renderer)
      try renderer.make(text.count * 3)
      return text.mapped { _, scalar in
        let isSafe =
          scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
          || "_.-~".unicodeScalars.contains(scalar) || keepsSlash && scalar == "/"
        if isSafe { return String(Character(scalar)) }
        if !keepsSlash, scalar == " " { return "+" }
        return String(Character(scalar)).utf8.map { "%" + Representation.hexadecimal(UInt32($0), 2).uppercased() }
          .joined()
      }
    }
    let pairs: [Value]
    switch value {
    case .dict(let dict): pairs = try dict.pairs()
    case .list(let list), .tuple(let list): pairs = list.elements
    default: return .string(try quoted(value, keepsSlash: true))
    }
    var parts: [Text] = []
    for pair in pairs {
      let sides = try renderer.elements(of: pair)
      guard sides.count == 2 else {
        throw TemplateError(.value, "not enough values to unpack (expected 2, got \(sides.count))")
      }
      parts.append(try quoted(sides[0], keepsSlash: false) + Text("=") + (try quoted(sides[1], keepsSlash: false)))
    }
    return .string(try StringMethods.joined(parts, by: "&", renderer))
  }
}
