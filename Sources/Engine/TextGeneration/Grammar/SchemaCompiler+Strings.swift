import JSON

extension SchemaCompiler {
  /// A string.
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
  /// The least and the most characters that an expression without rules matches; the most is nil without a bound.
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

/// An automaton over characters, of an expression made of sets of them.
struct CharacterAutomaton {
  private(set) var edges: [[(set: CharacterSet, target: Int)]] = []
  private var empty: [[Int]] = []
  private(set) var isFinal: [Bool] = []
  /// Whether the expression is longer than is useful.
  private(set) var isCutOff = false

  init(_ expression: GrammarExpression) {
    _ = node()
    let end = node()
    add(expression, from: 0, to: end)
    isFinal[end] = true
    removeEmptySteps()
  }

  var count: Int { isFinal.count }

  private static let limit = 20_000

  private mutating func node() -> Int {
    edges.append([])
    empty.append([])
    isFinal.append(false)
    return isFinal.count - 1
  }

  private mutating func add(_ expression: GrammarExpression, from: Int, to: Int) {
    guard count < Self.limit else {
      isCutOff = true
      return
    }
    switch expression {
    case .characters(let set): edges[from].append((set, to))
    case .sequence(let parts):
      var place = from
      for part in parts {
        let next = node()
        add(part, from: place, to: next)
        place = next
      }
      empty[place].append(to)
    case .choice(let parts): for part in parts { add(part, from: from, to: to) }
    case .repeated(let part, let least, let most):
      var place = from
      for index in 0..<(most ?? least) where count < Self.limit {
        if index >= least { empty[place].append(to) }
        let next = node()
        add(part, from: place, to: next)
        place = next
      }
      if most == nil {
        let loop = node()
        empty[place].append(loop)
        add(part, from: loop, to: loop)
        empty[loop].append(to)
      } else {
        empty[place].append(to)
      }
    case .literal, .rule, .token, .characterAutomaton: empty[from].append(to)
    }
  }

  private mutating func removeEmptySteps() {
    let (oldEdges, oldFinal) = (edges, isFinal)
    for state in 0..<count {
      var seen: Set<Int> = [state]
      var open = [state]
      while let next = open.popLast() {
        if next != state {
          edges[state] += oldEdges[next]
          if oldFinal[next] { isFinal[state] = true }
        }
        for other in empty[next] where seen.insert(other).inserted { open.append(other) }
      }
    }
    // Only what can be reached keeps a number.
    var numbers = [0: 0]
    var order = [0]
    var place = 0
    while place < order.count {
      for edge in edges[order[place]] where numbers[edge.target] == nil {
        numbers[edge.target] = order.count
        order.append(edge.target)
      }
      place += 1
    }
    edges = order.map { old in edges[old].map { ($0.set, numbers[$0.target] ?? 0) } }
    isFinal = order.map { isFinal[$0] }
    empty = []
  }
}
