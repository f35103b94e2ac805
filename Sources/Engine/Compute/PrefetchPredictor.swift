/// Predicts the next list of products, so that a waiting thread can prefetch the weights it will read next.
///
/// The products of a model come in the same order for every token. A wrong prediction costs some useless prefetches.
package struct PrefetchPredictor {
  /// Weights that each thread reads first in a list of products.
  package struct Starts {
    fileprivate let list: UInt
    /// Weights by the index of the thread's share.
    package let weights: [UnsafeRawBufferPointer]
  }

  /// Predictions by the preceding list.
  private var followers: [UInt: Starts] = [:]
  private var last: UInt = 0

  /// Makes a predictor without history.
  package init() {}

  /// Records the list that is computed now.
  /// - Parameters:
  ///   - list: identity of the list, the same for every token.
  ///   - starts: weights that each thread reads first in it; called only where the list was not predicted.
  /// - Returns: weights that each thread will probably read first in the next list; nil where unknown.
  package mutating func record(_ list: UInt, starts: () -> [UnsafeRawBufferPointer]) -> Starts? {
    if followers[last]?.list != list { followers[last] = Starts(list: list, weights: starts()) }
    last = list
    return followers[list]
  }
}
