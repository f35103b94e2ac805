/// Remembers which list of products comes after which, so that a thread that waits can ask for the weights it will read next.
///
/// A model's products come in the same order token after token. Where they do not, some weights are asked for in vain.
package struct PrefetchPredictor {
  /// Where each thread begins to read in a list of products.
  package struct Starts {
    fileprivate let list: UInt
    /// By the number of the thread's share.
    package let weights: [UnsafeRawBufferPointer]
  }

  /// By the list that came before.
  private var followers: [UInt: Starts] = [:]
  private var last: UInt = 0

  package init() {}

  /// Takes note of a list that is computed now.
  /// - Parameters:
  ///   - list: its name, the same every time.
  ///   - starts: where each thread begins in it; asked for only where that is news.
  /// - Returns: where each thread will probably begin in the list after it; nil where nobody knows.
  package mutating func record(_ list: UInt, starts: () -> [UnsafeRawBufferPointer]) -> Starts? {
    if followers[last]?.list != list { followers[last] = Starts(list: list, weights: starts()) }
    last = list
    return followers[list]
  }
}
