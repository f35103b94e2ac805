/// A prefix tree of byte strings whose edges lie in one hash table.
struct ByteTrie: Sendable {
  /// `key` is a node and a byte; zero means free, for no edge leads from node 0 by a key of 0 (see ``key(_:_:)``).
  private var keys: [UInt64] = [UInt64](repeating: 0, count: 1024)
  private var children: [Int32] = [Int32](repeating: 0, count: 1024)
  private var nodeCount: Int32 = 1
  /// The value of each node, or -1.
  private var values: [Int32] = [-1]

  /// The root, where every walk begins.
  static let root: Int32 = 0

  var isEmpty: Bool { nodeCount == 1 }

  /// Gives a string a value; a later value replaces an earlier.
  mutating func insert(_ string: some Sequence<UInt8>, value: Int32) {
    var node = Self.root
    for byte in string {
      if let next = step(from: node, by: byte) {
        node = next
      } else {
        if Int(nodeCount) * 2 > keys.count { grow() }
        place(Self.key(node, byte), nodeCount)
        node = nodeCount
        nodeCount += 1
        values.append(-1)
      }
    }
    values[Int(node)] = value
  }

  /// The node that a byte leads to.
  @inline(__always)
  func step(from node: Int32, by byte: UInt8) -> Int32? {
    let key = Self.key(node, byte)
    var slot = Self.slot(key) & (keys.count - 1)
    while keys[slot] != 0 {
      if keys[slot] == key { return children[slot] }
      slot = (slot + 1) & (keys.count - 1)
    }
    return nil
  }

  /// The value at a node.
  @inline(__always)
  func value(at node: Int32) -> Int32? {
    let value = values[Int(node)]
    return value < 0 ? nil : value
  }

  @inline(__always)
  private static func key(_ node: Int32, _ byte: UInt8) -> UInt64 {
    UInt64(UInt32(bitPattern: node)) << 8 | UInt64(byte) | 1 << 48
  }

  @inline(__always)
  private static func slot(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 24) }

  private mutating func place(_ key: UInt64, _ child: Int32) {
    var slot = Self.slot(key) & (keys.count - 1)
    while keys[slot] != 0 { slot = (slot + 1) & (keys.count - 1) }
    keys[slot] = key
    children[slot] = child
  }

  private mutating func grow() {
    let (oldKeys, oldChildren) = (keys, children)
    keys = [UInt64](repeating: 0, count: oldKeys.count * 2)
    children = [Int32](repeating: 0, count: oldKeys.count * 2)
    for (position, key) in oldKeys.enumerated() where key != 0 { place(key, oldChildren[position]) }
  }
}
