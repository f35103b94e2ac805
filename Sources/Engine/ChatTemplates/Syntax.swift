/// An expression of a template.
indirect enum Expression: Sendable {
  case constant(Constant)
  case name(String)
  case list([Expression])
  case tuple([Expression])
  case dict([(key: Expression, value: Expression)])
  case attribute(Expression, String)
  case item(Expression, Expression)
  case slice(Expression?, Expression?, Expression?)
  case call(Expression, CallArguments)
  /// Without an operand where a block is filtered.
  case filter(Expression?, String, CallArguments)
  case test(Expression, String, CallArguments)
  case not(Expression)
  case negative(Expression)
  case positive(Expression)
  case and(Expression, Expression)
  case or(Expression, Expression)
  case binary(BinaryOperator, Expression, Expression)
  case comparison(Expression, [(operation: ComparisonOperator, operand: Expression)])
  case concatenation([Expression])
  case conditional(test: Expression, then: Expression, otherwise: Expression?)
}

enum BinaryOperator: String, Sendable {
  case add = "+", subtract = "-", multiply = "*", divide = "/", floorDivide = "//", modulo = "%", power =
    "** or pow()"
}

enum ComparisonOperator: String, Sendable {
  case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
  case isIn = "in", isNotIn = "not in"
}

/// The arguments of a call as they are written.
struct CallArguments: Sendable {
  var positional: [Expression] = []
  var keywords: [(name: String, value: Expression)] = []
  var spread: Expression?
  var keywordSpread: Expression?
}

/// A value that is written in a template.
enum Constant: Sendable {
  case none
  case bool(Bool)
  case int(Int)
  case float(Double)
  case string(Text)

  var value: Value {
    switch self {
    case .none: .none
    case .bool(let flag): .bool(flag)
    case .int(let number): .int(number)
    case .float(let number): .float(number)
    case .string(let text): .string(text)
    }
  }
}

/// Target of an assignment.
indirect enum Target: Sendable {
  case name(String)
  case tuple([Target])
  case attribute(of: String, String)
}

/// A statement of a template.
indirect enum Statement: Sendable {
  case data(Text)
  case output(Expression)
  case forLoop(ForLoop)
  case conditional([(test: Expression, body: [Statement])], otherwise: [Statement])
  case set(Target, Expression)
  case setBlock(Target, filters: Expression?, body: [Statement])
  case macro(MacroDefinition)
  case callBlock(MacroDefinition, call: Expression)
  case filterBlock(Expression, body: [Statement])
  case with([(target: Target, value: Expression)], body: [Statement])
  /// Statements with variables of their own: `generation`, `block`, `autoescape`.
  case scope([Statement])
  case breakLoop
  case continueLoop
  /// A statement that needs other templates, of which there are none.
  case needsLoader
}

struct ForLoop: Sendable {
  let target: Target
  let sequence: Expression
  let test: Expression?
  let isRecursive: Bool
  let body: [Statement]
  let otherwise: [Statement]
}

final class MacroDefinition: Sendable {
  let name: String
  let parameters: [String]
  /// The defaults of the last parameters.
  let defaults: [Expression]
  let body: [Statement]
  /// Names among `caller`, `kwargs` and `varargs` that the body uses.
  let uses: Set<String>

  init(name: String, parameters: [String], defaults: [Expression], body: [Statement], uses: Set<String>) {
    self.name = name
    self.parameters = parameters
    self.defaults = defaults
    self.body = body
    self.uses = uses
  }
}
