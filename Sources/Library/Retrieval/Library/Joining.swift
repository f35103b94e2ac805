import Documents

/// Merges hits that are neighbours in a document: their passages overlap, and an answer may begin in one and end in
/// the other.
package enum Joining {
  /// Run of neighbouring passages.
  package struct Run: Equatable {
    /// Places of its members among the hits, best first.
    package var members: [Int]
    /// Places of its first and last passage within the document.
    package var indices: ClosedRange<Int>

    package init(members: [Int], indices: ClosedRange<Int>) {
      (self.members, self.indices) = (members, indices)
    }
  }

  /// Largest number of passages that become one.
  package static let longest = 3

  /// Groups hits, best first, into runs; each run takes the place of its best member.
  /// - Parameter joins: whether two hits of one document may be read as one where they are neighbours.
  package static func runs(
    of hits: [StoredPassage], limit: Int, joins: (StoredPassage, StoredPassage) -> Bool = Joining.areAlike
  ) -> [Run] {
    var runs: [Run] = []
    for (place, hit) in hits.enumerated() {
      let neighbour = runs.indices.first { index in
        let best = hits[runs[index].members[0]]
        let (first, last) = (runs[index].indices.lowerBound, runs[index].indices.upperBound)
        return best.document == hit.document && (hit.index == first - 1 || hit.index == last + 1)
          && last - first + 1 < longest && joins(best, hit)
      }
      if let neighbour {
        let old = runs[neighbour].indices
        runs[neighbour].members.append(place)
        runs[neighbour].indices = min(old.lowerBound, hit.index)...max(old.upperBound, hit.index)
      } else if runs.count < limit {
        runs.append(Run(members: [place], indices: hit.index...hit.index))
      }
    }
    return runs
  }

  /// Indicates whether two passages have the same headings and form, so that they read as one text.
  package static func areAlike(_ left: StoredPassage, _ right: StoredPassage) -> Bool {
    left.passage.headings == right.passage.headings && left.passage.form == right.passage.form
  }
}

extension Library {
  /// Merges neighbouring passages into one; nil where their pages do not give the text that was indexed.
  /// - Parameter best: gives the merged passage its id; its place in the text is returned.
  func joined(
    _ passages: [StoredPassage], best: StoredPassage
  ) throws(LibraryError) -> (passage: StoredPassage, offset: Int)? {
    let ordered = passages.sorted { $0.index < $1.index }
    guard let first = ordered.first, let last = ordered.last, ordered.count > 1 else { return nil }
    let span = TextSpan(start: first.passage.span.start, end: last.passage.span.end)
    let pages = try pages(
      where: "document=? AND number BETWEEN ? AND ?", best.document.rawValue, span.start.page, span.end.page)
    let text = RunningText(pages: pages, span: span).text
    guard let place = Array(text.utf8).firstRange(of: Array(best.passage.text.utf8)) else { return nil }
    var joined = best
    joined.passage.text = text
    joined.passage.span = span
    return (joined, place.lowerBound)
  }
}
