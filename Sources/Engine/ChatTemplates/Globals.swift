/// The functions that every template has.
enum Globals {
  static var functions: [String: Value] {
    [
      "range": function("range", range),
      "namespace": function("namespace") { renderer, arguments throws(TemplateError) in
        let namespace = Namespace(try dict(arguments, renderer))
        renderer.track(namespace)
        return .namespace(namespace)
      },
      "dict": function("dict") { renderer, arguments throws(TemplateError) in .dict(try dict(arguments, renderer))
      },
      "raise_exception": function("raise_exception") { renderer, arguments throws(TemplateError) in
        try arguments.check("raise_exception", ["message"], required: 1)
        throw TemplateError(
          .raised, try Representation.text(arguments.get(0, "message") ?? .none, renderer).string)
      },
      "strftime_now": function("strftime_now") { renderer, arguments throws(TemplateError) in
        try arguments.check("strftime_now", ["format"], required: 1)
        guard case .string(let format) = arguments.get(0, "format") else {
          throw TemplateError(
            .type, "strftime() argument 1 must be str, not \(arguments.get(0, "format")?.typeName ?? "")")
        }
        try renderer.make(format.count * 8)
        return .string(Numbers.text(of: renderer.time, format: format))
      },
      "joiner": function("joiner") { _, arguments in
        let separator = arguments.get(0, "sep") ?? .text(", ")
        var isUsed = false
        return function("joiner") { _, _ in
          defer { isUsed = true }
          return isUsed ? separator : .text("")
        }
      },
      "cycler": function("cycler") { renderer, arguments throws(TemplateError) in
        guard !arguments.positional.isEmpty else {
          throw TemplateError(.type, "at least one item has to be provided")
        }
        return try cycler(arguments.positional, renderer)
      },
    ]
  }

  private static func function(
    _ name: String, _ call: @escaping (Renderer, Arguments) throws(TemplateError) -> Value
  ) -> Value { .function(Function(name, call)) }

  private static func dict(_ arguments: Arguments, _ renderer: Renderer) throws(TemplateError) -> Dict {
    var dict = Dict()
    guard arguments.positional.count < 2 else {
      throw TemplateError(.type, "dict expected at most 1 argument, got \(arguments.positional.count)")
    }
    switch arguments.positional.first {
    case nil: break
    case .dict(let other): dict = other
    case .namespace(let other): dict = other.attributes
    case let pairs?:
      for (index, pair) in try renderer.elements(of: pairs).enumerated() {
        let parts = try renderer.elements(of: pair)
        guard parts.count == 2 else {
          throw TemplateError(
            .value, "dictionary update sequence element #\(index) has length \(parts.count); 2 is required")
        }
        try dict.set(parts[0], parts[1])
      }
    }
    for (name, value) in arguments.keywords { try dict.set(name, value) }
    return dict
  }

  private static func range(_ renderer: Renderer, _ arguments: Arguments) throws(TemplateError) -> Value {
    guard arguments.keywords.isEmpty else { throw TemplateError(.type, "range() takes no keyword arguments") }
    var numbers: [Int] = []
    for value in arguments.positional {
      switch value {
      case .int(let number): numbers.append(number)
      case .bool(let flag): numbers.append(flag ? 1 : 0)
      default:
        throw TemplateError(.type, "'\(value.typeName)' object cannot be interpreted as an integer")
      }
    }
    guard (1...3).contains(numbers.count) else {
      throw TemplateError(
        .type,
        numbers.isEmpty
          ? "range expected at least 1 argument, got 0"
          : "range expected at most 3 arguments, got \(numbers.count)")
    }
    let step = numbers.count == 3 ? numbers[2] : 1
    guard step != 0 else { throw TemplateError(.value, "range() arg 3 must not be zero") }
    let (start, stop) = numbers.count == 1 ? (0, numbers[0]) : (numbers[0], numbers[1])
    let tooBig = TemplateError(
      .overflow, "Range too big. The sandbox blocks ranges larger than MAX_RANGE (100000).")
    let (distance, overflow) = stop.subtractingReportingOverflow(start)
    guard !overflow, step != .min, distance.magnitude / step.magnitude <= 100_000 else { throw tooBig }
    let range = RangeValue(start: start, stop: stop, step: step)
    guard range.count <= 100_000 else { throw tooBig }
    return .range(range)
  }

  private static func cycler(_ items: [Value], _ renderer: Renderer) throws(TemplateError) -> Value {
    var position = 0
    let namespace = Namespace(Dict())
    renderer.track(namespace)
    try namespace.attributes.set("current", items[0])
    try namespace.attributes.set(
      "next",
      function("next") { _, _ throws(TemplateError) in
        defer { position = (position + 1) % items.count }
        try namespace.attributes.set("current", items[(position + 1) % items.count])
        return items[position]
      })
    try namespace.attributes.set(
      "reset",
      function("reset") { _, _ throws(TemplateError) in
        position = 0
        try namespace.attributes.set("current", items[0])
        return .none
      })
    return .namespace(namespace)
  }
}
