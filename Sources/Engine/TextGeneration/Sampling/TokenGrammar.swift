import Grammars
import Tokenization

/// A grammar over the tokens of one vocabulary, and how far an answer has come in it.
///
/// The tokens allowed in a state are found once. Most depend on the rule at hand and not on what comes after it: those
/// are found once for each place of a rule, whatever its stack (Dong et al. 2024, "XGrammar"); only tokens that reach
/// beyond the rule's end are looked at with the stack. Places from which as many bytes as most tokens have lead on
/// alike share what was found; the few longer tokens are looked at from each.
package final class TokenGrammar {
  /// The grammar.
  package let grammar: Grammar
  private let trie: VocabularyTrie
  private let tokenizer: Tokenizer
  /// Token of each token step of the graph.
  private let namedTokens: [TokenID]
  private var states: GrammarStates
  private var state: Int32
  /// Masks by state.
  private var masks: [Int32: TokenMask] = [:]
  /// Tokens of usual length that are allowed whatever the stack, by shape.
  private var places: [UInt64: Place] = [:]
  /// Longer tokens that are allowed whatever the stack, by node.
  private var longPlaces: [Int32: LongPlace] = [:]
  /// Shape of each node of the grammar.
  private let shapes: [UInt64]

  private struct Place {
    var mask: TokenMask
    /// The nodes of the tree where the rule ends but tokens go on.
    var leavings: [Int32]
  }

  private struct LongPlace {
    var tokens: [TokenID]
    var leavings: [Int32]
  }

  /// Lengths of the tokens that a walk covers.
  private enum Lengths { case all, usual, longer }

  private static let maskLimit = 512
  private static let placeLimit = 1024
  /// Number of nodes that leave the rule, or of items in a state, from which on one walk with the stack is faster.
  private static let leavingLimit = 4096
  private static let itemLimit = 24

  /// Binds a grammar to a vocabulary.
  package init(_ grammar: Grammar, trie: VocabularyTrie, tokenizer: Tokenizer) throws(GrammarError) {
    self.grammar = grammar
    self.trie = trie
    self.tokenizer = tokenizer
    var named: [TokenID] = []
    for step in grammar.graph.tokens {
      switch step.reference {
      case .number(let number):
        guard number < tokenizer.count else { throw .unknownToken("<[\(number)]>") }
        named.append(TokenID(number))
      case .text(let text):
        guard let token = tokenizer.token(written: text) else { throw .unknownToken(text) }
        named.append(token)
      }
    }
    namedTokens = named
    shapes = grammar.graph.shapes(within: trie.usualLength)
    states = GrammarStates(grammar.graph)
    state = try states.start()
  }

  /// Goes back to the beginning.
  package func restart() throws(GrammarError) {
    state = try states.start()
  }

  /// Indicates whether the answer could end here.
  package var isAccepting: Bool { states.states[Int(state)].isAccepting }

  /// Indicates whether the answer can only end here.
  package var isComplete: Bool { isAccepting && states.states[Int(state)].items.isEmpty }

  /// The least number of bytes, or tokens that the grammar names, to where the answer could end.
  package var leastLength: Int { Int(states.states[Int(state)].distance) }

  /// Indicates whether every byte is a token, so that nothing the grammar allows is beyond the vocabulary.
  package private(set) lazy var spellsAllBytes: Bool = {
    var found = Set<UInt8>()
    let (tree, starts) = (trie.tree, trie.tokenStarts)
    for node in 0..<tree.count where tree.depths[node] == 1 && starts[node] < starts[node + 1] {
      found.insert(tree.bytes[node])
    }
    return found.count == 256
  }()

  /// Takes a token that was said.
  /// - Returns: false where the grammar does not allow it; nothing has changed then.
  package func accept(_ token: TokenID) throws(GrammarError) -> Bool {
    let next = try state(after: token)
    guard next != GrammarStates.dead else { return false }
    state = next
    if states.size > GrammarStates.keptSize {
      let kept = states.kept(state)
      forget(states: kept.states)
      state = kept.number
    }
    return true
  }

  /// Indicates whether a token may come next, looked at by itself.
  package func allows(_ token: TokenID) throws(GrammarError) -> Bool {
    if trie.ending.contains(token) { return isAccepting }
    return try state(after: token) != GrammarStates.dead
  }

  /// Indicates whether the answer can end within a number of tokens, `token` among them.
  package func endsInTime(after token: TokenID, left: Int) throws(GrammarError) -> Bool {
    if trie.ending.contains(token) { return true }
    // Found before the states are looked at: finding it may add some.
    let next = try state(after: token)
    return Int(states.states[Int(next)].distance) <= left - 1
  }

  private func forget(states: GrammarStates) {
    self.states = states
    masks.removeAll(keepingCapacity: true)
  }

  private func state(after token: TokenID) throws(GrammarError) -> Int32 {
    var next = state
    let piece = trie.ending.contains(token) ? [] : tokenizer.piece(of: token)
    for byte in piece {
      next = try states.step(next, byte)
      if next == GrammarStates.dead { break }
    }
    if piece.isEmpty { next = GrammarStates.dead }
    guard !namedTokens.isEmpty else { return next }
    return states.union(next, try states.step(state) { self.fits(token, $0) })
  }

  private func fits(_ token: TokenID, _ step: Int) -> Bool {
    let isSame = namedTokens[step] == token
    return grammar.graph.tokens[step].isNegated ? !isSame && !trie.ending.contains(token) : isSame
  }

  // MARK: Masks

  /// The tokens that may come next; those that end the answer exactly where it may end.
  package func mask() throws(GrammarError) -> TokenMask {
    if let known = masks[state] { return known }
    var mask = TokenMask(count: trie.tokenCount)
    let items = states.states[Int(state)].items
    if items.count > Self.itemLimit {
      try collect(state, under: -1, into: &mask)
    } else {
      for item in items where !grammar.graph.edges[Int(item.node)].isEmpty {
        let (place, long) = (try place(item.node), try longPlace(item.node))
        if place.leavings.count > Self.leavingLimit {
          try collect(state, under: -1, into: &mask)
          break
        }
        mask.formUnion(place.mask)
        for token in long.tokens { mask.insert(token) }
        guard !place.leavings.isEmpty || !long.leavings.isEmpty else { continue }
        let after = try states.state(after: item.below)
        for node in place.leavings { try collect(after, under: node, into: &mask) }
        for node in long.leavings { try collect(after, under: node, into: &mask) }
      }
    }
    for item in items {
      for edge in grammar.graph.tokenEdges[Int(item.node)] { insertTokens(edge.token, into: &mask) }
    }
    if isAccepting { mask.formUnion(trie.ending) }
    if masks.count >= Self.maskLimit { masks.removeAll(keepingCapacity: true) }
    masks[state] = mask
    return mask
  }

  /// Returns the tokens after which the answer can still end within a number of bytes.
  package func mask(endingWithin length: Int) throws(GrammarError) -> TokenMask {
    var mask = TokenMask(count: trie.tokenCount)
    try collect(state, under: -1, into: &mask, length: Int32(clamping: length))
    if !namedTokens.isEmpty {
      var named = TokenMask(count: trie.tokenCount)
      for item in states.states[Int(state)].items {
        for edge in grammar.graph.tokenEdges[Int(item.node)] { insertTokens(edge.token, into: &named) }
      }
      var fitting: [TokenID] = []
      named.forEach(below: trie.tokenCount) { fitting.append(TokenID($0)) }
      for token in fitting where try endsInTime(after: token, left: length + 1) { mask.insert(token) }
    }
    if isAccepting { mask.formUnion(trie.ending) }
    return mask
  }

  private func insertTokens(_ step: Int32, into mask: inout TokenMask) {
    guard grammar.graph.tokens[Int(step)].isNegated else { return mask.insert(namedTokens[Int(step)]) }
    for token in 0..<TokenID(trie.tokenCount) where fits(token, Int(step)) { mask.insert(token) }
  }

  private func place(_ node: Int32) throws(GrammarError) -> Place {
    if let known = places[shapes[Int(node)]] { return known }
    var place = Place(mask: TokenMask(count: trie.tokenCount), leavings: [])
    var leavings: [Int32] = []
    try collect(states.openState(at: node), under: -1, into: &place.mask, of: .usual) { leavings.append($0) }
    place.leavings = leavings
    if places.count >= Self.placeLimit { places.removeAll(keepingCapacity: true) }
    places[shapes[Int(node)]] = place
    return place
  }

  private func longPlace(_ node: Int32) throws(GrammarError) -> LongPlace {
    if let known = longPlaces[node] { return known }
    var mask = TokenMask(count: trie.tokenCount)
    var place = LongPlace(tokens: [], leavings: [])
    try collect(states.openState(at: node), under: -1, into: &mask, of: .longer) { place.leavings.append($0) }
    mask.forEach(below: trie.tokenCount) { place.tokens.append(TokenID($0)) }
    if longPlaces.count >= Self.placeLimit { longPlaces.removeAll(keepingCapacity: true) }
    longPlaces[node] = place
    return place
  }

  /// Adds the tokens below a node of the tree that the grammar allows from a state.
  /// - Parameters:
  ///   - length: the largest number of bytes that may then be missing to the end.
  ///   - leave: called with the nodes at which the rule with the unknown stack ends but tokens go on.
  private func collect(
    _ state: Int32, under parent: Int32, into mask: inout TokenMask, length: Int32 = .max,
    of lengths: Lengths = .all, leave: ((Int32) -> Void)? = nil
  ) throws(GrammarError) {
    let (starts, tokens, usual) = (trie.tokenStarts, trie.tokens, Int32(trie.usualLength))
    try states.walk(
      trie.tree, from: state, under: parent, deeperThan: lengths == .longer ? usual : 0,
      downTo: lengths == .usual ? usual : .max, endingWithin: length,
      reach: { node in
        for place in starts[node]..<starts[node + 1] { mask.insert(tokens[Int(place)]) }
      }, leave: leave)
  }
}
