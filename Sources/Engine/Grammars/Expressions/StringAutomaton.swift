/// A deterministic automaton over the characters of strings: patterns, lengths and lists of texts become one, and can
/// be joined.
struct StringAutomaton: Sendable, Hashable {
  struct Edge: Sendable, Hashable {
    var set: CharacterSet
    var target: Int
  }

  /// Transitions by state; the sets of one state have no character in common.
  private(set) var edges: [[Edge]]
  private(set) var isFinal: [Bool]
  let start = 0

  /// An error of an automaton that became larger than is useful.
  struct TooLarge: Error {}

  private static let limit = 6000

  private init(edges: [[Edge]], isFinal: [Bool]) { (self.edges, self.isFinal) = (edges, isFinal) }

  /// Automaton of any string.
  static let all = StringAutomaton(edges: [[Edge(set: .all, target: 0)]], isFinal: [true])

  /// Creates an automaton of the strings that a regular expression, made of sets of characters, matches as a whole.
  init(_ expression: GrammarExpression) throws(TooLarge) {
    let parts = CharacterAutomaton(expression)
    guard !parts.isCutOff else { throw TooLarge() }
    try self.init(start: [0], isFinal: { $0.contains { parts.isFinal[$0] } }) { states in
      states.flatMap { parts.edges[$0] }
    }
  }

  /// Creates an automaton of exactly these strings.
  init(texts: [String]) throws(TooLarge) {
    try self.init(
      .oneOf(
        texts.map { text in
          .sequence(text.unicodeScalars.map { .characters(CharacterSet([$0.value...$0.value])) })
        }))
  }

  /// Accepts strings of a number of characters.
  init(least: Int, most: Int?) throws(TooLarge) {
    let end = most ?? least
    guard end < Self.limit else { throw TooLarge() }
    edges = (0...end).map { length in
      length < end
        ? [Edge(set: .all, target: length + 1)] : most == nil ? [Edge(set: .all, target: length)] : []
    }
    isFinal = (0...end).map { $0 >= least }
  }

  /// Joins states that are reached alike into one.
  private init(
    start: [Int], isFinal isEnd: ([Int]) -> Bool,
    _ edges: ([Int]) -> [(set: CharacterSet, target: Int)]
  ) throws(TooLarge) {
    var numbers = [start: 0]
    var order = [start]
    (self.edges, isFinal) = ([], [])
    while self.edges.count < order.count {
      let states = order[self.edges.count]
      var own: [Edge] = []
      for (set, targets) in Self.apart(edges(states)) {
        if numbers[targets] == nil {
          guard order.count < Self.limit else { throw TooLarge() }
          numbers[targets] = order.count
          order.append(targets)
        }
        own.append(Edge(set: set, target: numbers[targets] ?? 0))
      }
      self.edges.append(own)
      isFinal.append(isEnd(states))
    }
    prune()
  }

  /// Cuts overlapping sets into disjoint ones, each with all its targets.
  private static func apart(_ edges: [(set: CharacterSet, target: Int)]) -> [(set: CharacterSet, targets: [Int])] {
    var borders: Set<UInt32> = []
    for edge in edges {
      for range in edge.set.ranges {
        borders.insert(range.lowerBound)
        borders.insert(range.upperBound + 1)
      }
    }
    let sorted = borders.sorted()
    var found: [[Int]: [ClosedRange<UInt32>]] = [:]
    for (low, next) in zip(sorted, sorted.dropFirst()) {
      let targets = Set(edges.filter { $0.set.contains(low) }.map(\.target)).sorted()
      if !targets.isEmpty { found[targets, default: []].append(low...next - 1) }
    }
    return found.map { (CharacterSet($0.value), $0.key) }.sorted {
      ($0.set.ranges.first?.lowerBound ?? 0) < ($1.set.ranges.first?.lowerBound ?? 0)
    }
  }

  // MARK: Joining

  /// Returns an automaton of the strings that both admit.
  func intersection(_ other: StringAutomaton) throws(TooLarge) -> StringAutomaton {
    try product(other) { self.isFinal[$0] && other.isFinal[$1] }
  }

  /// Returns an automaton of the strings that either admits.
  func union(_ other: StringAutomaton) throws(TooLarge) -> StringAutomaton {
    try whole.product(other.whole) { $0 < count && isFinal[$0] || $1 < other.count && other.isFinal[$1] }
  }

  /// Returns an automaton of the strings that this one does not admit.
  func complement() -> StringAutomaton {
    var result = whole
    result.isFinal = result.isFinal.map { !$0 }
    result.prune()
    return result
  }

  /// The automaton completed by a dead state, the last one.
  private var whole: StringAutomaton {
    var result = self
    for state in edges.indices {
      let missing = edges[state].reduce(CharacterSet([])) { $0.union($1.set) }.inverted
      if !missing.isEmpty { result.edges[state].append(Edge(set: missing, target: count)) }
    }
    result.edges.append([Edge(set: .all, target: count)])
    result.isFinal.append(false)
    return result
  }

  private func product(
    _ other: StringAutomaton, isFinal isEnd: (Int, Int) -> Bool
  ) throws(TooLarge) -> StringAutomaton {
    // Pairs of states as one number each.
    let width = other.count
    return try StringAutomaton(start: [0], isFinal: { $0.contains { isEnd($0 / width, $0 % width) } }) { states in
      states.flatMap { pair in
        edges[pair / width].flatMap { one in
          other.edges[pair % width].compactMap { two in
            let common = one.set.intersection(two.set)
            return common.isEmpty ? nil : (common, one.target * width + two.target)
          }
        }
      }
    }
  }

  /// Leaves out the states from which no end is reached; the first one stays.
  private mutating func prune() {
    var before = [[Int]](repeating: [], count: count)
    for state in edges.indices { for edge in edges[state] { before[edge.target].append(state) } }
    var isUseful = isFinal
    var open = isFinal.indices.filter { isFinal[$0] }
    while let state = open.popLast() {
      for other in before[state] where !isUseful[other] {
        isUseful[other] = true
        open.append(other)
      }
    }
    isUseful[0] = true
    var numbers: [Int: Int] = [:]
    for state in isUseful.indices where isUseful[state] { numbers[state] = numbers.count }
    let kept = isUseful.indices.filter { isUseful[$0] }
    edges = kept.map { state in
      edges[state].compactMap { edge in numbers[edge.target].map { Edge(set: edge.set, target: $0) } }
    }
    isFinal = kept.map { isFinal[$0] }
  }

  // MARK: Asking

  var count: Int { isFinal.count }

  /// Indicates whether it admits no string at all.
  var isEmpty: Bool { !isFinal.contains(true) }

  func admits(_ text: String) -> Bool {
    var state = 0
    for scalar in text.unicodeScalars {
      guard let edge = edges[state].first(where: { $0.set.contains(scalar.value) }) else { return false }
      state = edge.target
    }
    return isFinal[state]
  }
}
