/// Reads the statements of a template.
struct Parser {
  var tokens: [Token]
  var position = 0
  var depth = 0
  private var loops = 0
  private var openTags: [String] = []
  private var expectedEnds: [[String]] = []

  /// Expressions and statements nest this deeply at most.
  static let deepest = 120

  static func parse(_ template: String) throws(TemplateError) -> [Statement] {
    var parser = Parser(tokens: try Lexer.tokens(of: template))
    return try parser.statements(until: [])
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  var current: Token { tokens[position] }
  var next: Token { tokens[min(position + 1, tokens.count - 1)] }

  mutating func advance() {
    if position < tokens.count - 1 { position += 1 }
  }

  func isSymbol(_ symbol: String) -> Bool { current.kind == .symbol(symbol) }
  func isName(_ name: String) -> Bool { current.kind == .name && current.text == name }

  mutating func skip(symbol: String) -> Bool {
    guard isSymbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func skip(name: String) -> Bool {
    guard isName(name) else { return false }
    advance()
    return true
  }

  func fail(_ message: String) -> TemplateError { TemplateError(.syntax, message, line: current.line) }

  func unexpected(_ expected: String) -> TemplateError {
    if current.kind == .end { return fail("unexpected end of template, expected '\(expected)'.") }
    return fail("expected token '\(expected)', got \(Representation.quoted(Text(current.description)).string)")
  }

  mutating func expect(symbol: String) throws(TemplateError) {
    guard skip(symbol: symbol) else { throw unexpected(symbol) }
  }

  mutating func expect(_ kind: Token.Kind) throws(TemplateError) {
    guard current.kind == kind else { throw unexpected(Token(kind: kind, text: "name", line: 0).description) }
    advance()
  }

  mutating func expectName() throws(TemplateError) -> String {
    guard current.kind == .name else { throw unexpected("name") }
    defer { advance() }
    return current.text
  }

  /// Goes one level deeper for the time of a call.
  mutating func nested<Result>(
    _ parse: (inout Parser) throws(TemplateError) -> Result
  ) throws(TemplateError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.deepest else {
      throw TemplateError(.recursion, "the template nests too deeply", line: current.line)
    }
    return try parse(&self)
  }

  /// Reads up to a block that begins with one of some names, which is left; to the end where there are none.
  private mutating func statements(until ends: [String]) throws(TemplateError) -> [Statement] {
    var body: [Statement] = []
    if !ends.isEmpty { expectedEnds.append(ends) }
    defer { if !ends.isEmpty { expectedEnds.removeLast() } }
    while true {
      switch current.kind {
      case .data:
        body.append(.data(Text(current.text)))
        advance()
      case .variableBegin:
        advance()
        body.append(.output(try tuple()))
        try expect(.variableEnd)
      case .blockBegin:
        advance()
        if current.kind == .name, ends.contains(current.text) { return body }
        body.append(contentsOf: try nested { parser throws(TemplateError) in try parser.statement() })
        try expect(.blockEnd)
      case .end:
        guard ends.isEmpty else { throw endError(nil) }
        return body
      default: throw fail("unexpected \(current.description)")
      }
    }
  }

  /// A body that follows the tag being read, up to its end.
  private mutating func body(until ends: [String]) throws(TemplateError) -> [Statement] {
    _ = skip(symbol: ":")
    try expect(.blockEnd)
    return try statements(until: ends)
  }

  private mutating func body(closedBy end: String) throws(TemplateError) -> [Statement] {
    let body = try body(until: [end])
    advance()
    return body
  }

  private func endError(_ name: String?) -> TemplateError {
    var message = name.map { "Encountered unknown tag '\($0)'." } ?? "Unexpected end of template."
    if let ends = expectedEnds.last {
      let looking = ends.map { "'\($0)'" }.joined(separator: " or ")
      if let name, expectedEnds.joined().contains(name) {
        message +=
          " You probably made a nesting mistake. Jinja is expecting this tag, but currently looking for \(looking)."
      } else {
        message += " Jinja was looking for the following tags: \(looking)."
      }
    }
    if let tag = openTags.last { message += " The innermost block that needs to be closed is '\(tag)'." }
    return fail(message)
  }

  private mutating func statement() throws(TemplateError) -> [Statement] {
    guard current.kind == .name else { throw fail("tag name expected") }
    let tag = current.text
    openTags.append(tag)
    // Kept where an error is thrown: nothing is read after it.
    let statement: Statement
    switch tag {
    case "for": statement = try forLoop()
    case "if": statement = try conditional()
    case "set": statement = try assignment()
    case "macro": statement = try macro()
    case "call": statement = try callBlock()
    case "filter":
      advance()
      let filters = try filters(on: nil, isInline: true)
      statement = .filterBlock(filters, body: try body(closedBy: "endfilter"))
    case "with": statement = try with()
    case "generation":
      advance()
      statement = .scope(try body(closedBy: "endgeneration"))
    case "autoescape":
      advance()
      _ = try expression()
      statement = .scope(try body(closedBy: "endautoescape"))
    case "block": statement = try block()
    case "print":
      advance()
      var outputs: [Statement] = []
      repeat { outputs.append(.output(try expression())) } while skip(symbol: ",")
      openTags.removeLast()
      return outputs
    case "break", "continue":
      advance()
      guard loops > 0 else { throw fail("'\(tag)' outside loop") }
      statement = tag == "break" ? .breakLoop : .continueLoop
    case "include", "import", "extends", "from":
      while current.kind != .blockEnd, current.kind != .end { advance() }
      statement = .needsLoader
    default:
      openTags.removeLast()
      throw endError(tag)
    }
    openTags.removeLast()
    return [statement]
  }

  private mutating func forLoop() throws(TemplateError) -> Statement {
    advance()
    let target = try target(endsBeforeIn: true)
    guard skip(name: "in") else { throw unexpected("in") }
    let sequence = try tuple(allowsConditional: false, endsBefore: ["recursive"])
    let test = skip(name: "if") ? try expression() : nil
    let isRecursive = skip(name: "recursive")
    loops += 1
    let body = try body(until: ["endfor", "else"])
    loops -= 1
    var otherwise: [Statement] = []
    let ending = current.text
    advance()
    if ending == "else" { otherwise = try self.body(closedBy: "endfor") }
    return .forLoop(
      ForLoop(
        target: target, sequence: sequence, test: test, isRecursive: isRecursive, body: body, otherwise: otherwise)
    )
  }

  private mutating func conditional() throws(TemplateError) -> Statement {
    var branches: [(test: Expression, body: [Statement])] = []
    var otherwise: [Statement] = []
    while true {
      advance()
      let test = try tuple(allowsConditional: false)
      branches.append((test, try body(until: ["elif", "else", "endif"])))
      if isName("elif") { continue }
      let hasElse = isName("else")
      advance()
      if hasElse { otherwise = try body(closedBy: "endif") }
      return .conditional(branches, otherwise: otherwise)
    }
  }

  private mutating func assignment() throws(TemplateError) -> Statement {
    advance()
    let target = try target(allowsAttribute: true)
    if skip(symbol: "=") { return .set(target, try tuple()) }
    let filters = isSymbol("|") ? try filters(on: nil) : nil
    return .setBlock(target, filters: filters, body: try body(closedBy: "endset"))
  }

  private mutating func with() throws(TemplateError) -> Statement {
    advance()
    var assignments: [(target: Target, value: Expression)] = []
    while current.kind != .blockEnd {
      if !assignments.isEmpty { try expect(symbol: ",") }
      let target = try target()
      try expect(symbol: "=")
      assignments.append((target, try expression()))
    }
    return .with(assignments, body: try body(closedBy: "endwith"))
  }

  private mutating func block() throws(TemplateError) -> Statement {
    advance()
    let name = try expectName()
    _ = skip(name: "scoped")
    _ = skip(name: "required")
    let body = try body(closedBy: "endblock")
    _ = skip(name: name)
    return .scope(body)
  }

  private mutating func macro() throws(TemplateError) -> Statement {
    advance()
    let name = try assignableName()
    let (parameters, defaults) = try signature()
    return .macro(try definition(named: name, parameters, defaults, end: "endmacro"))
  }

  private mutating func callBlock() throws(TemplateError) -> Statement {
    advance()
    let (parameters, defaults) = isSymbol("(") ? try signature() : ([], [])
    let call = try expression()
    guard case .call = call else { throw fail("expected call") }
    return .callBlock(try definition(named: "caller", parameters, defaults, end: "endcall"), call: call)
  }

  private mutating func definition(
    named name: String, _ parameters: [String], _ defaults: [Expression], end: String
  ) throws(TemplateError) -> MacroDefinition {
    let start = position
    let enclosing = loops
    loops = 0
    let body = try body(closedBy: end)
    loops = enclosing
    let names = tokens[start..<position].lazy.filter { $0.kind == .name }.map(\.text)
    let uses = Set(names).intersection(["caller", "kwargs", "varargs"]).subtracting(parameters)
    return MacroDefinition(name: name, parameters: parameters, defaults: defaults, body: body, uses: uses)
  }

  private mutating func signature() throws(TemplateError) -> ([String], [Expression]) {
    var parameters: [String] = []
    var defaults: [Expression] = []
    try expect(symbol: "(")
    while !isSymbol(")") {
      if !parameters.isEmpty { try expect(symbol: ",") }
      parameters.append(try assignableName())
      if skip(symbol: "=") {
        defaults.append(try expression())
      } else if !defaults.isEmpty {
        throw fail("non-default argument follows default argument")
      }
    }
    try expect(symbol: ")")
    return (parameters, defaults)
  }

  private mutating func assignableName() throws(TemplateError) -> String {
    let name = try expectName()
    try check(assignable: name)
    return name
  }

  private func check(assignable name: String) throws(TemplateError) {
    if ["true", "false", "none", "True", "False", "None"].contains(name) { throw fail("can't assign to 'const'") }
  }

  private mutating func target(
    allowsAttribute: Bool = false, endsBeforeIn: Bool = false
  ) throws(TemplateError) -> Target {
    var targets: [Target] = []
    var isTuple = false
    while true {
      if !targets.isEmpty { try expect(symbol: ",") }
      if isSymbol(")") || current.kind == .blockEnd || endsBeforeIn && isName("in") { break }
      targets.append(
        try nested { parser throws(TemplateError) in try parser.single(allowsAttribute: allowsAttribute) })
      guard isSymbol(",") else { break }
      isTuple = true
    }
    if isTuple { return .tuple(targets) }
    guard let target = targets.first else {
      throw fail("Expected an expression, got \(Representation.quoted(Text(current.description)).string)")
    }
    return target
  }

  private mutating func single(allowsAttribute: Bool) throws(TemplateError) -> Target {
    if skip(symbol: "(") {
      let inner = try target(allowsAttribute: allowsAttribute)
      try expect(symbol: ")")
      return inner
    }
    guard current.kind == .name else {
      throw fail(
        [.string, .integer, .float].contains(current.kind)
          ? "can't assign to 'const'" : "unexpected \(Representation.quoted(Text(current.description)).string)")
    }
    let name = try assignableName()
    if allowsAttribute, skip(symbol: ".") { return .attribute(of: name, try expectName()) }
    return .name(name)
  }
}
