extension GrammarStates {
  /// Walks the part of a tree below a node, from a state, as far as the grammar allows.
  ///
  /// The loop lies here, not with its callers: Swift inlines no function of a package across modules.
  /// - Parameters:
  ///   - parent: the node above the walk; -1 for the whole tree.
  ///   - least: the depth up to which nodes are passed but not reported.
  ///   - most: the depth down to which the walk goes.
  ///   - length: the largest number of bytes that may still be missing to the end at a node of `reach`.
  ///   - reach: called with the nodes that the grammar allows.
  ///   - leave: called with the nodes at which the rule with the unknown stack ends but the tree goes on.
  /// - Throws: ``GrammarError/tooAmbiguous(limit:)``.
  package func walk(
    _ tree: ByteTree, from state: Int32, under parent: Int32 = -1, deeperThan least: Int32 = 0,
    downTo most: Int32 = .max, endingWithin length: Int32 = .max, reach: (Int) -> Void,
    leave: ((Int32) -> Void)? = nil
  ) throws(GrammarError) {
    let (bytes, depths, ends, reaches) = (tree.bytes, tree.depths, tree.ends, tree.reaches)
    var node = Int(parent) + 1
    let end = parent < 0 ? tree.count : Int(ends[Int(parent)])
    guard node < end else { return }
    var path: [Int32] = []
    swap(&path, &self.path)
    defer { swap(&path, &self.path) }
    if path.count <= tree.depth { path = [Int32](repeating: Self.dead, count: tree.depth + 1) }
    path[Int(depths[node]) - 1] = state
    while node < end {
      let depth = Int(depths[node])
      if reaches[node] <= least || depths[node] > most {
        node = Int(ends[node])
        continue
      }
      let isWanted = depths[node] > least
      let next = try step(path[depth - 1], bytes[node])
      guard next != Self.dead else {
        node = Int(ends[node])
        continue
      }
      let (hasItems, leaves, distance) = facts(of: next)
      if distance <= length, isWanted { reach(node) }
      if leaves, isWanted, let leave, Int(ends[node]) > node + 1 { leave(Int32(node)) }
      if hasItems {
        path[depth] = next
        node += 1
      } else {
        node = Int(ends[node])
      }
    }
  }
}
