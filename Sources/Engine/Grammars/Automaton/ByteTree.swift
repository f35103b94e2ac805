/// Byte sequences as a tree, laid out in the order of a walk: each node is followed by those below it.
package struct ByteTree: Sendable {
  /// Byte that leads to each node.
  package let bytes: [UInt8]
  /// Depth of each node, 1 at the top.
  package let depths: [Int32]
  /// Node after all that lie below each node.
  package let ends: [Int32]
  /// Depth of the deepest node at or below each node.
  package let reaches: [Int32]
  /// Depth of the deepest node of all.
  package let depth: Int

  /// Takes the nodes in the order of a walk, with as many elements in each array.
  package init(bytes: [UInt8], depths: [Int32], ends: [Int32]) {
    (self.bytes, self.depths, self.ends) = (bytes, depths, ends)
    depth = Int(depths.max() ?? 0)
    var reaches = depths
    // Behind each node come those below it, so that from the end on each finds them done.
    for node in reaches.indices.reversed() {
      var child = node + 1
      while child < Int(ends[node]) {
        reaches[node] = max(reaches[node], reaches[child])
        child = Int(ends[child])
      }
    }
    self.reaches = reaches
  }

  /// Number of nodes.
  package var count: Int { bytes.count }
}
