/// Variables of one scope and where to look for those it does not have.
final class Scope {
  var variables: [String: Value] = [:]
  let parent: Scope?

  init(_ parent: Scope?) { self.parent = parent }

  func find(_ name: String) -> Value? {
    var scope: Scope? = self
    while let current = scope {
      if let value = current.variables[name] { return value }
      scope = current.parent
    }
    return nil
  }
}

/// Runs a template once.
final class Renderer {
  private let limits: TemplateLimits
  private var stepsLeft: Int
  private var charactersLeft: Int
  private var depth = 0
  let time: TemplateTime
  /// Scopes and namespaces that may refer to themselves and are emptied in the end.
  private var scopes: [Scope] = []
  private var namespaces: [Namespace] = []

  enum Flow { case goesOn, breaks, continues }

  init(limits: TemplateLimits, time: TemplateTime) {
    self.limits = limits
    self.time = time
    stepsLeft = limits.steps
    charactersLeft = limits.characters
  }

  /// Counts work; throws where it is too much.
  func step(_ count: Int = 1) throws(TemplateError) {
    stepsLeft -= min(count, limits.steps + 1)
    guard stepsLeft >= 0 else { throw TemplateError(.limit, "the template took more than \(limits.steps) steps") }
  }

  /// Counts characters that are made, before they are.
  func make(_ count: Int) throws(TemplateError) {
    charactersLeft -= min(count, limits.characters + 1)
    guard charactersLeft >= 0 else {
      throw TemplateError(.limit, "the template made more than \(limits.characters) characters")
    }
  }

  /// Goes one level deeper for the time of a call.
  func nested<Result>(_ body: () throws(TemplateError) -> Result) throws(TemplateError) -> Result {
    depth += 1
    defer { depth -= 1 }
    guard depth <= limits.depth else { throw TemplateError(.recursion, "maximum recursion depth exceeded") }
    return try body()
  }

  func track(_ namespace: Namespace) { namespaces.append(namespace) }

  func render(_ template: [Statement], variables: [String: Value]) throws(TemplateError) -> Text {
    defer {
      for scope in scopes { scope.variables = [:] }
      for namespace in namespaces { namespace.attributes = Dict() }
    }
    let globals = Scope(nil)
    globals.variables = Globals.functions.merging(variables) { $1 }
    let scope = Scope(globals)
    scopes.append(scope)
    var output = Text()
    _ = try run(template, scope, &output)
    return output
  }

  func run(_ statements: [Statement], _ scope: Scope, _ output: inout Text) throws(TemplateError) -> Flow {
    for statement in statements {
      try step()
      let flow = try run(statement, scope, &output)
      if flow != .goesOn { return flow }
    }
    return .goesOn
  }

  private func run(_ statement: Statement, _ scope: Scope, _ output: inout Text) throws(TemplateError) -> Flow {
    switch statement {
    case .data(let text):
      try make(text.count)
      output += text
    case .output(let expression):
      let text = try Representation.text(try evaluate(expression, scope), self)
      try make(text.count)
      output += text
    case .conditional(let branches, let otherwise):
      for branch in branches where try evaluate(branch.test, scope).isTrue {
        return try nested { () throws(TemplateError) in try run(branch.body, scope, &output) }
      }
      return try nested { () throws(TemplateError) in try run(otherwise, scope, &output) }
    case .forLoop(let loop): try run(loop, scope, &output)
    case .set(let target, let expression): try assign(target, try evaluate(expression, scope), scope)
    case .setBlock(let target, let filters, let body):
      var value = Value.string(try capture(body, Scope(scope)))
      if let filters { value = try evaluate(filters, scope, filtering: value) }
      try assign(target, value, scope)
    case .macro(let definition):
      scopes.append(scope)
      scope.variables[definition.name] = .macro(Macro(definition, scope))
    case .callBlock(let definition, let call):
      let caller = Macro(definition, scope)
      let text = try Representation.text(try evaluateCall(call, scope, caller: caller), self)
      try make(text.count)
      output += text
    case .filterBlock(let filters, let body):
      let value = try evaluate(filters, scope, filtering: .string(try capture(body, Scope(scope))))
      output += try Representation.text(value, self)
    case .with(let assignments, let body):
      let inner = Scope(scope)
      for assignment in assignments { try assign(assignment.target, try evaluate(assignment.value, scope), inner) }
      return try nested { () throws(TemplateError) in try run(body, inner, &output) }
    case .scope(let body): return try nested { () throws(TemplateError) in try run(body, Scope(scope), &output) }
    case .breakLoop: return .breaks
    case .continueLoop: return .continues
    case .needsLoader: throw TemplateError(.type, "no loader for this environment specified")
    }
    return .goesOn
  }

  func capture(_ body: [Statement], _ scope: Scope) throws(TemplateError) -> Text {
    var output = Text()
    _ = try nested { () throws(TemplateError) in try run(body, scope, &output) }
    return output
  }

  func assign(_ target: Target, _ value: Value, _ scope: Scope) throws(TemplateError) {
    switch target {
    case .name(let name): scope.variables[name] = value
    case .tuple(let targets):
      let values: [Value]
      switch value {
      case .int, .float, .bool, .none, .namespace, .macro, .function:
        throw TemplateError(.type, "cannot unpack non-iterable \(value.typeName) object")
      default: values = try elements(of: value)
      }
      guard values.count >= targets.count else {
        throw TemplateError(
          .value, "not enough values to unpack (expected \(targets.count), got \(values.count))")
      }
      guard values.count == targets.count else {
        throw TemplateError(.value, "too many values to unpack (expected \(targets.count))")
      }
      for (target, value) in zip(targets, values) { try assign(target, value, scope) }
    case .attribute(let name, let attribute):
      guard case .namespace(let namespace) = scope.find(name) else {
        throw TemplateError(.runtime, "cannot assign attribute on non-namespace object")
      }
      try namespace.attributes.set(attribute, value)
    }
  }

  // MARK: Loops

  private func run(_ loop: ForLoop, _ scope: Scope, _ output: inout Text) throws(TemplateError) {
    let sequence = try evaluate(loop.sequence, scope)
    try run(loop, over: sequence, depth: 0, scope, &output)
  }

  func run(
    _ loop: ForLoop, over sequence: Value, depth: Int, _ scope: Scope, _ output: inout Text
  ) throws(TemplateError) {
    let source = try iterator(over: sequence)
    var length = try? count(of: sequence)  // Where there is none, the loop counts for itself.
    var next = source
    if let test = loop.test {
      length = nil
      next = { () throws(TemplateError) -> Value? in
        while let value = try source() {
          let inner = Scope(scope)
          try self.assign(loop.target, value, inner)
          inner.variables["loop"] = .undefined(Undefined(name: "loop"))
          if try self.evaluate(test, inner).isTrue { return value }
        }
        return nil
      }
    }
    let context = LoopContext(next, length: length, depth: depth)
    if loop.isRecursive {
      context.recurse = { (inner: Value) throws(TemplateError) -> Text in
        var text = Text()
        try self.nested { () throws(TemplateError) in
          try self.run(loop, over: inner, depth: depth + 1, scope, &text)
        }
        return text
      }
    }
    var ran = false
    defer { context.finish() }
    while let value = try context.advance() {
      ran = true
      try step()
      let inner = Scope(scope)
      inner.variables["loop"] = .loop(context)
      try assign(loop.target, value, inner)
      let flow = try nested { () throws(TemplateError) in try run(loop.body, inner, &output) }
      if flow == .breaks { break }
    }
    if !ran { _ = try nested { () throws(TemplateError) in try run(loop.otherwise, Scope(scope), &output) } }
  }
}

/// Value of `loop` inside a loop.
final class LoopContext {
  private var source: () throws(TemplateError) -> Value?
  private var knownLength: Int?
  private var ahead: Value??
  private(set) var current: Value?
  private(set) var previous: Value?
  private(set) var index = 0
  let depth: Int
  private var lastChanged: [Value]?
  var recurse: ((Value) throws(TemplateError) -> Text)?

  init(_ source: @escaping () throws(TemplateError) -> Value?, length: Int?, depth: Int) {
    self.source = source
    knownLength = length
    self.depth = depth
  }

  func advance() throws(TemplateError) -> Value? {
    let next = try peek()
    ahead = nil
    guard let next else { return nil }
    index += 1
    previous = current
    current = next
    return next
  }

  func peek() throws(TemplateError) -> Value? {
    if let ahead { return ahead }
    let value = try source()
    ahead = .some(value)
    return value
  }

  func length() throws(TemplateError) -> Int {
    if let knownLength { return knownLength }
    var rest: [Value] = []
    if let next = try peek() {
      rest.append(next)
      while let value = try source() { rest.append(value) }
    }
    let length = index + rest.count
    knownLength = length
    ahead = nil
    var position = 0
    source = { () throws(TemplateError) -> Value? in
      guard position < rest.count else { return nil }
      position += 1
      return rest[position - 1]
    }
    return length
  }

  func hasChanged(_ values: [Value], _ renderer: Renderer) throws(TemplateError) -> Bool {
    defer { lastChanged = values }
    guard let lastChanged else { return true }
    return try !renderer.equal(.tuple(List(lastChanged)), .tuple(List(values)))
  }

  /// Lets go of what may refer back to the loop.
  func finish() {
    recurse = nil
    source = { () throws(TemplateError) -> Value? in nil }
    lastChanged = nil
    (current, previous, ahead) = (nil, nil, nil)
  }
}

/// A macro and the scope it was made in.
final class Macro {
  let definition: MacroDefinition
  let scope: Scope

  init(_ definition: MacroDefinition, _ scope: Scope) {
    self.definition = definition
    self.scope = scope
  }
}
