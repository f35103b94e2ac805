/// Remembers which list of products comes after which, so that a thread that waits can ask for the weights it will read next.
///
/// A model's products come in the same order token after token. Where they do not, some weights are asked for in vain.
struct ReadingOrder {
  /// Where each thread begins to read in a list of products.
  struct Starts {
    fileprivate let list: UInt
    /// By the number of the thread's share.
    let weights: [UnsafeRawBufferPointer]
  }

  /// By the list that came before.
  private var followers: [UInt: Starts] = [:]
  private var last: UInt = 0

  /// Takes note of a list.
  /// - Returns: where each thread will probably begin in the list after it.
  mutating func record(_ parts: ProductParts, starts: () -> [UnsafeRawBufferPointer]) -> Starts? {
    let list = parts.address
    if followers[last]?.list != list { followers[last] = Starts(list: list, weights: starts()) }
    last = list
    return followers[list]
  }
}
