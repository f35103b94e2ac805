/// An automaton over characters, of an expression made of sets of them.
struct CharacterAutomaton {
  private(set) var edges: [[(set: CharacterSet, target: Int)]] = []
  private var empty: [[Int]] = []
  private(set) var isFinal: [Bool] = []
  /// Indicates whether the expression is longer than is useful.
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
