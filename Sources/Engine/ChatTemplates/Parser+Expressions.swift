extension Parser {
  /// Counts the links of a chain that makes an expression deeper with each.
  private func link(_ links: inout Int, limit: Int = 1_000) throws(TemplateError) {
    links += 1
    guard links + depth <= limit else {
      throw TemplateError(.recursion, "the template nests too deeply", line: current.line)
    }
  }

  mutating func expression(allowsConditional: Bool = true) throws(TemplateError) -> Expression {
    try nested { parser throws(TemplateError) in
      allowsConditional ? try parser.conditionalExpression() : try parser.orExpression()
    }
  }

  private mutating func conditionalExpression() throws(TemplateError) -> Expression {
    var result = try orExpression()
    var links = 0
    while skip(name: "if") {
      try link(&links, limit: Self.deepest)
      let test = try orExpression()
      let otherwise = skip(name: "else") ? try expression() : nil
      result = .conditional(test: test, then: result, otherwise: otherwise)
    }
    return result
  }

  private mutating func orExpression() throws(TemplateError) -> Expression {
    var left = try andExpression()
    var links = 0
    while skip(name: "or") {
      left = .or(left, try andExpression())
      try link(&links)
    }
    return left
  }

  private mutating func andExpression() throws(TemplateError) -> Expression {
    var left = try notExpression()
    var links = 0
    while skip(name: "and") {
      left = .and(left, try notExpression())
      try link(&links)
    }
    return left
  }

  private mutating func notExpression() throws(TemplateError) -> Expression {
    guard skip(name: "not") else { return try comparison() }
    return .not(try nested { parser throws(TemplateError) in try parser.notExpression() })
  }

  private mutating func comparison() throws(TemplateError) -> Expression {
    let left = try sum()
    var operations: [(operation: ComparisonOperator, operand: Expression)] = []
    while true {
      if case .symbol(let symbol) = current.kind, let operation = ComparisonOperator(rawValue: symbol) {
        advance()
        operations.append((operation, try sum()))
      } else if skip(name: "in") {
        operations.append((.isIn, try sum()))
      } else if isName("not"), next.kind == .name, next.text == "in" {
        advance()
        advance()
        operations.append((.isNotIn, try sum()))
      } else {
        return operations.isEmpty ? left : .comparison(left, operations)
      }
    }
  }

  private mutating func sum() throws(TemplateError) -> Expression {
    var left = try concatenation()
    var links = 0
    while true {
      try link(&links)
      if skip(symbol: "+") {
        left = .binary(.add, left, try concatenation())
      } else if skip(symbol: "-") {
        left = .binary(.subtract, left, try concatenation())
      } else {
        return left
      }
    }
  }

  private mutating func concatenation() throws(TemplateError) -> Expression {
    var parts = [try product()]
    while skip(symbol: "~") { parts.append(try product()) }
    return parts.count == 1 ? parts[0] : .concatenation(parts)
  }

  private mutating func product() throws(TemplateError) -> Expression {
    let operations: [String: BinaryOperator] = ["*": .multiply, "/": .divide, "//": .floorDivide, "%": .modulo]
    var left = try power()
    var links = 0
    while case .symbol(let symbol) = current.kind, let operation = operations[symbol] {
      advance()
      left = .binary(operation, left, try power())
      try link(&links)
    }
    return left
  }

  private mutating func power() throws(TemplateError) -> Expression {
    var left = try unary()
    var links = 0
    while skip(symbol: "**") {
      left = .binary(.power, left, try unary())
      try link(&links)
    }
    return left
  }

  private mutating func unary(allowsFilters: Bool = true) throws(TemplateError) -> Expression {
    var node: Expression
    if skip(symbol: "-") {
      node = .negative(try nested { parser throws(TemplateError) in try parser.unary(allowsFilters: false) })
    } else if skip(symbol: "+") {
      node = .positive(try nested { parser throws(TemplateError) in try parser.unary(allowsFilters: false) })
    } else {
      node = try primary()
    }
    node = try postfix(node)
    return allowsFilters ? try filterChain(node) : node
  }

  private mutating func primary() throws(TemplateError) -> Expression {
    let token = current
    switch token.kind {
    case .name:
      advance()
      switch token.text {
      case "true", "True": return .constant(.bool(true))
      case "false", "False": return .constant(.bool(false))
      case "none", "None": return .constant(.none)
      default: return .name(token.text)
      }
    case .string:
      var text = ""
      while current.kind == .string {
        text.unicodeScalars.append(contentsOf: current.text.unicodeScalars)
        advance()
      }
      return .constant(.string(Text(text)))
    case .integer:
      advance()
      return .constant(.int(token.integer))
    case .float:
      advance()
      return .constant(.float(token.float))
    case .symbol("("):
      advance()
      let inner = try tuple(isParenthesised: true)
      try expect(symbol: ")")
      return inner
    case .symbol("["):
      advance()
      let elements = try elements(until: "]") { parser throws(TemplateError) in try parser.expression() }
      return .list(elements)
    case .symbol("{"):
      advance()
      let pairs = try elements(until: "}") {
        parser throws(TemplateError) -> (key: Expression, value: Expression) in
        let key = try parser.expression()
        try parser.expect(symbol: ":")
        return (key, try parser.expression())
      }
      return .dict(pairs)
    default: throw fail("unexpected \(Representation.quoted(Text(token.description)).string)")
    }
  }

  private mutating func elements<Element>(
    until end: String, _ element: (inout Parser) throws(TemplateError) -> Element
  ) throws(TemplateError) -> [Element] {
    var elements: [Element] = []
    while !isSymbol(end) {
      if !elements.isEmpty { try expect(symbol: ",") }
      if isSymbol(end) { break }
      elements.append(try element(&self))
    }
    try expect(symbol: end)
    return elements
  }

  /// One expression, or a tuple where commas part several.
  mutating func tuple(
    allowsConditional: Bool = true, endsBefore names: [String] = [], isParenthesised: Bool = false
  ) throws(TemplateError) -> Expression {
    var elements: [Expression] = []
    var isTuple = false
    while true {
      if !elements.isEmpty { try expect(symbol: ",") }
      if current.kind == .variableEnd || current.kind == .blockEnd || isSymbol(")")
        || current.kind == .name && names.contains(current.text)
      {
        break
      }
      elements.append(try expression(allowsConditional: allowsConditional))
      guard isSymbol(",") else { break }
      isTuple = true
    }
    if !isTuple {
      if let element = elements.first { return element }
      guard isParenthesised else {
        throw fail("Expected an expression, got \(Representation.quoted(Text(current.description)).string)")
      }
    }
    return .tuple(elements)
  }

  private mutating func postfix(_ node: Expression) throws(TemplateError) -> Expression {
    var node = node
    var links = 0
    while true {
      if isSymbol(".") || isSymbol("[") {
        node = try subscripted(node)
      } else if isSymbol("(") {
        node = .call(node, try callArguments())
      } else {
        return node
      }
      try link(&links, limit: Self.deepest)
    }
  }

  private mutating func filterChain(_ node: Expression) throws(TemplateError) -> Expression {
    var node = node
    var links = 0
    while true {
      if isSymbol("|") {
        node = try filters(on: node)
      } else if isName("is") {
        node = try test(on: node)
      } else if isSymbol("(") {
        node = .call(node, try callArguments())
      } else {
        return node
      }
      try link(&links, limit: Self.deepest)
    }
  }

  private mutating func subscripted(_ node: Expression) throws(TemplateError) -> Expression {
    if skip(symbol: ".") {
      let token = current
      advance()
      switch token.kind {
      case .name: return .attribute(node, token.text)
      case .integer: return .item(node, .constant(.int(token.integer)))
      default: throw TemplateError(.syntax, "expected name or number", line: token.line)
      }
    }
    advance()
    var arguments: [Expression] = []
    while !isSymbol("]") {
      if !arguments.isEmpty { try expect(symbol: ",") }
      arguments.append(try subscriptArgument())
    }
    try expect(symbol: "]")
    return .item(node, arguments.count == 1 ? arguments[0] : .tuple(arguments))
  }

  private mutating func subscriptArgument() throws(TemplateError) -> Expression {
    var bounds: [Expression?] = []
    if isSymbol(":") {
      advance()
      bounds = [nil]
    } else {
      let node = try expression()
      guard skip(symbol: ":") else { return node }
      bounds = [node]
    }
    if isSymbol(":") || isSymbol("]") || isSymbol(",") {
      bounds.append(nil)
    } else {
      bounds.append(try expression())
    }
    if skip(symbol: ":"), !isSymbol("]"), !isSymbol(",") {
      bounds.append(try expression())
    } else {
      bounds.append(nil)
    }
    return .slice(bounds[0], bounds[1], bounds[2])
  }

  private mutating func callArguments() throws(TemplateError) -> CallArguments {
    let invalid = fail("invalid syntax for function call expression")
    try expect(symbol: "(")
    var arguments = CallArguments()
    var needsComma = false
    while !isSymbol(")") {
      if needsComma {
        try expect(symbol: ",")
        if isSymbol(")") { break }
      }
      if isSymbol("*") {
        guard arguments.spread == nil, arguments.keywordSpread == nil else { throw invalid }
        advance()
        arguments.spread = try expression()
      } else if isSymbol("**") {
        guard arguments.keywordSpread == nil else { throw invalid }
        advance()
        arguments.keywordSpread = try expression()
      } else if current.kind == .name, next.kind == .symbol("=") {
        guard arguments.keywordSpread == nil else { throw invalid }
        let name = current.text
        advance()
        advance()
        arguments.keywords.append((name, try expression()))
      } else {
        guard arguments.spread == nil, arguments.keywordSpread == nil, arguments.keywords.isEmpty else {
          throw invalid
        }
        arguments.positional.append(try expression())
      }
      needsComma = true
    }
    try expect(symbol: ")")
    return arguments
  }

  private mutating func dottedName() throws(TemplateError) -> String {
    var name = try expectName()
    while skip(symbol: ".") { name += "." + (try expectName()) }
    return name
  }

  /// Filters one after the other; `isInline` where the first comes without its bar.
  mutating func filters(on node: Expression?, isInline: Bool = false) throws(TemplateError) -> Expression {
    var node = node
    var isInline = isInline
    var links = 0
    while isInline || isSymbol("|") {
      if !isInline { advance() }
      isInline = false
      let name = try dottedName()
      node = .filter(node, name, isSymbol("(") ? try callArguments() : CallArguments())
      try link(&links, limit: Self.deepest)
    }
    guard let node else { throw fail("expected a filter") }
    return node
  }

  private mutating func test(on node: Expression) throws(TemplateError) -> Expression {
    advance()
    let isNegated = skip(name: "not")
    let name = try dottedName()
    var arguments = CallArguments()
    switch current.kind {
    case .symbol("("): arguments = try callArguments()
    case .name where ["else", "or", "and"].contains(current.text): break
    case .name, .string, .integer, .float, .symbol("["), .symbol("{"):
      if isName("is") { throw fail("You cannot chain multiple tests with is") }
      arguments.positional = [try postfix(try primary())]
    default: break
    }
    let test = Expression.test(node, name, arguments)
    return isNegated ? .not(test) : test
  }
}
