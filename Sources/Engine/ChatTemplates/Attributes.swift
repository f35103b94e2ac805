/// The attributes and methods that values have in Python, as far as the sandbox shows them.
enum Attributes {
  /// An attribute of a value, or nil where Python has none of that name.
  static func find(_ name: String, of value: Value, _ renderer: Renderer) throws(TemplateError) -> Value? {
    switch value {
    case .namespace(let namespace):
      if let attribute = namespace.attributes.get(name) {
        return name.hasPrefix("_") ? unsafe(name, value) : attribute
      }
      return dunder(name, value)
    case .loop(let loop): return try loopAttribute(name, loop, renderer) ?? dunder(name, value)
    case .macro(let macro): return try macroAttribute(name, macro) ?? dunder(name, value)
    case .string(let text):
      if let method = StringMethods.function(name, of: text) { return .function(method) }
    case .dict(let dict):
      if ["clear", "pop", "popitem", "setdefault", "update"].contains(name) { return unsafe(name, value) }
      return dictMethod(name, dict) ?? dunder(name, value)
    case .list(let list):
      if ["append", "clear", "pop", "reverse", "insert", "sort", "extend", "remove"].contains(name) {
        return unsafe(name, value)
      }
      if name == "copy" { return .function(Function(name) { _, _ in value }) }
      return listMethod(name, list) ?? dunder(name, value)
    case .tuple(let list): return listMethod(name, list) ?? dunder(name, value)
    case .range(let range):
      switch name {
      case "start": return .int(range.start)
      case "stop": return .int(range.stop)
      case "step": return .int(range.step)
      default: break
      }
    case .int(let number):
      switch name {
      case "real", "numerator": return value
      case "imag": return .int(0)
      case "denominator": return .int(1)
      case "bit_length":
        return .function(Function(name) { _, _ in .int(Int.bitWidth - number.magnitude.leadingZeroBitCount) })
      default: break
      }
    case .float(let number):
      switch name {
      case "real": return value
      case "imag": return .float(0)
      case "is_integer": return .function(Function(name) { _, _ in .bool(number == number.rounded()) })
      default: break
      }
    default: break
    }
    return dunder(name, value)
  }

  /// The names with two underscores that every object has; none is for templates.
  private static func dunder(_ name: String, _ value: Value) -> Value? {
    let names = [
      "__class__", "__doc__", "__init__", "__eq__", "__ne__", "__hash__", "__str__", "__repr__", "__dict__",
      "__dir__",
      "__getattribute__", "__reduce__", "__reduce_ex__", "__setattr__", "__delattr__", "__format__", "__new__",
      "__sizeof__", "__subclasshook__", "__init_subclass__", "__lt__", "__le__", "__gt__", "__ge__", "__len__",
      "__iter__", "__getitem__", "__contains__", "__globals__", "__code__", "__call__", "__self__", "__func__",
      "__module__", "__name__", "__add__", "__mul__", "__mod__",
    ]
    return names.contains(name) ? unsafe(name, value) : nil
  }

  private static func unsafe(_ name: String, _ value: Value) -> Value {
    .undefined(
      Undefined("access to attribute '\(name)' of '\(value.typeName)' object is unsafe.", kind: .security))
  }

  private static func loopAttribute(
    _ name: String, _ loop: LoopContext, _ renderer: Renderer
  ) throws(TemplateError) -> Value? {
    switch name {
    case "index": return .int(loop.index)
    case "index0": return .int(loop.index - 1)
    case "revindex": return .int(try loop.length() - loop.index + 1)
    case "revindex0": return .int(try loop.length() - loop.index)
    case "first": return .bool(loop.index == 1)
    case "last": return .bool(try loop.peek() == nil)
    case "length": return .int(try loop.length())
    case "depth": return .int(loop.depth + 1)
    case "depth0": return .int(loop.depth)
    case "previtem": return loop.index > 1 ? loop.previous : .undefined(Undefined("there is no previous item"))
    case "nextitem": return try loop.peek() ?? .undefined(Undefined("there is no next item"))
    case "cycle":
      let index = loop.index
      return .function(
        Function(name) { _, arguments throws(TemplateError) in
          guard !arguments.positional.isEmpty else { throw TemplateError(.type, "no items for cycling given") }
          return arguments.positional[max(0, index - 1) % arguments.positional.count]
        })
    case "changed":
      return .function(
        Function(name) { renderer, arguments throws(TemplateError) in
          .bool(try loop.hasChanged(arguments.positional, renderer))
        })
    default: return nil
    }
  }

  private static func macroAttribute(_ name: String, _ macro: Macro) throws(TemplateError) -> Value? {
    switch name {
    case "name": .text(macro.definition.name)
    case "arguments": .tuple(try List(macro.definition.parameters.map { .text($0) }))
    case "catch_kwargs": .bool(macro.definition.uses.contains("kwargs"))
    case "catch_varargs": .bool(macro.definition.uses.contains("varargs"))
    case "caller": .bool(macro.definition.uses.contains("caller"))
    default: nil
    }
  }

  private static func dictMethod(_ name: String, _ dict: Dict) -> Value? {
    func view(_ part: DictView.Part) -> Value {
      .function(
        Function(name) { _, arguments throws(TemplateError) in
          try arguments.check("dict.\(name)", [])
          return .view(DictView(dict: dict, part: part))
        })
    }
    switch name {
    case "items": return view(.items)
    case "keys": return view(.keys)
    case "values": return view(.values)
    case "copy": return .function(Function(name) { _, _ in .dict(dict) })
    case "get":
      return .function(
        Function(name) { _, arguments throws(TemplateError) in
          guard arguments.keywords.isEmpty else {
            throw TemplateError(.type, "dict.get() takes no keyword arguments")
          }
          guard let key = arguments.positional.first else {
            throw TemplateError(.type, "get expected at least 1 argument, got 0")
          }
          guard arguments.positional.count < 3 else {
            throw TemplateError(.type, "get expected at most 2 arguments, got \(arguments.positional.count)")
          }
          return try dict.get(key) ?? (arguments.positional.count > 1 ? arguments.positional[1] : .none)
        })
    default: return nil
    }
  }

  private static func listMethod(_ name: String, _ list: List) -> Value? {
    switch name {
    case "count":
      return .function(
        Function(name) { renderer, arguments throws(TemplateError) in
          try arguments.check("count", ["value"], required: 1)
          var count = 0
          for element in list.elements where try renderer.equal(element, arguments.positional[0]) { count += 1 }
          return .int(count)
        })
    case "index":
      return .function(
        Function(name) { renderer, arguments throws(TemplateError) in
          try arguments.check("index", ["value", "start", "stop"], required: 1)
          for (index, element) in list.elements.enumerated()
          where try renderer.equal(element, arguments.positional[0]) {
            return .int(index)
          }
          throw TemplateError(
            .value, "\(try Representation.full(arguments.positional[0], renderer).string) is not in list")
        })
    default: return nil
    }
  }
}
