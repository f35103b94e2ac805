import JSON

extension SchemaCompiler {
  /// Compiles a string.
  mutating func string(_ schema: JSON, at pointer: String) throws(SchemaError) -> GrammarExpression {
    let least = try count("minLength", of: schema, at: pointer) ?? 0
    let most = try count("maxLength", of: schema, at: pointer)
    if let most, most < least { throw .matchesNothing(at: pointer) }
    if let only = try SchemaStrings(schema, at: pointer).onlyPattern(at: pointer) {
      let plain = try pattern(only, at: pointer)
      guard least > 0 || most != nil else { return quoted(plain) }
      // The characters themselves, to count them.
      var parser = PatternParser(only, at: pointer) { .characters($0) }
      let lengths = try parser.parse().lengths
      if lengths.least >= least, lengths.most.map({ $0 <= most ?? .max }) ?? (most == nil) { return quoted(plain) }
    }
    if let automaton = try SchemaStrings(schema, at: pointer).automaton(least: least, most: most, at: pointer) {
      guard !automaton.isEmpty else { throw .matchesNothing(at: pointer) }
      return quoted(.characterAutomaton(automaton))
    }
    guard least > 0 || most != nil else { return anyString() }
    let unit = sharedRule("character") { _ in StringSyntax.briefUnit }
    let isLong = max(least, most ?? 0) > 2000
    return quoted(.repeated(isLong ? unit : StringSyntax.briefUnit, min: least, max: most))
  }

  private func quoted(_ inside: GrammarExpression) -> GrammarExpression {
    .sequence([.text("\""), inside, .text("\"")])
  }

  func pattern(_ text: String, at pointer: String) throws(SchemaError) -> GrammarExpression {
    var parser = PatternParser(text, at: pointer) { StringSyntax.character(of: $0) }
    return try parser.parse()
  }
}

extension GrammarExpression {
  /// Least and largest number of characters that an expression without rules matches; the largest is nil without a
  /// bound.
  var lengths: (least: Int, most: Int?) {
    switch self {
    case .literal(let bytes): return (bytes.isEmpty ? 0 : 1, bytes.isEmpty ? 0 : nil)
    case .characters: return (1, 1)
    case .sequence(let parts):
      let all = parts.map(\.lengths)
      let least = all.reduce(0) { Self.capped($0 + $1.least) }
      return (least, all.allSatisfy { $0.most != nil } ? all.reduce(0) { Self.capped($0 + ($1.most ?? 0)) } : nil)
    case .choice(let parts):
      let all = parts.map(\.lengths)
      return (
        all.map(\.least).min() ?? 0, all.allSatisfy { $0.most != nil } ? all.compactMap(\.most).max() ?? 0 : nil
      )
    case .repeated(let part, let least, let most):
      let one = part.lengths
      let longest: Int? =
        if let most, let each = one.most { Self.capped(most.multipliedCapped(each)) } else {
          one.most == 0 ? 0 : nil
        }
      return (Self.capped(least.multipliedCapped(one.least)), longest)
    case .rule, .token, .characterAutomaton: return (0, nil)
    }
  }

  private static func capped(_ value: Int) -> Int { min(value, 1 << 40) }
}

extension Int {
  fileprivate func multipliedCapped(_ other: Int) -> Int {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? 1 << 40 : product
  }
}
