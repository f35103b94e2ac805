/// One rule as an automaton over bytes, calls of rules and tokens: first with empty steps, then without.
struct RuleAutomaton {
  struct ByteEdge { var range: ClosedRange<UInt8>, target: Int32 }
  /// A step over something other than a byte: a rule's match, or a token.
  struct Step: Hashable {
    enum Symbol: Hashable { case rule(Int), token(Int) }
    var symbol: Symbol
    var target: Int32
  }

  private(set) var byteEdges: [[ByteEdge]] = []
  private(set) var steps: [[Step]] = []
  private var empty: [[Int32]] = []
  private(set) var start: Int32 = 0
  /// Indicates whether the rule is matched at a state, by state.
  private(set) var isFinal: [Bool] = []
  private let limit: Int
  /// The tokens that the grammar names, over all its rules.
  private(set) var tokens: [TokenStep]

  /// Creates the automaton of a rule.
  /// - Parameters:
  ///   - tokens: the tokens that the rules before it name.
  ///   - limit: the largest number of states.
  /// - Throws: ``GrammarError/tooLarge(limit:)``.
  init(_ expression: GrammarExpression, tokens: [TokenStep], limit: Int) throws(GrammarError) {
    self.limit = limit
    self.tokens = tokens
    start = try node()
    let end = try node()
    try add(expression, from: start, to: end)
    isFinal[Int(end)] = true
    determine()
  }

  var count: Int { isFinal.count }

  private mutating func node() throws(GrammarError) -> Int32 {
    guard isFinal.count < limit else { throw .tooLarge(limit: limit) }
    byteEdges.append([])
    steps.append([])
    empty.append([])
    isFinal.append(false)
    return Int32(isFinal.count - 1)
  }

  /// Adds the paths that match an expression. Loops get states of their own, so that no path leaks into another.
  private mutating func add(_ expression: GrammarExpression, from: Int32, to: Int32) throws(GrammarError) {
    switch expression {
    case .literal(let bytes):
      var place = from
      for (index, byte) in bytes.enumerated() {
        let next = index == bytes.count - 1 ? to : try node()
        byteEdges[Int(place)].append(ByteEdge(range: byte...byte, target: next))
        place = next
      }
      if bytes.isEmpty { empty[Int(from)].append(to) }
    case .characters(let set): try add(set, from: from, to: to)
    case .sequence(let parts):
      var place = from
      for (index, part) in parts.enumerated() {
        let next = index == parts.count - 1 ? to : try node()
        try add(part, from: place, to: next)
        place = next
      }
      if parts.isEmpty { empty[Int(from)].append(to) }
    case .choice(let parts):
      for part in parts { try add(part, from: from, to: to) }
    case .repeated(let part, let least, let most):
      var place = from
      for _ in 0..<least {
        let next = try node()
        try add(part, from: place, to: next)
        place = next
      }
      guard let most else {
        let loop = try node()
        empty[Int(place)].append(loop)
        try add(part, from: loop, to: loop)
        empty[Int(loop)].append(to)
        return
      }
      for _ in least..<max(least, most) {
        empty[Int(place)].append(to)
        let next = try node()
        try add(part, from: place, to: next)
        place = next
      }
      empty[Int(place)].append(to)
    case .characterAutomaton(let automaton):
      var nodes: [Int32] = []
      for _ in 0..<automaton.count { nodes.append(try node()) }
      empty[Int(from)].append(nodes[automaton.start])
      for state in 0..<automaton.count {
        for edge in automaton.edges[state] {
          try add(StringSyntax.character(of: edge.set), from: nodes[state], to: nodes[edge.target])
        }
        if automaton.isFinal[state] { empty[Int(nodes[state])].append(to) }
      }
    case .rule(let rule): steps[Int(from)].append(Step(symbol: .rule(rule), target: to))
    case .token(let reference, let isNegated):
      let token = TokenStep(reference: reference, isNegated: isNegated)
      let number = tokens.firstIndex(of: token) ?? tokens.count
      if number == tokens.count { tokens.append(token) }
      steps[Int(from)].append(Step(symbol: .token(number), target: to))
    }
  }

  /// Adds a set of characters; sequences that end alike share their last states.
  private mutating func add(_ set: CharacterSet, from: Int32, to: Int32) throws(GrammarError) {
    var shared: [[ClosedRange<UInt8>]: Int32] = [:]
    for sequence in set.byteSequences {
      var target = to
      for index in stride(from: sequence.count - 1, to: 0, by: -1) {
        let rest = Array(sequence[index...])
        if let known = shared[rest] {
          target = known
        } else {
          let before = try node()
          byteEdges[Int(before)].append(ByteEdge(range: sequence[index], target: target))
          shared[rest] = before
          target = before
        }
      }
      byteEdges[Int(from)].append(ByteEdge(range: sequence[0], target: target))
    }
  }

  // MARK: Without empty steps

  /// Merges the states reached alike, so that a byte leads to one state; where that would take far more states, only
  /// the empty steps go.
  private mutating func determine() {
    let bound = 8 * count + 1000
    var size = 0
    var numbers: [[Int32]: Int32] = [:]
    var subsets: [[Int32]] = []
    var closures: [Int32: [Int32]] = [:]
    func closure(_ nodes: [Int32]) -> [Int32] {
      if nodes.count == 1, let known = closures[nodes[0]] { return known }
      var seen = Set(nodes)
      var open = nodes
      while let node = open.popLast() {
        for next in empty[Int(node)] where seen.insert(next).inserted { open.append(next) }
      }
      // States left only by empty steps do not tell subsets apart.
      let kept = seen.filter { isFinal[Int($0)] || !byteEdges[Int($0)].isEmpty || !steps[Int($0)].isEmpty }
        .sorted()
      if nodes.count == 1 { closures[nodes[0]] = kept }
      return kept
    }
    func number(_ subset: [Int32]) -> Int32 {
      if let known = numbers[subset] { return known }
      numbers[subset] = Int32(subsets.count)
      subsets.append(subset)
      size += subset.count + 1
      return Int32(subsets.count - 1)
    }
    var result = (edges: [[ByteEdge]](), steps: [[Step]](), isFinal: [Bool]())
    start = number(closure([start]))
    var next = 0
    while next < subsets.count {
      let subset = subsets[next]
      next += 1
      // Beyond the bound states stay what they are, one by one.
      let isSplit = size > bound
      func targets(_ nodes: [Int32]) -> [Int32] {
        isSplit ? Set(nodes).sorted().map { number(closure([$0])) } : [number(closure(Set(nodes).sorted()))]
      }
      let own = subset.flatMap { byteEdges[Int($0)] }
      result.edges.append(
        Self.pieces(own).flatMap { piece in targets(piece.targets).map { ByteEdge(range: piece.range, target: $0) }
        })
      let symbols = Dictionary(grouping: subset.flatMap { steps[Int($0)] }, by: \.symbol)
      result.steps.append(
        symbols.sorted { Self.order($0.key) < Self.order($1.key) }.flatMap { symbol, steps in
          targets(steps.map(\.target)).map { Step(symbol: symbol, target: $0) }
        })
      result.isFinal.append(subset.contains { isFinal[Int($0)] })
    }
    (byteEdges, steps, isFinal, empty) = (result.edges, result.steps, result.isFinal, [])
  }

  private static func order(_ symbol: Step.Symbol) -> (Int, Int) {
    switch symbol {
    case .rule(let number): (0, number)
    case .token(let number): (1, number)
    }
  }

  /// Cuts overlapping ranges into pieces, each with all its targets.
  private static func pieces(_ edges: [ByteEdge]) -> [(range: ClosedRange<UInt8>, targets: [Int32])] {
    if edges.count == 1 { return [(edges[0].range, [edges[0].target])] }
    var borders = Set<Int>()
    for edge in edges {
      borders.insert(Int(edge.range.lowerBound))
      borders.insert(Int(edge.range.upperBound) + 1)
    }
    var result: [(range: ClosedRange<UInt8>, targets: [Int32])] = []
    let sorted = borders.sorted()
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      let targets = edges.filter { Int($0.range.lowerBound) <= low && Int($0.range.upperBound) >= high - 1 }.map(
        \.target)
      guard !targets.isEmpty else { continue }
      if let last = result.last, Int(last.range.upperBound) + 1 == low, last.targets == targets {
        result[result.count - 1].range = last.range.lowerBound...UInt8(high - 1)
      } else {
        result.append((UInt8(low)...UInt8(high - 1), targets))
      }
    }
    return result
  }
}
