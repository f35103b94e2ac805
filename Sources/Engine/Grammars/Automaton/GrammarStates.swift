/// The states of a grammar's pushdown automaton, found as they are needed and each kept once.
///
/// A state is a set of items: a node of a rule with the stack of what follows the rule. Stacks are shared: one is a set
/// of frames, each the node to return to and the stack below it, so that no ambiguity multiplies them (Tomita 1985,
/// "graph-structured stack"). Equal stacks and states have the same number, so that steps and masks can be remembered
/// by it.
package final class GrammarStates {
  /// A node of a rule, and the number of the stack below it.
  package struct Frame: Hashable {
    package var node: Int32
    package var below: Int32
  }
  package typealias Item = Frame

  /// A state of the automaton: the items that may go on here.
  package struct State {
    package var items: [Item]
    /// Indicates whether the whole grammar is matched here.
    package var isAccepting: Bool
    /// Indicates whether the rule whose stack is unknown is matched here, with at least a byte; see ``openState(at:)``.
    var leaves: Bool
    /// Least number of bytes to the end of the grammar, or of the rule whose stack is unknown.
    package var distance: Int32
  }

  /// The grammar's graph.
  package let graph: GrammarGraph
  /// The states by their numbers.
  package private(set) var states: [State] = []
  private var stateNumbers: [StateKey: Int32] = [:]
  private var stacks: [[Frame]] = []
  private var stackNumbers: [[Frame]: Int32] = [:]
  private var stackDistances: [Int32] = []
  /// Next state by state and class of bytes; -1 where it is not known yet.
  private var steps: [Int32] = []
  /// States at the nodes of a tree above the one that a walk looks at; kept for the next walk.
  var path: [Int32] = []
  /// Number of items and frames that are kept.
  package private(set) var size = 0

  private struct StateKey: Hashable {
    var items: [Item]
    var flags: UInt8
  }

  /// Number of the state from which nothing leads on.
  package static let dead: Int32 = 0
  /// Largest number of items and frames kept while one token is looked for.
  package static let sizeLimit = 6_000_000
  /// Largest number of items and frames kept from one token to the next.
  package static let keptSize = 2_000_000
  /// Largest number of steps within one byte.
  private static let workLimit = 1_000_000
  /// The frames that stand for the end of the grammar and for a stack that is not known.
  private static let bottom = Frame(node: -1, below: -1)
  private static let unknown = Frame(node: -2, below: -1)

  /// Creates an automaton that knows no state but the dead one.
  package init(_ graph: GrammarGraph) {
    self.graph = graph
    _ = number(State(items: [], isAccepting: false, leaves: false, distance: GrammarGraph.never))
  }

  /// Returns the state before the first byte.
  /// - Throws: ``GrammarError/tooAmbiguous(limit:)``, as everything that finds states.
  package func start() throws(GrammarError) -> Int32 {
    let bottom = stack([Self.bottom])
    var opening = Opening(isAccepting: graph.isNullable[graph.root])
    opening.call(Int32(graph.root), frames: [bottom])
    return try close(opening)
  }

  /// Returns the state at a node of a rule whose stack is not known.
  package func openState(at node: Int32) -> Int32 {
    let item = Item(node: node, below: stack([Self.unknown]))
    return number(
      State(items: [item], isAccepting: false, leaves: false, distance: graph.distance[Int(node)]))
  }

  /// Returns the state behind a rule that was matched, by the number of the stack below the rule.
  package func state(after stack: Int32) throws(GrammarError) -> Int32 {
    var opening = Opening(isAccepting: false)
    for frame in stacks[Int(stack)] { opening.leave(by: frame) }
    return try close(opening)
  }

  /// Returns the state that a byte leads to.
  @inline(__always)
  package func step(_ state: Int32, _ byte: UInt8) throws(GrammarError) -> Int32 {
    let place = Int(state) * graph.classCount + Int(graph.byteClass[Int(byte)])
    let known = steps[place]
    if known >= 0 { return known }
    return try find(state, byte, place)
  }

  private func find(_ state: Int32, _ byte: UInt8, _ place: Int) throws(GrammarError) -> Int32 {
    var opening = Opening(isAccepting: false)
    for item in states[Int(state)].items {
      for edge in graph.edges[Int(item.node)] where edge.low <= byte && byte <= edge.high {
        opening.add(Item(node: edge.target, below: item.below))
      }
    }
    let next = try close(opening)
    steps[place] = next
    return next
  }

  /// Returns the state that a token leads to which the grammar names.
  /// - Parameter matches: whether the token fits one of ``GrammarGraph/tokens``.
  package func step(_ state: Int32, matching matches: (Int) -> Bool) throws(GrammarError) -> Int32 {
    var opening = Opening(isAccepting: false)
    for item in states[Int(state)].items {
      for edge in graph.tokenEdges[Int(item.node)] where matches(Int(edge.token)) {
        opening.add(Item(node: edge.target, below: item.below))
      }
    }
    return try close(opening)
  }

  /// Returns the state that stands for both of two.
  package func union(_ one: Int32, _ other: Int32) -> Int32 {
    if one == Self.dead || one == other { return other }
    if other == Self.dead { return one }
    let (first, second) = (states[Int(one)], states[Int(other)])
    var frames: [Int32: Set<Int32>] = [:]
    for item in first.items + second.items { frames[item.node, default: []].insert(item.below) }
    return number(
      State(
        items: merged(frames), isAccepting: first.isAccepting || second.isAccepting,
        leaves: first.leaves || second.leaves, distance: min(first.distance, second.distance)))
  }

  /// Returns the facts about a state that a walk over tokens needs at each of its nodes.
  @inline(__always)
  func facts(of state: Int32) -> (hasItems: Bool, leaves: Bool, distance: Int32) {
    states.withUnsafeBufferPointer { states in
      (!states[Int(state)].items.isEmpty, states[Int(state)].leaves, states[Int(state)].distance)
    }
  }

  // MARK: What follows a byte

  /// A state in the making: the items reached by a byte, or by the end of a rule.
  private struct Opening {
    var isAccepting: Bool
    var leaves = false
    /// Items behind at least one byte of their rule.
    var items: [Item] = []
    private var seen: Set<Item> = []
    /// Rules called, with the stacks that go with them: frames to return to, and stacks taken over as they are.
    var calls: [Int32: (frames: Set<Frame>, stacks: Set<Int32>)] = [:]

    init(isAccepting: Bool) { self.isAccepting = isAccepting }

    mutating func add(_ item: Item) { if seen.insert(item).inserted { items.append(item) } }

    mutating func leave(by frame: Frame) {
      switch frame.node {
      case -1: isAccepting = true
      case -2: leaves = true
      default: add(frame)
      }
    }

    mutating func call(_ rule: Int32, frames: [Int32]) { calls[rule, default: ([], [])].stacks.formUnion(frames) }
  }

  private func close(_ given: Opening) throws(GrammarError) -> Int32 {
    var opening = given
    // Rules that end here, and calls that match nothing.
    var next = 0
    while next < opening.items.count {
      guard next < Self.workLimit else { throw .tooAmbiguous(limit: Self.workLimit) }
      let item = opening.items[next]
      next += 1
      if graph.isFinal[Int(item.node)] {
        for frame in stacks[Int(item.below)] { opening.leave(by: frame) }
      }
      for call in graph.calls[Int(item.node)] where graph.isNullable[Int(call.rule)] {
        opening.add(Item(node: call.target, below: item.below))
      }
    }
    var found: [Int32: Set<Int32>] = [:]
    for item in opening.items { visit(item, &opening, &found) }
    // Called rules, none before those that call it here.
    while let rule = opening.calls.keys.min(by: { graph.rank[Int($0)] < graph.rank[Int($1)] }),
      let call = opening.calls.removeValue(forKey: rule)
    {
      var frames = call.frames
      for stack in call.stacks { frames.formUnion(stacks[Int(stack)]) }
      let below = stack(Array(frames))
      for node in graph.openings[Int(rule)] { visit(Item(node: node, below: below), &opening, &found) }
      guard size < Self.sizeLimit else { throw .tooAmbiguous(limit: Self.sizeLimit) }
    }
    let items = merged(found)
    var distance: Int32 = opening.isAccepting || opening.leaves ? 0 : GrammarGraph.never
    for item in items {
      distance = min(
        distance, GrammarGraph.sum(graph.distance[Int(item.node)], stackDistances[Int(item.below)]))
    }
    guard size < Self.sizeLimit else { throw .tooAmbiguous(limit: Self.sizeLimit) }
    return number(
      State(items: items, isAccepting: opening.isAccepting, leaves: opening.leaves, distance: distance))
  }

  /// Notes the bytes, tokens and rules that an item waits for.
  private func visit(_ item: Item, _ opening: inout Opening, _ found: inout [Int32: Set<Int32>]) {
    let node = Int(item.node)
    if !graph.edges[node].isEmpty || !graph.tokenEdges[node].isEmpty {
      found[item.node, default: []].insert(item.below)
    }
    for call in graph.calls[node] {
      // A call that nothing follows takes over its caller's stack, so that lists do not pile up frames.
      if graph.isEnd(call.target) {
        opening.calls[call.rule, default: ([], [])].stacks.insert(item.below)
      } else {
        opening.calls[call.rule, default: ([], [])].frames.insert(Frame(node: call.target, below: item.below))
      }
    }
  }

  /// Returns one item for each node, its stacks made one.
  private func merged(_ found: [Int32: Set<Int32>]) -> [Item] {
    found.sorted { $0.key < $1.key }.map { node, below in
      guard below.count > 1 else { return Item(node: node, below: below.first ?? 0) }
      var frames: Set<Frame> = []
      for stack in below { frames.formUnion(stacks[Int(stack)]) }
      return Item(node: node, below: stack(Array(frames)))
    }
  }

  // MARK: Numbers

  private func stack(_ frames: [Frame]) -> Int32 {
    let sorted = frames.count < 2 ? frames : frames.sorted { ($0.node, $0.below) < ($1.node, $1.below) }
    if let known = stackNumbers[sorted] { return known }
    let number = Int32(stacks.count)
    stackNumbers[sorted] = number
    stacks.append(sorted)
    size += sorted.count + 2
    stackDistances.append(
      sorted.map { frame in
        frame.node < 0
          ? 0 : GrammarGraph.sum(graph.distance[Int(frame.node)], stackDistances[Int(frame.below)])
      }.min() ?? GrammarGraph.never)
    return number
  }

  private func number(_ state: State) -> Int32 {
    let flags: UInt8 = (state.isAccepting ? 1 : 0) | (state.leaves ? 2 : 0)
    let key = StateKey(items: state.items, flags: flags)
    if let known = stateNumbers[key] { return known }
    let number = Int32(states.count)
    stateNumbers[key] = number
    states.append(state)
    steps.append(contentsOf: repeatElement(state.items.isEmpty ? Self.dead : -1, count: graph.classCount))
    size += 2 * state.items.count + graph.classCount / 2 + 4
    return number
  }

  /// Returns a new automaton that knows only one state of this one, and that state's number there.
  package func kept(_ state: Int32) -> (states: GrammarStates, number: Int32) {
    let other = GrammarStates(graph)
    var moved: [Int32: Int32] = [:]
    // Stacks below have lower numbers, so that in order each finds those below it moved already.
    var needed = Set(states[Int(state)].items.map(\.below))
    var open = Array(needed)
    while let stack = open.popLast() {
      for frame in stacks[Int(stack)] where frame.below >= 0 && needed.insert(frame.below).inserted {
        open.append(frame.below)
      }
    }
    for stack in needed.sorted() {
      moved[stack] = other.stack(
        stacks[Int(stack)].map { Frame(node: $0.node, below: moved[$0.below] ?? $0.below) })
    }
    var copy = states[Int(state)]
    copy.items = copy.items.map { Item(node: $0.node, below: moved[$0.below] ?? 0) }
    return (other, other.number(copy))
  }
}
