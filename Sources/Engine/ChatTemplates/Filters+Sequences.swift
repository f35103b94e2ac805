extension Filters {
  static let sequences: [String: Filter] = [
    "length": { renderer, value, _ throws(TemplateError) in .int(try renderer.count(of: value)) },
    "count": { renderer, value, _ throws(TemplateError) in .int(try renderer.count(of: value)) },
    "list": { renderer, value, _ throws(TemplateError) in
      let elements = try renderer.elements(of: value)
      try renderer.step(elements.count)
      return .list(try List(elements))
    },
    "first": { renderer, value, _ throws(TemplateError) in
      try renderer.iterator(over: value)() ?? .undefined(Undefined("No first item, sequence was empty."))
    },
    "last": { renderer, value, _ throws(TemplateError) in
      switch value {
      case .generator, .none, .bool, .int, .float, .namespace, .macro, .function:
        throw TemplateError(.type, "'\(value.typeName)' object is not reversible")
      default:
        return try renderer.elements(of: value).last ?? .undefined(Undefined("No last item, sequence was empty."))
      }
    },
    "random": { renderer, value, _ throws(TemplateError) in
      // The same input gives the same output, so chance is the first.
      try renderer.elements(of: value).first ?? .undefined(Undefined("No random item, sequence was empty."))
    },
    "join": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("sync_do_join", ["d", "attribute"])
      let separator = try Representation.text(arguments.get(0, "d") ?? .text(""), renderer)
      let path = try path(arguments.get(1, "attribute"), renderer)
      var parts: [Text] = []
      for element in try renderer.elements(of: value) {
        parts.append(try Representation.text(try follow(path, element, renderer), renderer))
      }
      return .string(try StringMethods.joined(parts, by: separator, renderer))
    },
    "reverse": { renderer, value, _ throws(TemplateError) in
      switch value {
      case .string(let text): return .string(Text(units: text.units.reversed(), isMarkup: text.isMarkup))
      case .none, .bool, .int, .float, .namespace, .macro, .function:
        throw TemplateError(.filterArgument, "argument must be iterable")
      default: break
      }
      let elements = try renderer.elements(of: value)
      try renderer.step(elements.count)
      let reversed = Value.list(try List(elements.reversed()))
      return .generator(try Generator(reading: reversed) { () throws(TemplateError) in elements.reversed() })
    },
    "sort": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_sort", ["reverse", "case_sensitive", "attribute"])
      let isSensitive = arguments.get(1, "case_sensitive")?.isTrue ?? false
      let paths = try paths(arguments.get(2, "attribute"), renderer)
      var keyed: [(key: Value, value: Value)] = []
      for element in try renderer.elements(of: value) {
        var keys: [Value] = []
        for path in paths {
          let key = try follow(path, element, renderer)
          keys.append(isSensitive ? key : foldingCase(key))
        }
        keyed.append((.list(try List(keys)), element))
      }
      return .list(try List(try renderer.sorted(keyed, reverse: arguments.get(0, "reverse")?.isTrue ?? false)))
    },
    "dictsort": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_dictsort", ["case_sensitive", "by", "reverse"])
      let by =
        try arguments.get(1, "by").map { value throws(TemplateError) in
          try Representation.text(value, renderer)
        } ?? "key"
      guard by == "key" || by == "value" else {
        throw TemplateError(.filterArgument, "You can only sort by either \"key\" or \"value\"")
      }
      let dict = try mapping(value)
      let isSensitive = arguments.get(0, "case_sensitive")?.isTrue ?? false
      var keyed: [(key: Value, value: Value)] = []
      for (key, item) in zip(dict.keys, dict.values) {
        let sorting = by == "key" ? key : item
        keyed.append((isSensitive ? sorting : foldingCase(sorting), .tuple(try List([key, item]))))
      }
      return .list(try List(try renderer.sorted(keyed, reverse: arguments.get(2, "reverse")?.isTrue ?? false)))
    },
    "unique": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("sync_do_unique", ["case_sensitive", "attribute"])
      let isSensitive = arguments.get(0, "case_sensitive")?.isTrue ?? false
      let path = try path(arguments.get(1, "attribute"), renderer)
      return .generator(
        try Generator(reading: value) { () throws(TemplateError) in
          var seen: Set<Dict.Key> = []
          var result: [Value] = []
          for element in try renderer.elements(of: value) {
            let key = try follow(path, element, renderer)
            if seen.insert(try Dict.Key(isSensitive ? key : foldingCase(key))).inserted { result.append(element) }
          }
          return result
        })
    },
    "min": { renderer, value, arguments throws(TemplateError) in
      try extreme(renderer, value, arguments, takesGreater: false)
    },
    "max": { renderer, value, arguments throws(TemplateError) in
      try extreme(renderer, value, arguments, takesGreater: true)
    },
    "sum": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("sync_do_sum", ["attribute", "start"])
      let path = try path(arguments.get(0, "attribute"), renderer)
      var sum = arguments.get(1, "start") ?? .int(0)
      if case .string = sum {
        throw TemplateError(.type, "sum() can't sum strings [use ''.join(seq) instead]")
      }
      for element in try renderer.elements(of: value) {
        sum = try Arithmetic.apply(.add, sum, try follow(path, element, renderer), renderer)
      }
      return sum
    },
    "map": { renderer, value, arguments throws(TemplateError) in
      .generator(
        try Generator(reading: value) { () throws(TemplateError) in
          guard value.isTrue else { return [] }
          return try mapped(renderer, value, arguments)
        })
    },
    "select": { renderer, value, arguments throws(TemplateError) in
      try chosen(renderer, value, arguments, byAttribute: false, keeps: true)
    },
    "reject": { renderer, value, arguments throws(TemplateError) in
      try chosen(renderer, value, arguments, byAttribute: false, keeps: false)
    },
    "selectattr": { renderer, value, arguments throws(TemplateError) in
      try chosen(renderer, value, arguments, byAttribute: true, keeps: true)
    },
    "rejectattr": { renderer, value, arguments throws(TemplateError) in
      try chosen(renderer, value, arguments, byAttribute: true, keeps: false)
    },
    "batch": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_batch", ["linecount", "fill_with"], required: 1)
      let size = try StringMethods.integer(arguments.get(0, "linecount"))
      let fill = arguments.get(1, "fill_with")
      return .generator(
        try Generator(reading: value) { () throws(TemplateError) in
          var batches: [[Value]] = []
          for element in try renderer.elements(of: value) {
            if batches.isEmpty || batches[batches.count - 1].count == size { batches.append([]) }
            batches[batches.count - 1].append(element)
          }
          if let last = batches.last, let fill, !fill.isNone, last.count < size {
            try renderer.step(size)
            batches[batches.count - 1] += [Value](repeating: fill, count: size - last.count)
          }
          return try batches.map { batch throws(TemplateError) in .list(try List(batch)) }
        })
    },
    "slice": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_slice", ["slices", "fill_with"], required: 1)
      let slices = try StringMethods.integer(arguments.get(0, "slices"))
      let fill = arguments.get(1, "fill_with")
      return .generator(
        try Generator(reading: value) { () throws(TemplateError) in
          let elements = try renderer.elements(of: value)
          guard slices != 0 else {
            throw TemplateError(.zeroDivision, "integer division or modulo by zero")
          }
          guard slices > 0 else { return [] }
          try renderer.step(slices)
          let (each, extra) = (elements.count / slices, elements.count % slices)
          var parts: [Value] = []
          var start = 0
          for index in 0..<slices {
            let end = start + each + (index < extra ? 1 : 0)
            var part = Array(elements[start..<end])
            if let fill, !fill.isNone, index >= extra { part.append(fill) }
            parts.append(.list(try List(part)))
            start = end
          }
          return parts
        })
    },
    "groupby": { renderer, value, arguments throws(TemplateError) in
      try grouped(renderer, value, arguments)
    },
  ]

  /// A value whose `items()` a filter asks for.
  static func mapping(_ value: Value) throws(TemplateError) -> Dict {
    if case .dict(let dict) = value { return dict }
    if case .undefined(let undefined) = value { throw undefined.error }
    throw TemplateError(.attribute, "'\(value.typeName)' object has no attribute 'items'")
  }

  // MARK: Attributes by path

  enum PathPart {
    case index(Int)
    case name(Text)
    case value(Value)
  }

  static func path(_ attribute: Value?, _ renderer: Renderer) throws(TemplateError) -> [PathPart] {
    switch attribute {
    case nil, .some(.none): return []
    case .string(let text):
      var parts: [PathPart] = []
      var start = 0
      for position in 0...text.count where position == text.count || text.value(at: position) == 0x2E {
        let part = text[start..<position]
        let isNumber = !part.isEmpty && part.units.allSatisfy { (0x30...0x39).contains($0 & Text.scalarBits) }
        parts.append(isNumber ? .index(Int(part.string) ?? Int.max) : .name(part))
        start = position + 1
      }
      return parts
    case let value?: return [.value(value)]
    }
  }

  private static func paths(_ attribute: Value?, _ renderer: Renderer) throws(TemplateError) -> [[PathPart]] {
    guard case .string(let text)? = attribute else { return [try path(attribute, renderer)] }
    var paths: [[PathPart]] = []
    var start = 0
    for position in 0...text.count where position == text.count || text.value(at: position) == 0x2C {
      paths.append(try path(.string(text[start..<position]), renderer))
      start = position + 1
    }
    return paths
  }

  static func follow(
    _ path: [PathPart], _ value: Value, _ renderer: Renderer, default fallback: Value? = nil
  ) throws(TemplateError) -> Value {
    var value = value
    for part in path {
      try renderer.step()
      switch part {
      case .index(let index): value = try renderer.item(.int(index), of: value)
      case .name(let name): value = try renderer.item(.string(name), of: value)
      case .value(let argument): value = try renderer.item(argument, of: value)
      }
      if let fallback, case .undefined = value { value = fallback }
    }
    return value
  }

  static func foldingCase(_ value: Value) -> Value {
    if case .string(let text) = value { .string(text.lowercased) } else { value }
  }

  // MARK: Mapping and choosing

  private static func name(_ value: Value, _ renderer: Renderer) throws(TemplateError) -> String {
    try Representation.text(value, renderer).string
  }

  private static func mapped(
    _ renderer: Renderer, _ value: Value, _ arguments: Arguments
  ) throws(TemplateError) -> [Value] {
    var result: [Value] = []
    if arguments.positional.isEmpty, let attribute = arguments.get(Int.max, "attribute") {
      for (name, _) in arguments.keywords where name != "attribute" && name != "default" {
        throw TemplateError(.filterArgument, "Unexpected keyword argument '\(name)'")
      }
      let path = try path(attribute, renderer)
      var fallback = arguments.get(Int.max, "default")
      if let value = fallback, value.isNone { fallback = nil }
      for element in try renderer.elements(of: value) {
        result.append(try follow(path, element, renderer, default: fallback))
      }
      return result
    }
    guard let first = arguments.positional.first else {
      throw TemplateError(.filterArgument, "map requires a filter argument")
    }
    let name = try name(first, renderer)
    guard let filter = named[name] else { throw TemplateError(.runtime, "No filter named '\(name)'.") }
    let rest = Arguments(positional: Array(arguments.positional.dropFirst()), keywords: arguments.keywords)
    for element in try renderer.elements(of: value) {
      try renderer.step()
      result.append(try filter(renderer, element, rest))
    }
    return result
  }

  private static func chosen(
    _ renderer: Renderer, _ value: Value, _ arguments: Arguments, byAttribute: Bool, keeps: Bool
  ) throws(TemplateError) -> Value {
    .generator(
      try Generator(reading: value) { () throws(TemplateError) in
        guard value.isTrue else { return [] }
        var rest = arguments.positional[...]
        var path: [PathPart] = []
        if byAttribute {
          guard let attribute = rest.popFirst() else {
            throw TemplateError(.filterArgument, "Missing parameter for attribute name")
          }
          path = try self.path(attribute, renderer)
        }
        var test: Tests.Test = { _, value, _ in value.isTrue }
        if let first = rest.popFirst() {
          let name = try name(first, renderer)
          guard let named = Tests.named[name] else { throw TemplateError(.runtime, "No test named '\(name)'.") }
          test = named
        }
        let passed = Arguments(positional: Array(rest), keywords: arguments.keywords)
        var result: [Value] = []
        for element in try renderer.elements(of: value) {
          try renderer.step()
          if try test(renderer, try follow(path, element, renderer), passed) == keeps { result.append(element) }
        }
        return result
      })
  }

  private static func extreme(
    _ renderer: Renderer, _ value: Value, _ arguments: Arguments, takesGreater: Bool
  ) throws(TemplateError) -> Value {
    try arguments.check(takesGreater ? "do_max" : "do_min", ["case_sensitive", "attribute"])
    let isSensitive = arguments.get(0, "case_sensitive")?.isTrue ?? false
    let path = try path(arguments.get(1, "attribute"), renderer)
    var best: (key: Value, value: Value)?
    for element in try renderer.elements(of: value) {
      let found = try follow(path, element, renderer)
      let key = isSensitive ? found : foldingCase(found)
      guard let current = best else {
        best = (key, element)
        continue
      }
      if try renderer.compare(takesGreater ? .greater : .less, key, current.key) { best = (key, element) }
    }
    return best?.value ?? .undefined(Undefined("No aggregated item, sequence was empty."))
  }

  private static func grouped(
    _ renderer: Renderer, _ value: Value, _ arguments: Arguments
  ) throws(TemplateError) -> Value {
    try arguments.check("sync_do_groupby", ["attribute", "default", "case_sensitive"], required: 1)
    let path = try path(arguments.get(0, "attribute"), renderer)
    let fallback = arguments.get(1, "default")
    let isSensitive = arguments.get(2, "case_sensitive")?.isTrue ?? false
    var keyed: [(key: Value, value: Value)] = []
    for element in try renderer.elements(of: value) {
      let key = try follow(path, element, renderer, default: fallback)
      let folded = isSensitive ? key : foldingCase(key)
      keyed.append((folded, .tuple(try List([folded, key, element]))))
    }
    var groups: [(folded: Value, key: Value, members: [Value])] = []
    for entry in try renderer.sorted(keyed, reverse: false) {
      guard case .tuple(let parts) = entry else { continue }
      if let last = groups.last, try renderer.equal(last.folded, parts.elements[0]) {
        groups[groups.count - 1].members.append(parts.elements[2])
      } else {
        groups.append((parts.elements[0], parts.elements[1], [parts.elements[2]]))
      }
    }
    return .list(
      try List(
        try groups.map { group throws(TemplateError) in
          .tuple(try List([group.key, .list(try List(group.members))]))
        }))
  }
}

extension Value {
  var isNone: Bool { if case .none = self { true } else { false } }
}
