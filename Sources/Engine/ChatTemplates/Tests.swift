/// The tests of `is`.
enum Tests {
  typealias Test = @Sendable (Renderer, Value, Arguments) throws(TemplateError) -> Bool

  static let named: [String: Test] = {
    var tests: [String: Test] = [
      "defined": { _, value, _ in !isUndefined(value) },
      "undefined": { _, value, _ in isUndefined(value) },
      "none": { _, value, _ in if case .none = value { true } else { false } },
      "boolean": { _, value, _ in if case .bool = value { true } else { false } },
      "true": { _, value, _ in if case .bool(true) = value { true } else { false } },
      "false": { _, value, _ in if case .bool(false) = value { true } else { false } },
      "integer": { _, value, _ in if case .int = value { true } else { false } },
      "float": { _, value, _ in if case .float = value { true } else { false } },
      "number": { _, value, _ in Arithmetic.number(value) != nil },
      "string": { _, value, _ in if case .string = value { true } else { false } },
      "mapping": { _, value, _ in if case .dict = value { true } else { false } },
      "sequence": { _, value, _ in
        switch value {
        case .string, .list, .tuple, .dict, .range, .undefined: true
        default: false
        }
      },
      "iterable": { _, value, _ in
        switch value {
        case .none, .bool, .int, .float, .namespace, .macro, .function: false
        default: true
        }
      },
      "callable": { _, value, _ in
        switch value {
        case .function, .macro, .undefined, .loop: true
        default: false
        }
      },
      "escaped": { _, value, _ in if case .string(let text) = value { text.isMarkup } else { false } },
      "odd": { renderer, value, _ throws(TemplateError) in
        try renderer.equal(try Arithmetic.apply(.modulo, value, .int(2), renderer), .int(1))
      },
      "even": { renderer, value, _ throws(TemplateError) in
        try renderer.equal(try Arithmetic.apply(.modulo, value, .int(2), renderer), .int(0))
      },
      "divisibleby": { renderer, value, arguments throws(TemplateError) in
        let divisor = try argument(arguments, "test_divisibleby", "num")
        return try renderer.equal(try Arithmetic.apply(.modulo, value, divisor, renderer), .int(0))
      },
      "lower": { renderer, value, _ throws(TemplateError) in
        StringMethods.isCased(try Representation.text(value, renderer), upper: false)
      },
      "upper": { renderer, value, _ throws(TemplateError) in
        StringMethods.isCased(try Representation.text(value, renderer), upper: true)
      },
      "sameas": { renderer, value, arguments throws(TemplateError) in
        renderer.isSame(value, try argument(arguments, "test_sameas", "other"))
      },
      "in": { renderer, value, arguments throws(TemplateError) in
        try renderer.contains(try argument(arguments, "test_in", "seq"), value)
      },
      "filter": { renderer, value, _ throws(TemplateError) in
        Filters.named[try Representation.text(value, renderer).string] != nil
      },
      "test": { renderer, value, _ throws(TemplateError) in
        Tests.exists(try Representation.text(value, renderer).string)
      },
    ]
    let comparisons: [(ComparisonOperator, [String])] = [
      (.equal, ["==", "eq", "equalto"]), (.notEqual, ["!=", "ne"]), (.greater, [">", "gt", "greaterthan"]),
      (.greaterOrEqual, [">=", "ge"]), (.less, ["<", "lt", "lessthan"]), (.lessOrEqual, ["<=", "le"]),
    ]
    for (operation, names) in comparisons {
      for name in names { tests[name] = comparison(operation, name) }
    }
    return tests
  }()

  private static func comparison(_ operation: ComparisonOperator, _ name: String) -> Test {
    { renderer, value, arguments throws(TemplateError) in
      guard arguments.positional.count == 1 else {
        throw TemplateError(.type, "\(name) expected 2 arguments, got \(arguments.positional.count + 1)")
      }
      return try renderer.compare(operation, value, arguments.positional[0])
    }
  }

  static func exists(_ name: String) -> Bool { named[name] != nil }

  private static func isUndefined(_ value: Value) -> Bool {
    if case .undefined = value { true } else { false }
  }

  private static func argument(
    _ arguments: Arguments, _ function: String, _ name: String
  ) throws(TemplateError) -> Value {
    try arguments.check(function, [name], required: 1)
    return arguments.get(0, name) ?? .none
  }
}
