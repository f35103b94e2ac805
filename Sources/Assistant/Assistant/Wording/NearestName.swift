/// Search for the name that was probably meant by a mistyped one.
package enum NearestName {
  /// Returns the nearest of some names; nil where none is near.
  package static func of(_ typed: String, among names: some Sequence<String>) -> String? {
    let typed = typed.lowercased()
    let ranked = names.map { (name: $0, distance: distance(typed, $0.lowercased())) }
    let allowed = max(1, typed.count / 3)
    let near = ranked.filter { $0.distance <= allowed }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
    if let near { return near.name }
    // A beginning is near too, as `lib` is to `library`.
    return typed.count < 2 ? nil : ranked.map(\.name).sorted().first { $0.lowercased().hasPrefix(typed) }
  }

  /// Counts the fewest insertions, deletions, replacements and exchanges of neighbours between two words.
  static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left), Array(right))
    var older = [Int](repeating: 0, count: right.count + 1)
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        var best = min(previous[column + 1] + 1, current[column] + 1)
        best = min(best, previous[column] + (left[row] == right[column] ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, older[column - 1] + 1)
        }
        current.append(best)
      }
      (older, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
