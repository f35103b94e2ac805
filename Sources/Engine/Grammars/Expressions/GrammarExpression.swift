/// An expression that a rule of a grammar stands for.
indirect enum GrammarExpression: Sendable, Hashable {
  /// Exactly these bytes; none of them matches nothing at all.
  case literal([UInt8])
  /// One character of a set.
  case characters(CharacterSet)
  /// One after the other.
  case sequence([GrammarExpression])
  /// Choice of one of them.
  case choice([GrammarExpression])
  /// A number of repetitions between two bounds; without a maximum any number.
  case repeated(GrammarExpression, min: Int, max: Int?)
  /// A text that an automaton over characters admits, as JSON writes it within a string.
  case characterAutomaton(StringAutomaton)
  /// A match of another rule.
  case rule(Int)
  /// One token of the vocabulary, or any but that one.
  case token(TokenReference, isNegated: Bool)

  static let nothing = GrammarExpression.literal([])

  static func text(_ text: String) -> GrammarExpression { .literal(Array(text.utf8)) }

  static func optional(_ expression: GrammarExpression) -> GrammarExpression {
    .repeated(expression, min: 0, max: 1)
  }

  static func any(_ expression: GrammarExpression) -> GrammarExpression { .repeated(expression, min: 0, max: nil) }

  /// Returns a choice; a choice of one is that one.
  static func oneOf(_ expressions: [GrammarExpression]) -> GrammarExpression {
    expressions.count == 1 ? expressions[0] : .choice(expressions)
  }
}

/// A token that a grammar names, by its number or its text.
package enum TokenReference: Sendable, Hashable {
  case number(Int)
  case text(String)
}
