extension Filters {
  static let values: [String: Filter] = [
    "default": fallback, "d": fallback,
    "items": { renderer, value, _ throws(TemplateError) in
      .generator(
        try Generator(reading: value) { () throws(TemplateError) in
          switch value {
          case .undefined: return []
          case .dict(let dict): return try dict.pairs()
          default: throw TemplateError(.type, "Can only get item pairs from a mapping.")
          }
        })
    },
    "attr": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_attr", ["name"], required: 1)
      let name = try Representation.text(arguments.get(0, "name") ?? .none, renderer)
      if case .undefined(let undefined) = value { throw undefined.error }
      return try Attributes.find(name.string, of: value, renderer)
        ?? .undefined(Undefined("'\(value.objectName)' has no attribute \(Representation.quoted(name).string)"))
    },
    "abs": { _, value, _ throws(TemplateError) in
      switch Arithmetic.number(value) {
      case .int(let number): return number < 0 ? try Arithmetic.negate(.int(number)) : .int(number)
      case .float(let number): return .float(abs(number))
      case nil:
        throw TemplateError(.type, "bad operand type for abs(): '\(value.typeName)'")
      }
    },
    "int": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_int", ["default", "base"])
      let fallback = arguments.get(0, "default") ?? .int(0)
      let base = try StringMethods.integer(arguments.get(1, "base"), default: 10)
      switch value {
      case .int: return value
      case .bool(let flag): return .int(flag ? 1 : 0)
      case .float(let number):
        return Int(exactly: number.rounded(.towardZero)).map { .int($0) } ?? fallback
      case .string(let text):
        guard text.count <= 400 else { return fallback }
        if let number = Numbers.integer(text, radix: base) { return .int(number) }
        return Numbers.float(text).flatMap { Int(exactly: $0.rounded(.towardZero)) }.map { .int($0) } ?? fallback
      case .undefined(let undefined): throw undefined.error
      default: return fallback
      }
    },
    "float": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_float", ["default"])
      let fallback = arguments.get(0, "default") ?? .float(0)
      switch value {
      case .string(let text):
        return text.count > 400 ? fallback : Numbers.float(text).map { .float($0) } ?? fallback
      case .undefined(let undefined): throw undefined.error
      default: return Arithmetic.number(value).map { .float($0.float) } ?? fallback
      }
    },
    "round": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_round", ["precision", "method"])
      let precision = try StringMethods.integer(arguments.get(0, "precision"), default: 0)
      let method =
        try arguments.get(1, "method").map { value throws(TemplateError) in
          try Representation.text(value, renderer)
        } ?? "common"
      guard let number = Arithmetic.number(value) else {
        throw TemplateError(.type, "type \(value.typeName) doesn't define __round__ method")
      }
      switch method.string {
      case "common":
        if case .int = number, precision >= 0 { return try Arithmetic.plus(value) }
        let rounded = Numbers.rounded(number.float, digits: precision)
        if case .int = number { return .int(Int(exactly: rounded) ?? 0) }
        return .float(rounded)
      case "ceil", "floor":
        let unit = Numbers.power(10, Double(max(-300, min(300, precision))))
        let rule: FloatingPointRoundingRule = method == "ceil" ? .up : .down
        return .float((number.float * unit).rounded(rule) / unit)
      default: throw TemplateError(.filterArgument, "method must be common, ceil or floor")
      }
    },
    "filesizeformat": { renderer, value, arguments throws(TemplateError) in
      try arguments.check("do_filesizeformat", ["binary"])
      let isBinary = arguments.get(0, "binary")?.isTrue ?? false
      var size = Arithmetic.number(value)?.float
      if case .string(let text) = value { size = Numbers.float(text) }
      if case .undefined(let undefined) = value { throw undefined.error }
      guard let size else {
        guard case .string = value else {
          throw TemplateError(
            .type, "float() argument must be a string or a real number, not '\(value.typeName)'")
        }
        throw TemplateError(
          .value, "could not convert string to float: \(try Representation.full(value, renderer).string)")
      }
      let base = isBinary ? 1024.0 : 1000.0
      if size == 1 { return .text("1 Byte") }
      if size < base {
        return .text("\(Numbers.text(size.rounded(.towardZero), precision: 0, conversion: "f")) Bytes")
      }
      let prefixes = ["k", "M", "G", "T", "P", "E", "Z", "Y"]
      var unit = base
      for (index, prefix) in prefixes.enumerated() {
        unit = Numbers.power(base, Double(index + 2))
        if size < unit || index == prefixes.count - 1 {
          let name = isBinary ? prefix.uppercased() + "iB" : prefix + "B"
          return .text("\(Numbers.text(base * size / unit, precision: 1, conversion: "f")) \(name)")
        }
      }
      return value
    },
  ]

  @Sendable private static func fallback(
    _ renderer: Renderer, _ value: Value, _ arguments: Arguments
  ) throws(TemplateError) -> Value {
    try arguments.check("do_default", ["default_value", "boolean"])
    var isMissing = false
    if case .undefined = value { isMissing = true }
    if arguments.get(1, "boolean")?.isTrue ?? false, !value.isTrue { isMissing = true }
    return isMissing ? arguments.get(0, "default_value") ?? .text("") : value
  }
}
