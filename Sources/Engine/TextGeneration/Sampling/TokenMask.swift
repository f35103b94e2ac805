import Tokenization

/// A set of tokens, one bit each.
package struct TokenMask: Sendable, Equatable {
  package private(set) var words: [UInt64]

  /// An empty set over a vocabulary.
  package init(count: Int) { words = [UInt64](repeating: 0, count: (count + 63) / 64) }

  /// Adds a token.
  package mutating func insert(_ token: TokenID) { words[Int(token) >> 6] |= 1 << UInt64(token & 63) }

  /// Removes a token.
  package mutating func remove(_ token: TokenID) {
    if Int(token) >> 6 < words.count { words[Int(token) >> 6] &= ~(1 << UInt64(token & 63)) }
  }

  /// Indicates whether a token is in the set.
  package func contains(_ token: TokenID) -> Bool {
    token >= 0 && Int(token) >> 6 < words.count && words[Int(token) >> 6] >> UInt64(token & 63) & 1 == 1
  }

  /// Indicates whether no token is in the set.
  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  /// Number of tokens in the set.
  package var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// Adds all tokens of another set over the same vocabulary.
  package mutating func formUnion(_ other: TokenMask) {
    words.withUnsafeMutableBufferPointer { words in
      other.words.withUnsafeBufferPointer { other in
        for index in 0..<min(words.count, other.count) { words[index] |= other[index] }
      }
    }
  }

  /// Calls `body` with each token below a number, in order.
  @inline(__always)
  func forEach(below count: Int, _ body: (Int) -> Void) {
    for (index, word) in words.enumerated() {
      var rest = word
      while rest != 0 {
        let token = index << 6 | rest.trailingZeroBitCount
        guard token < count else { return }
        body(token)
        rest &= rest - 1
      }
    }
  }
}
