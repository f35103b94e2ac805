import Foundation
import Tokenization

/// The tokens that may come next, with their scores.
///
/// They are sorted only as far as a step asks: a whole vocabulary is seldom looked at beyond its first hundred.
struct Candidates {
  struct Candidate {
    let token: TokenID
    var logit: Float

    /// The likelier, and of two alike the lower number.
    static func precedes(_ one: Candidate, _ other: Candidate) -> Bool {
      one.logit == other.logit ? one.token < other.token : one.logit > other.logit
    }
  }

  private(set) var items: [Candidate] = []
  /// Number of candidates at the front that are sorted, likeliest first.
  private var sortedCount = 0

  var count: Int { items.count }

  /// Takes the scores of the tokens that a mask allows; those of minus infinity are no candidates.
  /// - Parameter logits: `(count,)`; no number counts as minus infinity, infinity as the largest number.
  mutating func fill(_ logits: Floats, count: Int, mask: TokenMask?) {
    items.removeAll(keepingCapacity: true)
    sortedCount = 0
    func take(_ token: Int) {
      let logit = logits[token]
      guard logit > -.infinity else { return }
      items.append(Candidate(token: TokenID(token), logit: min(logit, .greatestFiniteMagnitude)))
    }
    if let mask {
      mask.forEach(below: count, take)
    } else {
      items.reserveCapacity(count)
      for token in 0..<count { take(token) }
    }
  }

  /// Takes the `wanted` likeliest of the tokens that a mask allows, sorted; see ``fill(_:count:mask:)``.
  mutating func fill(_ logits: Floats, count: Int, mask: TokenMask?, likeliest wanted: Int) {
    items.removeAll(keepingCapacity: true)
    sortedCount = 0
    // Whatever is not above the last of those found so far is left out at once; of equal ones the first stay.
    var floor = -Float.infinity
    let room = max(2 * wanted, 256)
    func take(_ token: Int) {
      let logit = logits[token]
      guard logit > floor else { return }
      items.append(Candidate(token: TokenID(token), logit: min(logit, .greatestFiniteMagnitude)))
      guard items.count == room else { return }
      items.sort(by: Candidate.precedes)
      items.removeLast(room - wanted)
      floor = items[wanted - 1].logit
    }
    if let mask {
      mask.forEach(below: count, take)
    } else {
      for token in 0..<count { take(token) }
    }
    items.sort(by: Candidate.precedes)
    items.removeLast(max(0, items.count - wanted))
    sortedCount = items.count
  }

  /// The likeliest candidate.
  func best() -> Candidate? { sortedCount > 0 ? items[0] : items.min(by: Candidate.precedes) }

  /// Sorts at least the first `wanted` candidates.
  mutating func sort(upTo wanted: Int) {
    let wanted = min(wanted, count)
    guard wanted > sortedCount else { return }
    // Few candidates are sorted at once; of many, the front is split off first.
    let front = max(wanted, 256, 4 * sortedCount)
    guard front < count / 4 else {
      items[sortedCount...].sort(by: Candidate.precedes)
      sortedCount = count
      return
    }
    split(from: sortedCount, at: front)
    items[sortedCount..<front].sort(by: Candidate.precedes)
    sortedCount = front
  }

  /// Moves the likeliest to the front so that those before `place` precede those after it (Hoare's selection).
  private mutating func split(from start: Int, at place: Int) {
    items.withUnsafeMutableBufferPointer { items in
      var (low, high) = (start, items.count - 1)
      while low < high {
        let pivot = items[low + (high - low) / 2]
        var (left, right) = (low, high)
        while left <= right {
          while Candidate.precedes(items[left], pivot) { left += 1 }
          while Candidate.precedes(pivot, items[right]) { right -= 1 }
          guard left <= right else { break }
          items.swapAt(left, right)
          left += 1
          right -= 1
        }
        if place <= right {
          high = right
        } else if place >= left {
          low = left
        } else {
          return
        }
      }
    }
  }

  /// Keeps the likeliest `kept`, which must be sorted.
  mutating func keepFirst(_ kept: Int) {
    guard kept < count else { return }
    sort(upTo: kept)
    items.removeLast(count - kept)
    sortedCount = count
  }

  /// Drops the first `dropped`, the likeliest.
  mutating func dropFirst(_ dropped: Int) {
    sort(upTo: dropped)
    items.removeFirst(dropped)
    sortedCount -= dropped
  }

  /// Keeps those with a score of at least `floor`; the best always stays.
  mutating func keep(from floor: Float) {
    guard let best = best(), best.logit > -.infinity else { return }
    let bound = min(floor, best.logit)
    let sortedLeft = items[..<sortedCount].count { $0.logit >= bound }
    items.removeAll { $0.logit < bound }
    sortedCount = sortedLeft
  }

  /// Replaces the order and the selection: `order` lists places of candidates.
  mutating func select(_ order: some Sequence<Int>) {
    items = order.map { items[$0] }
    sortedCount = 0
  }

  /// Divides the scores' distance from the best by a temperature above zero.
  mutating func heat(_ temperature: Float) {
    guard let top = best()?.logit else { return }
    // Relative to the best, no temperature overflows what matters.
    for index in items.indices { items[index].logit = (items[index].logit - top) / temperature }
  }

  /// The likelihoods, in the order of the candidates.
  func likelihoods() -> [Double] {
    guard let top = best()?.logit else { return [] }
    var values = items.map { exp(Double($0.logit) - Double(top)) }
    let total = values.reduce(0, +)
    for index in values.indices { values[index] /= total }
    return values
  }

  /// The sum that the exponentials of the scores' distances from the best are parts of.
  func total(top: Float) -> Double { items.reduce(0) { $0 + exp(Double($1.logit) - Double(top)) } }
}
