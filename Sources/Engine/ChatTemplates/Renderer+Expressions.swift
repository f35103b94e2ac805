extension Renderer {
  /// Evaluates an expression.
  /// - Parameter operand: what a filter without an operand works on.
  func evaluate(_ expression: Expression, _ scope: Scope, filtering operand: Value? = nil) throws(TemplateError)
    -> Value
  {
    try step()
    switch expression {
    case .constant(let constant): return constant.value
    case .name(let name): return scope.find(name) ?? .undefined(Undefined(name: name))
    case .attribute, .item, .call, .filter, .test, .slice:
      return try nested { () throws(TemplateError) in try evaluateAccess(expression, scope, filtering: operand) }
    default: return try nested { () throws(TemplateError) in try evaluateOperation(expression, scope) }
    }
  }

  private func evaluateAccess(
    _ expression: Expression, _ scope: Scope, filtering operand: Value?
  ) throws(TemplateError) -> Value {
    switch expression {
    case .attribute(let object, let name): return try attribute(name, of: try evaluate(object, scope))
    case .item(let object, .slice(let start, let stop, let step)):
      let value = try evaluate(object, scope)
      var bounds: [Value] = []
      for bound in [start, stop, step] {
        bounds.append(
          try bound.map { expression throws(TemplateError) in try evaluate(expression, scope) } ?? .none)
      }
      return try slice(value, bounds)
    case .item(let object, let argument):
      let value = try evaluate(object, scope)
      return try item(try evaluate(argument, scope), of: value)
    case .slice: throw TemplateError(.type, "a slice is no value")
    case .call: return try evaluateCall(expression, scope, caller: nil)
    case .filter(let inner, let name, let arguments):
      var value = operand ?? .undefined(Undefined("no operand"))
      if let inner { value = try evaluate(inner, scope, filtering: operand) }
      guard let filter = Filters.named[name] else {
        throw TemplateError(.runtime, "No filter named '\(name)' found.")
      }
      return try filter(self, value, try evaluate(arguments, scope))
    case .test(let inner, let name, let arguments):
      let value = try evaluate(inner, scope)
      guard let test = Tests.named[name] else { throw TemplateError(.runtime, "No test named '\(name)' found.") }
      return .bool(try test(self, value, try evaluate(arguments, scope)))
    default: return .none
    }
  }

  private func evaluateOperation(_ expression: Expression, _ scope: Scope) throws(TemplateError) -> Value {
    switch expression {
    case .list(let elements): return .list(try List(try evaluate(elements, scope)))
    case .tuple(let elements): return .tuple(try List(try evaluate(elements, scope)))
    case .dict(let pairs):
      var dict = Dict()
      for pair in pairs { try dict.set(try evaluate(pair.key, scope), try evaluate(pair.value, scope)) }
      return .dict(dict)
    case .not(let inner): return .bool(!(try evaluate(inner, scope).isTrue))
    case .negative(let inner): return try Arithmetic.negate(try evaluate(inner, scope))
    case .positive(let inner): return try Arithmetic.plus(try evaluate(inner, scope))
    case .and, .or: return try evaluateLogic(expression, scope)
    case .binary: return try evaluateChain(expression, scope)
    case .comparison(let first, let operations):
      var left = try evaluate(first, scope)
      for (operation, operand) in operations {
        let right = try evaluate(operand, scope)
        guard try compare(operation, left, right) else { return .bool(false) }
        left = right
      }
      return .bool(true)
    case .concatenation(let parts):
      var result = Text()
      for part in parts {
        let text = try Representation.text(try evaluate(part, scope), self)
        try make(text.count)
        result += text
      }
      return .string(result)
    case .conditional(let test, let then, let otherwise):
      if try evaluate(test, scope).isTrue { return try evaluate(then, scope) }
      guard let otherwise else {
        return .undefined(
          Undefined("the inline if-expression on line 1 evaluated to false and no else section was defined."))
      }
      return try evaluate(otherwise, scope)
    default: return .none
    }
  }

  /// Goes down the left side of a chain without recursion, for chains may be long.
  private func evaluateChain(_ expression: Expression, _ scope: Scope) throws(TemplateError) -> Value {
    var operations: [(BinaryOperator, Expression)] = []
    var first = expression
    while case .binary(let operation, let left, let right) = first {
      operations.append((operation, right))
      first = left
    }
    var value = try evaluate(first, scope)
    for (operation, right) in operations.reversed() {
      try step()
      value = try Arithmetic.apply(operation, value, try evaluate(right, scope), self)
    }
    return value
  }

  private func evaluateLogic(_ expression: Expression, _ scope: Scope) throws(TemplateError) -> Value {
    var operations: [(isAnd: Bool, right: Expression)] = []
    var first = expression
    while true {
      if case .and(let left, let right) = first {
        operations.append((true, right))
        first = left
      } else if case .or(let left, let right) = first {
        operations.append((false, right))
        first = left
      } else {
        break
      }
    }
    var value = try evaluate(first, scope)
    for (isAnd, right) in operations.reversed() where value.isTrue == isAnd { value = try evaluate(right, scope) }
    return value
  }

  private func evaluate(_ expressions: [Expression], _ scope: Scope) throws(TemplateError) -> [Value] {
    var values: [Value] = []
    for expression in expressions { values.append(try evaluate(expression, scope)) }
    return values
  }

  func evaluate(_ arguments: CallArguments, _ scope: Scope) throws(TemplateError) -> Arguments {
    var result = Arguments(positional: try evaluate(arguments.positional, scope))
    for (name, value) in arguments.keywords { result.keywords.append((name, try evaluate(value, scope))) }
    if let spread = arguments.spread {
      result.positional.append(contentsOf: try elements(of: try evaluate(spread, scope)))
    }
    if let spread = arguments.keywordSpread {
      guard case .dict(let dict) = try evaluate(spread, scope) else {
        throw TemplateError(.type, "argument after ** must be a mapping")
      }
      for (key, value) in zip(dict.keys, dict.values) {
        guard case .string(let name) = key else { throw TemplateError(.type, "keywords must be strings") }
        result.keywords.append((name.string, value))
      }
    }
    return result
  }

  // MARK: Calls

  func evaluateCall(_ expression: Expression, _ scope: Scope, caller: Macro?) throws(TemplateError) -> Value {
    guard case .call(let callee, let written) = expression else { return .none }
    let function = try evaluate(callee, scope)
    var arguments = try evaluate(written, scope)
    if let caller { arguments.keywords.append(("caller", .macro(caller))) }
    return try call(function, arguments)
  }

  func call(_ function: Value, _ arguments: Arguments) throws(TemplateError) -> Value {
    try step()
    switch function {
    case .function(let function): return try function.call(self, arguments)
    case .macro(let macro):
      return .string(try nested { () throws(TemplateError) in try call(macro, arguments) })
    case .loop(let loop):
      guard let recurse = loop.recurse else {
        throw TemplateError(.type, "The loop must have the 'recursive' marker to be called recursively.")
      }
      guard let sequence = arguments.get(0, "iterable") else {
        throw TemplateError(.type, "LoopContext.__call__() missing 1 required positional argument: 'iterable'")
      }
      return .string(try recurse(sequence))
    case .undefined(let undefined): throw undefined.error
    default: throw TemplateError(.type, "'\(function.typeName)' object is not callable")
    }
  }

  private func call(_ macro: Macro, _ arguments: Arguments) throws(TemplateError) -> Text {
    let definition = macro.definition
    let scope = Scope(macro.scope)
    var keywords = arguments.keywords
    func take(_ name: String) -> Value? {
      guard let index = keywords.firstIndex(where: { $0.name == name }) else { return nil }
      return keywords.remove(at: index).value
    }
    var missing: [(name: String, parameter: Int)] = []
    for (index, name) in definition.parameters.enumerated() {
      if index < arguments.positional.count {
        scope.variables[name] = arguments.positional[index]
      } else if let value = take(name) {
        scope.variables[name] = value
      } else {
        missing.append((name, index))
        scope.variables[name] = .undefined(Undefined("parameter '\(name)' was not provided"))
      }
    }
    if definition.uses.contains("caller") {
      scope.variables["caller"] = take("caller") ?? .undefined(Undefined("No caller defined"))
    }
    if definition.uses.contains("kwargs") {
      var dict = Dict()
      for (name, value) in keywords { try dict.set(name, value) }
      scope.variables["kwargs"] = .dict(dict)
    } else if let (name, _) = keywords.first {
      throw TemplateError(
        .type,
        keywords.contains { $0.name == "caller" }
          ? "macro '\(definition.name)' was invoked with two values for the special caller argument. This is most likely a bug."
          : "macro '\(definition.name)' takes no keyword argument '\(name)'")
    }
    let extra = arguments.positional.dropFirst(definition.parameters.count)
    if definition.uses.contains("varargs") {
      scope.variables["varargs"] = .tuple(try List(Array(extra)))
    } else if !extra.isEmpty {
      throw TemplateError(
        .type, "macro '\(definition.name)' takes not more than \(definition.parameters.count) argument(s)")
    }
    let firstDefault = definition.parameters.count - definition.defaults.count
    for (name, index) in missing where index >= firstDefault {
      scope.variables[name] = try evaluate(definition.defaults[index - firstDefault], scope)
    }
    var output = Text()
    _ = try run(definition.body, scope, &output)
    return output
  }
}
