/// Refuses filters and tests that do not exist, but for those that a condition may keep from being reached:
/// they are errors only when they run.
struct NameCheck {
  static func check(_ template: [Statement]) throws(TemplateError) {
    try statements(template, isConditional: false)
  }

  private static func statements(_ body: [Statement], isConditional: Bool) throws(TemplateError) {
    for statement in body { try self.statement(statement, isConditional) }
  }

  private static func statement(_ statement: Statement, _ soft: Bool) throws(TemplateError) {
    switch statement {
    case .output(let expression), .set(_, let expression): try check(expression, soft)
    case .forLoop(let loop):
      try check(loop.sequence, soft)
      try check(loop.test, false)
      try statements(loop.body, isConditional: false)
      try statements(loop.otherwise, isConditional: false)
    case .conditional(let branches, let otherwise):
      for branch in branches {
        try check(branch.test, true)
        try statements(branch.body, isConditional: true)
      }
      try statements(otherwise, isConditional: true)
    case .setBlock(_, let filters, let body):
      try check(filters, false)
      try statements(body, isConditional: false)
    case .macro(let macro): try check(macro)
    case .callBlock(let macro, let call):
      try check(macro)
      try check(call, soft)
    case .filterBlock(let filters, let body):
      try check(filters, false)
      try statements(body, isConditional: false)
    case .with(let assignments, let body):
      for assignment in assignments { try check(assignment.value, soft) }
      try statements(body, isConditional: false)
    case .scope(let body): try statements(body, isConditional: false)
    case .data, .breakLoop, .continueLoop, .needsLoader: break
    }
  }

  private static func check(_ macro: MacroDefinition) throws(TemplateError) {
    for expression in macro.defaults { try check(expression, false) }
    try statements(macro.body, isConditional: false)
  }

  private static func check(_ arguments: CallArguments, _ soft: Bool) throws(TemplateError) {
    for expression in arguments.positional { try check(expression, soft) }
    for (_, expression) in arguments.keywords { try check(expression, soft) }
    try check(arguments.spread, soft)
    try check(arguments.keywordSpread, soft)
  }

  private static func check(_ expression: Expression?, _ soft: Bool) throws(TemplateError) {
    switch expression {
    case nil, .constant, .name: break
    case .list(let elements), .tuple(let elements), .concatenation(let elements):
      for element in elements { try check(element, soft) }
    case .dict(let pairs):
      for pair in pairs {
        try check(pair.key, soft)
        try check(pair.value, soft)
      }
    case .attribute(let inner, _), .not(let inner), .negative(let inner), .positive(let inner):
      try check(inner, soft)
    case .item(let first, let second), .and(let first, let second), .or(let first, let second),
      .binary(_, let first, let second):
      try check(first, soft)
      try check(second, soft)
    case .slice(let first, let second, let third):
      for bound in [first, second, third] { try check(bound, soft) }
    case .call(let callee, let arguments):
      try check(callee, soft)
      try check(arguments, soft)
    case .filter(let inner, let name, let arguments):
      guard soft || Filters.exists(name) else { throw TemplateError(.assertion, "No filter named '\(name)'.") }
      try check(inner, soft)
      try check(arguments, soft)
    case .test(let inner, let name, let arguments):
      guard soft || Tests.exists(name) else { throw TemplateError(.assertion, "No test named '\(name)'.") }
      try check(inner, soft)
      try check(arguments, soft)
    case .comparison(let first, let operations):
      try check(first, soft)
      for (_, operand) in operations { try check(operand, soft) }
    case .conditional(let test, let then, let otherwise):
      try check(test, true)
      try check(then, true)
      try check(otherwise, true)
    }
  }
}
