/// Python's operators on numbers, texts and lists.
enum Arithmetic {
  static func apply(
    _ operation: BinaryOperator, _ left: Value, _ right: Value, _ renderer: Renderer
  ) throws(TemplateError) -> Value {
    // Formatting takes an undefined operand as any other.
    if case .undefined(let undefined) = left { throw undefined.error }
    if case .string(let format) = left, operation == .modulo {
      return .string(try PercentFormat.format(format, right, renderer))
    }
    if case .undefined(let undefined) = right { throw undefined.error }
    if let left = number(left), let right = number(right) { return try numbers(operation, left, right) }
    switch (operation, left, right) {
    case (.add, .string(let first), .string(let second)):
      try renderer.make(first.count + second.count)
      if first.isMarkup || second.isMarkup {
        let sum = Filters.escaped(first) + Filters.escaped(second)
        try renderer.make(sum.count)
        return .string(Text(units: sum.units, isMarkup: true))
      }
      return .string(first + second)
    case (.add, .list(let first), .list(let second)):
      try renderer.step(first.elements.count + second.elements.count)
      return .list(try List(first.elements + second.elements))
    case (.add, .tuple(let first), .tuple(let second)):
      try renderer.step(first.elements.count + second.elements.count)
      return .tuple(try List(first.elements + second.elements))
    case (.add, .string, _):
      throw TemplateError(.type, "can only concatenate str (not \"\(right.typeName)\") to str")
    case (.add, .list, _):
      throw TemplateError(.type, "can only concatenate list (not \"\(right.typeName)\") to list")
    case (.add, .tuple, _):
      throw TemplateError(.type, "can only concatenate tuple (not \"\(right.typeName)\") to tuple")
    case (.multiply, .string, _), (.multiply, .list, _), (.multiply, .tuple, _):
      return try repeated(left, right, renderer)
    case (.multiply, _, .string), (.multiply, _, .list), (.multiply, _, .tuple):
      return try repeated(right, left, renderer)
    case (.subtract, .view(let first), .view(let second)): return try difference(first, second, renderer)
    default: throw unsupported(operation, left, right)
    }
  }

  private static func unsupported(_ operation: BinaryOperator, _ left: Value, _ right: Value) -> TemplateError {
    TemplateError(
      .type,
      "unsupported operand type(s) for \(operation.rawValue): '\(left.typeName)' and '\(right.typeName)'")
  }

  private static func difference(
    _ first: DictView, _ second: DictView, _ renderer: Renderer
  ) throws(TemplateError) -> Value {
    let others = try second.elements()
    var rest: [Value] = []
    for element in try first.elements() {
      var isThere = false
      for other in others where try renderer.equal(element, other) { isThere = true }
      if !isThere { rest.append(element) }
    }
    return .list(try List(rest))
  }

  private static func repeated(_ value: Value, _ count: Value, _ renderer: Renderer) throws(TemplateError) -> Value
  {
    let times: Int
    switch count {
    case .int(let number): times = max(0, number)
    case .bool(let flag): times = flag ? 1 : 0
    default: throw TemplateError(.type, "can't multiply sequence by non-int of type '\(count.typeName)'")
    }
    func size(_ count: Int) -> Int {
      let (size, overflow) = count.multipliedReportingOverflow(by: times)
      return overflow ? Int.max : size
    }
    switch value {
    case .string(let text):
      try renderer.make(size(text.count))
      var result = Text(isMarkup: text.isMarkup)
      result.units.reserveCapacity(size(text.count))
      if !text.isEmpty { for _ in 0..<times { result += text } }
      return .string(result)
    case .list(let list), .tuple(let list):
      try renderer.step(size(list.elements.count))
      var elements: [Value] = []
      if !list.elements.isEmpty { for _ in 0..<times { elements += list.elements } }
      let result = try List(elements)
      if case .tuple = value { return .tuple(result) }
      return .list(result)
    default: return .none
    }
  }

  enum Number {
    case int(Int)
    case float(Double)

    var float: Double {
      switch self {
      case .int(let value): Double(value)
      case .float(let value): value
      }
    }
  }

  static func number(_ value: Value) -> Number? {
    switch value {
    case .int(let value): .int(value)
    case .bool(let value): .int(value ? 1 : 0)
    case .float(let value): .float(value)
    default: nil
    }
  }

  private static func numbers(
    _ operation: BinaryOperator, _ left: Number, _ right: Number
  ) throws(TemplateError) -> Value {
    if case .int(let left) = left, case .int(let right) = right { return try integers(operation, left, right) }
    let (left, right) = (left.float, right.float)
    switch operation {
    case .add: return .float(left + right)
    case .subtract: return .float(left - right)
    case .multiply: return .float(left * right)
    case .power:
      guard left != 0 || right >= 0 else {
        throw TemplateError(.zeroDivision, "0.0 cannot be raised to a negative power")
      }
      return .float(Numbers.power(left, right))
    case .divide:
      guard right != 0 else { throw TemplateError(.zeroDivision, "float division by zero") }
      return .float(left / right)
    case .floorDivide:
      guard right != 0 else { throw TemplateError(.zeroDivision, "float floor division by zero") }
      return .float((left / right).rounded(.down))
    case .modulo:
      guard right != 0 else { throw TemplateError(.zeroDivision, "float modulo") }
      let rest = left.truncatingRemainder(dividingBy: right)
      if rest == 0 { return .float(right < 0 ? -0.0 : 0.0) }
      return .float((rest < 0) != (right < 0) ? rest + right : rest)
    }
  }

  private static func integers(_ operation: BinaryOperator, _ left: Int, _ right: Int) throws(TemplateError)
    -> Value
  {
    func checked(_ result: (partialValue: Int, overflow: Bool)) throws(TemplateError) -> Value {
      guard !result.overflow else { throw TemplateError(.overflow, "integers are limited to 64 bits") }
      return .int(result.partialValue)
    }
    switch operation {
    case .add: return try checked(left.addingReportingOverflow(right))
    case .subtract: return try checked(left.subtractingReportingOverflow(right))
    case .multiply: return try checked(left.multipliedReportingOverflow(by: right))
    case .divide:
      guard right != 0 else { throw TemplateError(.zeroDivision, "division by zero") }
      return .float(Double(left) / Double(right))
    case .floorDivide:
      guard right != 0 else { throw TemplateError(.zeroDivision, "integer division or modulo by zero") }
      let (quotient, overflow) = left.dividedReportingOverflow(by: right)
      guard !overflow else { throw TemplateError(.overflow, "integers are limited to 64 bits") }
      return .int(left % right != 0 && (left < 0) != (right < 0) ? quotient - 1 : quotient)
    case .modulo:
      guard right != 0 else { throw TemplateError(.zeroDivision, "integer modulo by zero") }
      guard right != -1 else { return .int(0) }
      let rest = left % right
      return .int(rest != 0 && (rest < 0) != (right < 0) ? rest + right : rest)
    case .power:
      if right < 0 {
        guard left != 0 else { throw TemplateError(.zeroDivision, "0.0 cannot be raised to a negative power") }
        return .float(Numbers.power(Double(left), Double(right)))
      }
      guard let result = Numbers.power(left, right) else {
        throw TemplateError(.overflow, "integers are limited to 64 bits")
      }
      return .int(result)
    }
  }

  static func negate(_ value: Value) throws(TemplateError) -> Value {
    switch value {
    case .undefined(let undefined): throw undefined.error
    case .int(let number):
      guard number != .min else { throw TemplateError(.overflow, "integers are limited to 64 bits") }
      return .int(-number)
    case .bool(let flag): return .int(flag ? -1 : 0)
    case .float(let number): return .float(-number)
    default: throw TemplateError(.type, "bad operand type for unary -: '\(value.typeName)'")
    }
  }

  static func plus(_ value: Value) throws(TemplateError) -> Value {
    switch value {
    case .undefined(let undefined): throw undefined.error
    case .int, .float: return value
    case .bool(let flag): return .int(flag ? 1 : 0)
    default: throw TemplateError(.type, "bad operand type for unary +: '\(value.typeName)'")
    }
  }
}
