extension StringMethods {
  static let searches: [String: Method] = [
    "split": { renderer, text, arguments throws(TemplateError) in
      try split(renderer, text, arguments, fromEnd: false)
    },
    "rsplit": { renderer, text, arguments throws(TemplateError) in
      try split(renderer, text, arguments, fromEnd: true)
    },
    "splitlines": { renderer, text, arguments throws(TemplateError) in
      try renderer.make(text.count)
      let keepsEnds = arguments.get(0, "keepends")?.isTrue ?? false
      return .list(try List(lines(text, keepsEnds: keepsEnds).map { .string($0) }))
    },
    "partition": { _, text, arguments throws(TemplateError) in
      let separator = try separator(arguments, "partition")
      guard let place = text.firstIndex(of: separator) else {
        return .tuple(try List([.string(text), .text(""), .text("")]))
      }
      return .tuple(
        try List([
          .string(text[0..<place]), .string(separator), .string(text[place + separator.count..<text.count]),
        ]))
    },
    "rpartition": { _, text, arguments throws(TemplateError) in
      let separator = try separator(arguments, "rpartition")
      guard let place = text.lastIndex(of: separator) else {
        return .tuple(try List([.text(""), .text(""), .string(text)]))
      }
      return .tuple(
        try List([
          .string(text[0..<place]), .string(separator), .string(text[place + separator.count..<text.count]),
        ]))
    },
    "startswith": { _, text, arguments throws(TemplateError) in
      .bool(try affixes(arguments, "startswith").contains { StringMethods.window(text, arguments).hasPrefix($0) })
    },
    "endswith": { _, text, arguments throws(TemplateError) in
      .bool(try affixes(arguments, "endswith").contains { StringMethods.window(text, arguments).hasSuffix($0) })
    },
    "find": { renderer, text, arguments throws(TemplateError) in
      .int(try find(renderer, text, arguments, "find", last: false) ?? -1)
    },
    "rfind": { renderer, text, arguments throws(TemplateError) in
      .int(try find(renderer, text, arguments, "rfind", last: true) ?? -1)
    },
    "index": { renderer, text, arguments throws(TemplateError) in
      guard let place = try find(renderer, text, arguments, "index", last: false) else {
        throw TemplateError(.value, "substring not found")
      }
      return .int(place)
    },
    "rindex": { renderer, text, arguments throws(TemplateError) in
      guard let place = try find(renderer, text, arguments, "rindex", last: true) else {
        throw TemplateError(.value, "substring not found")
      }
      return .int(place)
    },
    "count": { renderer, text, arguments throws(TemplateError) in
      let part = try StringMethods.text(arguments.get(0, "sub"), "count")
      try renderer.step(text.count / 16)
      let text = window(text, arguments)
      guard !part.isEmpty else { return .int(text.count + 1) }
      var (count, position) = (0, 0)
      while let found = text.firstIndex(of: part, from: position) {
        count += 1
        position = found + part.count
      }
      return .int(count)
    },
  ]

  private static func separator(_ arguments: Arguments, _ name: String) throws(TemplateError) -> Text {
    let separator = try text(arguments.get(0, "sep"), name)
    guard !separator.isEmpty else { throw TemplateError(.value, "empty separator") }
    return separator
  }

  private static func affixes(_ arguments: Arguments, _ name: String) throws(TemplateError) -> [Text] {
    switch arguments.get(0, "prefix") {
    case .string(let text): return [text]
    case .tuple(let list):
      var texts: [Text] = []
      for element in list.elements {
        guard case .string(let text) = element else {
          throw TemplateError(.type, "tuple for \(name) must only contain str, not \(element.typeName)")
        }
        texts.append(text)
      }
      return texts
    case let value:
      throw TemplateError(
        .type, "\(name) first arg must be str or a tuple of str, not \(value?.typeName ?? "nothing")")
    }
  }

  private static func bounds(_ text: Text, _ arguments: Arguments) -> Range<Int> {
    func bound(_ index: Int, _ fallback: Int) -> Int {
      guard case .int(let number)? = arguments.get(index, "") else { return fallback }
      return min(text.count, number < 0 ? max(0, number + text.count) : number)
    }
    let start = bound(1, 0)
    return start..<max(start, bound(2, text.count))
  }

  private static func window(_ text: Text, _ arguments: Arguments) -> Text {
    arguments.positional.count < 2 ? text : text[bounds(text, arguments)]
  }

  private static func find(
    _ renderer: Renderer, _ text: Text, _ arguments: Arguments, _ name: String, last: Bool
  ) throws(TemplateError) -> Int? {
    let part = try StringMethods.text(arguments.get(0, "sub"), name)
    try renderer.step(text.count / 16)
    let window = bounds(text, arguments)
    let found = last ? text[window].lastIndex(of: part) : text[window].firstIndex(of: part)
    return found.map { $0 + window.lowerBound }
  }

  /// Lines without the end that the last may have.
  static func lines(_ text: Text, keepsEnds: Bool = false) -> [Text] {
    var lines: [Text] = []
    var (start, position) = (0, 0)
    while position < text.count {
      guard Text.isLineEnd(text.units[position]) else {
        position += 1
        continue
      }
      let end = position
      position += 1
      if text.value(at: end) == 0x0D, position < text.count, text.value(at: position) == 0x0A { position += 1 }
      lines.append(text[start..<(keepsEnds ? position : end)])
      start = position
    }
    if start < text.count { lines.append(text[start..<text.count]) }
    return lines
  }

  private static func split(
    _ renderer: Renderer, _ text: Text, _ arguments: Arguments, fromEnd: Bool
  ) throws(TemplateError) -> Value {
    try arguments.check(fromEnd ? "rsplit" : "split", ["sep", "maxsplit"])
    let limit = try integer(arguments.get(1, "maxsplit"), default: -1)
    let most = limit < 0 ? Int.max : limit
    try renderer.make(text.count)
    try renderer.step(text.count / 16)
    let parts: [Text]
    switch arguments.get(0, "sep") {
    case nil, .some(.none): parts = words(text, most: most, fromEnd: fromEnd)
    case .string(let separator):
      guard !separator.isEmpty else { throw TemplateError(.value, "empty separator") }
      parts = pieces(text, separator, most: most, fromEnd: fromEnd)
    case let value?: throw TemplateError(.type, "must be str or None, not \(value.typeName)")
    }
    try renderer.step(parts.count)
    return .list(try List(parts.map { .string($0) }))
  }

  private static func pieces(_ text: Text, _ separator: Text, most: Int, fromEnd: Bool) -> [Text] {
    var parts: [Text] = []
    if fromEnd {
      var end = text.count
      while parts.count < most, let found = text.lastIndex(of: separator, upTo: end) {
        parts.append(text[found + separator.count..<end])
        end = found
      }
      return (parts + [text[0..<end]]).reversed()
    }
    var start = 0
    while parts.count < most, let found = text.firstIndex(of: separator, from: start) {
      parts.append(text[start..<found])
      start = found + separator.count
    }
    return parts + [text[start..<text.count]]
  }

  private static func words(_ text: Text, most: Int, fromEnd: Bool) -> [Text] {
    var parts: [Text] = []
    if fromEnd {
      var end = text.count
      while true {
        while end > 0, Text.isSpace(text.units[end - 1]) { end -= 1 }
        guard end > 0 else { break }
        if parts.count == most {
          parts.append(text[0..<end])
          break
        }
        var start = end
        while start > 0, !Text.isSpace(text.units[start - 1]) { start -= 1 }
        parts.append(text[start..<end])
        end = start
      }
      return parts.reversed()
    }
    var start = 0
    while true {
      while start < text.count, Text.isSpace(text.units[start]) { start += 1 }
      guard start < text.count else { break }
      if parts.count == most {
        parts.append(text[start..<text.count])
        break
      }
      var end = start
      while end < text.count, !Text.isSpace(text.units[end]) { end += 1 }
      parts.append(text[start..<end])
      start = end
    }
    return parts
  }

  static let questions: [String: Method] = [
    "isspace": { _, text, _ in .bool(!text.isEmpty && text.units.allSatisfy(Text.isSpace)) },
    "isalpha": { _, text, _ in all(text) { isLetter($0) } },
    "isalnum": { _, text, _ in all(text) { isLetter($0) || $0.properties.numericType != nil } },
    "isdigit": { _, text, _ in
      all(text) { $0.properties.numericType == .decimal || $0.properties.numericType == .digit }
    },
    "isdecimal": { _, text, _ in all(text) { $0.properties.numericType == .decimal } },
    "isnumeric": { _, text, _ in all(text) { $0.properties.numericType != nil } },
    "isascii": { _, text, _ in .bool(text.units.allSatisfy { $0 & Text.scalarBits < 0x80 }) },
    "isprintable": { _, text, _ in
      .bool(text.units.allSatisfy { Representation.isPrintable($0 & Text.scalarBits) })
    },
    "isidentifier": { _, text, _ in
      let scalars = text.units.map { Text.scalar($0) }
      guard let first = scalars.first else { return .bool(false) }
      return .bool(
        (first == "_" || first.properties.isXIDStart) && scalars.allSatisfy { $0.properties.isXIDContinue })
    },
    "islower": { _, text, _ in .bool(isCased(text, upper: false)) },
    "isupper": { _, text, _ in .bool(isCased(text, upper: true)) },
    "istitle": { _, text, _ in
      var (isAny, followsCased) = (false, false)
      for unit in text.units {
        let properties = Text.scalar(unit).properties
        if properties.isUppercase || properties.generalCategory == .titlecaseLetter {
          if followsCased { return .bool(false) }
          (isAny, followsCased) = (true, true)
        } else if properties.isLowercase {
          if !followsCased { return .bool(false) }
          (isAny, followsCased) = (true, true)
        } else {
          followsCased = false
        }
      }
      return .bool(isAny)
    },
  ]

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
    default: false
    }
  }

  private static func all(_ text: Text, _ isMember: (Unicode.Scalar) -> Bool) -> Value {
    .bool(!text.isEmpty && text.units.allSatisfy { isMember(Text.scalar($0)) })
  }
}
