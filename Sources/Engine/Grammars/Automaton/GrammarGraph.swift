/// All rules of a grammar as one graph, checked: every rule can be matched, and none begins with itself.
package struct GrammarGraph: Sendable {
  /// A step over one byte of a range.
  package struct Edge: Sendable { package var low: UInt8, high: UInt8, target: Int32 }
  struct Call: Sendable { var rule: Int32, target: Int32 }
  /// A step over a token, by its place among ``GrammarGraph/tokens``.
  package struct TokenEdge: Sendable { package var token: Int32, target: Int32 }

  /// Largest number of states of a grammar.
  static let stateLimit = 400_000
  /// Distance from a node that no number of bytes can finish.
  static let never = Int32.max / 4

  /// Steps over bytes, by node.
  package private(set) var edges: [[Edge]] = []
  private(set) var calls: [[Call]] = []
  /// Steps over tokens, by node.
  package private(set) var tokenEdges: [[TokenEdge]] = []
  /// Indicates whether its rule is matched at a node, by node.
  private(set) var isFinal: [Bool] = []
  /// Least number of bytes to the end of its rule, by node.
  private(set) var distance: [Int32] = []
  /// First node, by rule; -1 for rules that the root does not use.
  private(set) var starts: [Int32]
  /// Indicates whether a rule matches nothing at all, by rule.
  private(set) var isNullable: [Bool]
  /// Place of a rule in an order in which it comes before those it can begin with.
  private(set) var rank: [Int32]
  /// Nodes that a rule can be at before any byte, by rule.
  private(set) var openings: [[Int32]]
  /// The tokens that the grammar names.
  package private(set) var tokens: [TokenStep] = []
  let root: Int
  /// Class of each byte. Bytes that no edge tells apart are of one class.
  private(set) var byteClass = [UInt8](repeating: 0, count: 256)
  /// Number of classes of bytes.
  private(set) var classCount = 1

  init(_ rules: [Grammar.Rule], root: Int) throws(GrammarError) {
    self.root = root
    starts = [Int32](repeating: -1, count: rules.count)
    isNullable = [Bool](repeating: false, count: rules.count)
    rank = [Int32](repeating: 0, count: rules.count)
    openings = [[Int32]](repeating: [], count: rules.count)
    var open = [root]
    var seen: Set<Int> = [root]
    while let rule = open.popLast() {
      for called in try add(rules[rule].expression, rule) where seen.insert(called).inserted {
        open.append(called)
      }
    }
    measure()
    guard distance[Int(starts[root])] < Self.never else { throw .matchesNothing }
    prune()
    findNullable()
    for rule in rules.indices where starts[rule] >= 0 { openings[rule] = nodesBeforeAnyByte(from: starts[rule]) }
    try sortRules(rules)
    classifyBytes()
  }

  var count: Int { isFinal.count }

  /// Indicates whether nothing but the end of the rule follows a node.
  func isEnd(_ node: Int32) -> Bool {
    let node = Int(node)
    return isFinal[node] && edges[node].isEmpty && calls[node].isEmpty && tokenEdges[node].isEmpty
  }

  /// Returns, by node, a number that is shared by nodes from which the next bytes lead on alike, within their rules.
  ///
  /// A character of a string that may have a thousand is followed by the same tokens as the next one, until the end is
  /// near.
  /// - Parameter length: the number of bytes that are looked at.
  package func shapes(within length: Int) -> [UInt64] {
    func mixed(_ sum: UInt64, _ value: UInt64) -> UInt64 {
      let product = (sum ^ value) &* 0x9E37_79B9_7F4A_7C15
      return product ^ product >> 29
    }
    let seeds = isFinal.indices.map { node -> UInt64 in
      // A call of what may match nothing takes no byte: such nodes are like no other.
      let isOpen = calls[node].contains { isNullable[Int($0.rule)] }
      return mixed(isFinal[node] ? 1 : 2, isOpen ? UInt64(node) + 3 : 0)
    }
    var shapes = seeds
    for _ in 0...length {
      let before = shapes
      for node in shapes.indices {
        var sum = seeds[node]
        for edge in edges[node] {
          sum = mixed(mixed(sum, UInt64(edge.low) << 8 | UInt64(edge.high)), before[Int(edge.target)])
        }
        for call in calls[node] { sum = mixed(mixed(sum, 1 << 32 | UInt64(call.rule)), before[Int(call.target)]) }
        for edge in tokenEdges[node] {
          sum = mixed(mixed(sum, 1 << 33 | UInt64(edge.token)), before[Int(edge.target)])
        }
        shapes[node] = sum
      }
    }
    return shapes
  }

  /// Adds a rule's automaton and returns the rules it calls.
  private mutating func add(_ expression: GrammarExpression, _ rule: Int) throws(GrammarError) -> [Int] {
    let automaton = try RuleAutomaton(expression, tokens: tokens, limit: Self.stateLimit - count)
    tokens = automaton.tokens
    let base = Int32(count)
    starts[rule] = base + automaton.start
    guard count + automaton.count <= Self.stateLimit * 2 else { throw .tooLarge(limit: Self.stateLimit) }
    var called: [Int] = []
    for node in 0..<automaton.count {
      edges.append(
        automaton.byteEdges[node].map {
          Edge(low: $0.range.lowerBound, high: $0.range.upperBound, target: base + $0.target)
        })
      var (ruleCalls, tokenSteps) = ([Call](), [TokenEdge]())
      for step in automaton.steps[node] {
        switch step.symbol {
        case .rule(let rule):
          ruleCalls.append(Call(rule: Int32(rule), target: base + step.target))
          called.append(rule)
        case .token(let token): tokenSteps.append(TokenEdge(token: Int32(token), target: base + step.target))
        }
      }
      calls.append(ruleCalls)
      tokenEdges.append(tokenSteps)
      isFinal.append(automaton.isFinal[node])
    }
    return called
  }

  /// Finds the distances, nearest first (Knuth 1977, "A generalization of Dijkstra's algorithm").
  private mutating func measure() {
    distance = [Int32](repeating: Self.never, count: count)
    var before = [[Int32]](repeating: [], count: count)
    var callsOf: [Int32: [Int32]] = [:]
    for node in 0..<Int32(count) {
      for edge in edges[Int(node)] { before[Int(edge.target)].append(node) }
      for edge in tokenEdges[Int(node)] { before[Int(edge.target)].append(node) }
      for call in calls[Int(node)] {
        before[Int(call.target)].append(node)
        callsOf[starts[Int(call.rule)], default: []].append(node)
      }
    }
    var heap = DistanceHeap()
    for node in 0..<Int32(count) where isFinal[Int(node)] { heap.push(0, node) }
    while let (length, node) = heap.pop() {
      guard length < distance[Int(node)] else { continue }
      distance[Int(node)] = length
      for other in before[Int(node)] + (callsOf[node] ?? []) {
        var best = Self.never
        for edge in edges[Int(other)] where edge.target == node { best = min(best, length + 1) }
        for edge in tokenEdges[Int(other)] where edge.target == node { best = min(best, length + 1) }
        for call in calls[Int(other)] {
          let (inside, after) = (distance[Int(starts[Int(call.rule)])], distance[Int(call.target)])
          if inside < Self.never, after < Self.never { best = min(best, Self.sum(inside, after)) }
        }
        if best < distance[Int(other)] { heap.push(best, other) }
      }
    }
  }

  /// Returns a sum of distances that stays below ``never``.
  static func sum(_ one: Int32, _ other: Int32) -> Int32 { min(one + other, never - 1) }

  /// Drops the ways from which no end can be reached.
  private mutating func prune() {
    for node in 0..<count {
      edges[node].removeAll { distance[Int($0.target)] >= Self.never }
      tokenEdges[node].removeAll { distance[Int($0.target)] >= Self.never }
      calls[node].removeAll {
        distance[Int($0.target)] >= Self.never || distance[Int(starts[Int($0.rule)])] >= Self.never
      }
    }
  }

  private mutating func findNullable() {
    // A rule that matches no bytes at all is nullable; token steps count as bytes.
    for rule in starts.indices where starts[rule] >= 0 { isNullable[rule] = distance[Int(starts[rule])] == 0 }
  }

  /// Returns the nodes reached from one by calls that match nothing.
  private func nodesBeforeAnyByte(from start: Int32) -> [Int32] {
    var seen: Set<Int32> = [start]
    var list = [start]
    var next = 0
    while next < list.count {
      for call in calls[Int(list[next])] where isNullable[Int(call.rule)] && seen.insert(call.target).inserted {
        list.append(call.target)
      }
      next += 1
    }
    return list
  }

  /// Ranks the rules so that none comes after one it can begin with; a circle is left recursion.
  private mutating func sortRules(_ rules: [Grammar.Rule]) throws(GrammarError) {
    var state = [UInt8](repeating: 0, count: rules.count)
    var next = Int32(rules.count)
    for first in rules.indices where starts[first] >= 0 && state[first] == 0 {
      var path: [(rule: Int, begun: [Int], place: Int)] = [(first, beginnings(first), 0)]
      state[first] = 1
      while let top = path.last {
        guard top.place < top.begun.count else {
          state[top.rule] = 2
          next -= 1
          rank[top.rule] = next
          path.removeLast()
          continue
        }
        path[path.count - 1].place += 1
        let called = top.begun[top.place]
        if state[called] == 1 { throw .leftRecursion(rule: rules[called].name) }
        guard state[called] == 0 else { continue }
        state[called] = 1
        path.append((called, beginnings(called), 0))
      }
    }
  }

  /// Returns the rules that a rule can begin with.
  private func beginnings(_ rule: Int) -> [Int] {
    Set(openings[rule].flatMap { calls[Int($0)].map { Int($0.rule) } }).sorted()
  }

  private mutating func classifyBytes() {
    var isBorder = [Bool](repeating: false, count: 257)
    for edge in edges.joined() {
      isBorder[Int(edge.low)] = true
      isBorder[Int(edge.high) + 1] = true
    }
    var number = 0
    for byte in 0..<256 {
      if byte > 0, isBorder[byte] { number += 1 }
      byteClass[byte] = UInt8(number)
    }
    classCount = number + 1
  }
}

/// Nodes by distance, the nearest first.
private struct DistanceHeap {
  private var items: [(length: Int32, node: Int32)] = []

  mutating func push(_ length: Int32, _ node: Int32) {
    items.append((length, node))
    var place = items.count - 1
    while place > 0, items[place] < items[(place - 1) / 2] {
      items.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func pop() -> (length: Int32, node: Int32)? {
    guard let first = items.first else { return nil }
    items.swapAt(0, items.count - 1)
    items.removeLast()
    var place = 0
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < items.count && items[child] < items[least] {
        least = child
      }
      guard least != place else { return first }
      items.swapAt(place, least)
      place = least
    }
  }
}
