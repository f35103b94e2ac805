/// A binary heap of merges to try, the least key first.
struct MergeQueue {
  struct Entry {
    /// Rank in the upper half, position in the lower, so that the leftmost of equals comes first.
    let key: UInt64
    /// State of the merge when it was queued, to tell whether it is still valid.
    let proof: UInt64
  }

  private var entries: [Entry] = []

  mutating func removeAll() { entries.removeAll(keepingCapacity: true) }

  mutating func push(_ entry: Entry) {
    entries.append(entry)
    var position = entries.count - 1
    while position > 0 {
      let parent = (position - 1) / 2
      guard entry.key < entries[parent].key else { break }
      entries[position] = entries[parent]
      position = parent
    }
    entries[position] = entry
  }

  mutating func pop() -> Entry? {
    guard let first = entries.first, let last = entries.popLast() else { return nil }
    guard !entries.isEmpty else { return first }
    var position = 0
    while true {
      var child = position * 2 + 1
      guard child < entries.count else { break }
      if child + 1 < entries.count, entries[child + 1].key < entries[child].key { child += 1 }
      guard entries[child].key < last.key else { break }
      entries[position] = entries[child]
      position = child
    }
    entries[position] = last
    return first
  }
}

/// The symbols of a word, linked so that merging two takes no moving.
struct SymbolChain {
  /// Offset of each symbol; a symbol that was merged away has no length.
  var starts: [Int] = []
  var lengths: [Int] = []
  var previous: [Int] = []
  var next: [Int] = []

  mutating func removeAll() {
    starts.removeAll(keepingCapacity: true)
    lengths.removeAll(keepingCapacity: true)
    previous.removeAll(keepingCapacity: true)
    next.removeAll(keepingCapacity: true)
  }

  mutating func append(start: Int, length: Int) {
    let position = starts.count
    starts.append(start)
    lengths.append(length)
    previous.append(position - 1)
    next.append(position + 1)
  }

  /// Closes the chain after the last symbol.
  mutating func close() {
    if !next.isEmpty { next[next.count - 1] = -1 }
  }

  /// Joins a symbol with the one to its right.
  mutating func merge(_ left: Int, _ right: Int) {
    lengths[left] += lengths[right]
    lengths[right] = 0
    next[left] = next[right]
    if next[right] >= 0 { previous[next[right]] = left }
  }
}
